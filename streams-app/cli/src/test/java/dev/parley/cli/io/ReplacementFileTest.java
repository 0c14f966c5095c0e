package dev.parley.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplacementFileTest {
    @TempDir
    private Path directory;

    private Path file;
    private Path part;

    @BeforeEach
    void name() {
        file = directory.resolve("export.jsonl");
        part = directory.resolve("export.jsonl.part");
    }

    private static void write(ReplacementFile aside, String text) throws IOException {
        try (OutputStream out = aside.stream()) {
            out.write(text.getBytes(UTF_8));
        }
    }

    @Test
    void theFileAppearsWhenItIsComplete() throws IOException {
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "complete");
            assertThat(file).doesNotExist();
            assertThat(part).exists();
            aside.publish();
        }
        assertThat(file).hasContent("complete");
        assertThat(part).doesNotExist();
    }

    @Test
    void aFailureLeavesNothingSoThatARetryWorks() throws IOException {
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "half");
        }
        assertThat(directory).isEmptyDirectory();
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "whole");
            aside.publish();
        }
        assertThat(file).hasContent("whole");
    }

    @Test
    void thePartOfAKilledProcessIsOverwritten() throws IOException {
        Files.writeString(part, "a long part that a killed process left");
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "new");
            aside.publish();
        }
        assertThat(file).hasContent("new");
    }

    @Test
    void onlyTheOwnerCanReadTheFile() throws IOException {
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                    .isEqualTo("rw-------");
            aside.publish();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void plantedLinksAreNotFollowed() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(part, victim);
        assertThatThrownBy(() -> ReplacementFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("export.jsonl.part is not a file of parley; delete it");
        Files.delete(part);

        Files.createLink(part, victim);
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "new");
            Files.createSymbolicLink(file, victim);
            assertThatThrownBy(aside::publish).isInstanceOf(FileAlreadyExistsException.class);
        }
        Files.delete(file);

        Files.createSymbolicLink(file, directory.resolve("nowhere"));
        assertThatThrownBy(() -> ReplacementFile.open(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(directory.resolve("nowhere")).doesNotExist();
        assertThat(victim).hasContent("precious");
    }

    @Test
    void anInterruptedProcessLeavesNothing() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Interrupted.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.getInputStream().read()).isEqualTo('x');
            assertThat(part).exists();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(directory.toFile().list()).isEmpty();
    }

    /** Writes half a file, and waits. */
    static final class Interrupted {
        private Interrupted() {}

        public static void main(String[] arguments) throws Exception {
            try (ReplacementFile aside = ReplacementFile.open(Path.of(arguments[0]));
                    NewDirectory tables =
                            NewDirectory.create(Path.of(arguments[0]).resolveSibling("tables"))) {
                write(aside, "half");
                Files.writeString(tables.path("table"), "rows");
                System.out.write('x');
                System.out.flush();
                new CountDownLatch(1).await();
            }
        }
    }

    @Test
    void twoWritersDoNotMix() throws IOException {
        try (ReplacementFile first = ReplacementFile.open(file)) {
            write(first, "first");
            assertThatThrownBy(() -> ReplacementFile.open(file))
                    .isInstanceOfAny(IOException.class, OverlappingFileLockException.class);
            first.publish();
        }
        assertThat(file).hasContent("first");
    }

    static List<ReplacementFile.Link> withoutHardLinks() {
        return List.of(
                (link, existing) -> {
                    throw new FileSystemException(link.toString(), existing.toString(), "Operation not permitted");
                },
                (link, existing) -> {
                    throw new UnsupportedOperationException();
                });
    }

    @ParameterizedTest
    @MethodSource("withoutHardLinks")
    void withoutHardLinksTheFileAppearsToo(ReplacementFile.Link link) throws IOException {
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "complete");
            aside.publish(link);
        }
        assertThat(file).hasContent("complete");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(part).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("withoutHardLinks")
    void withoutHardLinksNoFileIsReplacedEither(ReplacementFile.Link link) throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "late");
            Files.createSymbolicLink(file, victim);
            assertThatThrownBy(() -> aside.publish(link)).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(file).isSymbolicLink().hasContent("precious");
        assertThat(part).doesNotExist();
    }

    @Test
    void aFailedMoveLeavesNothing() throws IOException {
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            Files.delete(part);
            assertThatThrownBy(aside::publish).isInstanceOf(NoSuchFileException.class);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void noFileIsReplaced() throws IOException {
        Files.writeString(file, "precious");
        assertThatThrownBy(() -> ReplacementFile.open(file)).isInstanceOf(FileAlreadyExistsException.class);
        Files.delete(file);
        try (ReplacementFile aside = ReplacementFile.open(file)) {
            write(aside, "late");
            Files.writeString(file, "precious");
            assertThatThrownBy(aside::publish).isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(file).hasContent("precious");
        assertThat(part).doesNotExist();
    }
}
