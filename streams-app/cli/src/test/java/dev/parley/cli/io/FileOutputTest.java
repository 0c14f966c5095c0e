package dev.parley.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class FileOutputTest {
    private static final Path FILE = Path.of("directory", "export.jsonl");

    @Test
    void bytesAreWrittenUnchanged() throws IOException {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (OutputStream out = new FileOutput(FILE, written)) {
            out.write("xaby".getBytes(UTF_8), 1, 2);
            out.write('c');
        }
        assertThat(written.toString(UTF_8)).isEqualTo("abc");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskNamesTheFile() throws IOException {
        try (OutputStream full =
                Channels.newOutputStream(Files.newByteChannel(Path.of("/dev/full"), StandardOpenOption.WRITE))) {
            FileOutput out = new FileOutput(FILE, full);
            assertThat(ErrorMessages.of(catchThrowable(() -> out.write(new byte[10]))))
                    .isEqualTo(FILE + ": No space left on device");
            assertThat(ErrorMessages.of(catchThrowable(() -> out.write(1))))
                    .isEqualTo(FILE + ": No space left on device");
        }
    }
}
