package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.topology.config.ParleyConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the errors of {@code parley ingest}. */
@Tag("long")
class IngestIT {
    private static final int RECORD_BYTES = 1 << 20;
    private static final String LINE = "{\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\"}";

    @TempDir
    private Path directory;

    @Test
    void theLinesThatDidNotEnterAreNamed() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = environment.config(Map.of(ParleyConfig.RECORD_BYTES, RECORD_BYTES));
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", environment.brokers()))) {
                admin.createTopics(List.of(new NewTopic(config.topics().wire(), 2, (short) 1)))
                        .all()
                        .get();
            }
            String large = "{\"wire\":\"" + "x".repeat(RECORD_BYTES) + "\"}";
            CommandResult refused = CommandResult.by(config, "ingest", file(LINE, large, LINE, LINE));
            assertThat(refused.exit()).as(refused.all()).isOne();
            assertThat(refused.all())
                    .contains(
                            " did not accept a record: ",
                            " Up to line 3, they acknowledged 1 record, but not line 2, line 3.");

            CommandResult foreign =
                    CommandResult.by(config, "ingest", file(LINE, "{\"wire\":\"!Ik\",\"topic\":\"foo\"}", LINE));
            assertThat(foreign.exit()).as(foreign.all()).isEqualTo(2);
            assertThat(foreign.all())
                    .contains(":2: topic must be one of the input topics "
                            + config.topics().wire())
                    .contains("but was 'foo'", "{\"sent\":2}");
        }
    }

    private String file(String... lines) throws Exception {
        return Files.write(directory.resolve("transcript.jsonl"), List.of(lines))
                .toString();
    }
}
