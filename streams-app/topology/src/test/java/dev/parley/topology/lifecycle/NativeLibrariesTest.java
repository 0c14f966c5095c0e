package dev.parley.topology.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {

    @TempDir
    private Path temporary;

    /** A process that unpacks the libraries, and waits until it is killed. */
    static final class Unpacking {
        public static void main(String[] arguments) throws Exception {
            NativeLibraries.unpack();
            System.out.println("unpacked");
            System.out.flush();
            Thread.currentThread().join();
        }
    }

    @Test
    void anyNumberOfKilledProcessesLeavesTheLibrariesOfOne() throws Exception {
        for (int crash = 0; crash < 3; crash++) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Djava.io.tmpdir=" + temporary,
                            "-cp",
                            System.getProperty("java.class.path"),
                            Unpacking.class.getName())
                    .redirectErrorStream(true)
                    .start();
            try {
                assertThat(process.inputReader().lines().anyMatch("unpacked"::equals))
                        .isTrue();
            } finally {
                process.destroyForcibly();
                assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            }
            try (var files = Files.walk(temporary)) {
                // Zstandard deletes its library after it has loaded it.
                assertThat(files.filter(Files::isRegularFile)
                                .map(file -> file.getFileName().toString())
                                .filter(name -> !name.equals("lock")))
                        .as("after %s crashes", crash + 1)
                        .satisfiesExactlyInAnyOrder(
                                name -> assertThat(name).contains("rocksdb"),
                                name -> assertThat(name).contains("snappy"));
            }
        }
    }

    @Test
    void aDirectoryIsOfItsOwnerAloneAndRemainsWhileItsProcessRuns() throws IOException {
        Path parent = temporary.resolve("libraries");
        Path killed = Files.createDirectories(parent.resolve("killed"));
        Files.writeString(killed.resolve("librocksdb.so"), "x");
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));

        Path first = NativeLibraries.directory(parent);
        Path second = NativeLibraries.directory(parent);

        assertThat(killed).doesNotExist();
        assertThat(first).isDirectory().isNotEqualTo(second);
        assertThat(Files.getPosixFilePermissions(parent)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(first)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    /** Without the lock, another process would take it for a directory of a killed one. */
    @Test
    void aDirectoryIsCreatedOnlyUnderTheCommonLock() throws IOException {
        Path parent = Files.createDirectory(temporary.resolve("libraries"));
        try (FileChannel others =
                        FileChannel.open(parent.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = others.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatThrownBy(() -> NativeLibraries.directory(parent))
                    .isInstanceOf(OverlappingFileLockException.class);
        }
        assertThat(parent).isDirectoryNotContaining(Files::isDirectory);
    }

    @Test
    void aPlantedLinkIsNotUsed() throws IOException {
        Path target = Files.createDirectory(temporary.resolve("target"));
        Path parent = Files.createSymbolicLink(temporary.resolve("libraries"), target);

        assertThatThrownBy(() -> NativeLibraries.directory(parent))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link");
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void aDirectoryOfAnotherUserIsNotUsedByRootEither() throws IOException {
        Path parent = Files.createDirectory(temporary.resolve("libraries"));
        try {
            UserPrincipal other =
                    parent.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            Files.setOwner(parent, other);
        } catch (IOException e) {
            Assumptions.abort("only root may give a directory to another user: " + e);
        }

        assertThatThrownBy(() -> NativeLibraries.directory(parent))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to another user");
    }
}
