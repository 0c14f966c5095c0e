package dev.parley.topology.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateTopicIdsTest {
    @TempDir
    private Path directory;

    @Test
    void aPlantedLinkIsNotFollowedAndOnlyTheOwnerCanReadTheFile() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(directory.resolve("parley-topics.properties.new"), victim);
        StateTopicIds ids = new StateTopicIds(directory, "parley");

        // Without topics, no broker is asked.
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"))) {
            assertThat(ids.keep(admin, List.of())).isEmpty();
        }

        assertThat(victim).hasContent("precious");
        assertThat(ids.file()).isRegularFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ids.file())))
                .isEqualTo("rw-------");
    }
}
