package dev.parley.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a cluster are never written through links that another user planted under their names. */
class PlantedLinksTest {
    @TempDir
    private Path directory;

    private Path victim;

    @BeforeEach
    void write() throws IOException {
        victim = Files.writeString(directory.resolve("victim"), "precious");
    }

    @AfterEach
    void theTargetIsUnchanged() {
        assertThat(victim).hasContent("precious");
    }

    @Test
    void theLockOfADataDirectoryIsNoLink() throws IOException {
        Files.createSymbolicLink(directory.resolve("embedded-kafka.lock"), victim);

        assertThatThrownBy(() -> ClusterDirectory.open(directory))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("embedded-kafka.lock is a link");
    }

    @Test
    void theSchemaJournalIsNoLink() throws IOException {
        Path journal = Files.createSymbolicLink(directory.resolve("schemas.jsonl"), victim);

        assertThatThrownBy(() -> SchemaJournal.open(journal, registered -> {}))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("schemas.jsonl is a link");
    }
}
