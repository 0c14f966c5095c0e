package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.Demo;
import dev.parley.server.ServerConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDemoTest {

    @Test
    void aFileIsNotADataDirectory(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("data"), "precious");
        Demo.Options options = new Demo.Options(ServerConfig.of(Map.of()), true, false, Optional.of(file));
        StringWriter said = new StringWriter();

        assertThatThrownBy(() -> new LocalDemo().run(options, new PrintWriter(said), new PrintWriter(said)))
                .isInstanceOf(NotDirectoryException.class)
                .hasMessageContaining(file.toString());
        assertThat(said.toString()).isEmpty();
        assertThat(file).hasContent("precious");
    }

    @Test
    void aDirectoryOfOtherFilesIsNotADataDirectory(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("export.jsonl"), "precious");
        Demo.Options options = new Demo.Options(ServerConfig.of(Map.of()), true, false, Optional.of(directory));
        StringWriter said = new StringWriter();

        assertThatThrownBy(() -> new LocalDemo().run(options, new PrintWriter(said), new PrintWriter(said)))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(directory + ": has files of something else than a demo; name a new or empty directory");
        assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void aFullDiskIsReportedWithWhatTheDemoNeeds() {
        assertThat(LocalDemo.lackingSpace(Path.of("data"), 12L << 20))
                .contains("the disk of data has 12 MiB free, but the demo needs 256 MiB."
                        + " Free space, or name a directory on another disk with --data.");
        assertThat(LocalDemo.lackingSpace(Path.of("data"), 256L << 20)).isEmpty();
    }
}
