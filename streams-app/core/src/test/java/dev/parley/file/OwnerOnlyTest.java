package dev.parley.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    @TempDir
    private Path directory;

    private Path file;
    private Path draft;
    private Path victim;

    @BeforeEach
    void plant() throws IOException {
        file = directory.resolve("file");
        draft = directory.resolve("file.new");
        victim = Files.writeString(directory.resolve("victim"), "precious");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aDraftReplacesWhatHasItsNameAndFollowsNoLink() throws IOException {
        Files.createSymbolicLink(draft, victim);
        assertThat(OwnerOnly.draft(file, "new".getBytes(US_ASCII))).isEqualTo(draft);
        assertThat(draft).isRegularFile().hasContent("new");
        Files.delete(draft);

        Files.createLink(draft, victim);
        OwnerOnly.draft(file, "newer".getBytes(US_ASCII));
        assertThat(draft).hasContent("newer");
        assertThat(victim).hasContent("precious");

        OwnerOnly.draft(file, "x".getBytes(US_ASCII));
        assertThat(draft).hasContent("x");
        assertThat(permissions(draft)).isEqualTo("rw-------");
        assertThat(file).doesNotExist();
    }

    @Test
    void aLockFileIsKeptAndNoLink() throws IOException {
        try (FileChannel channel = OwnerOnly.lockFile(file)) {
            assertThat(channel.tryLock()).isNotNull();
        }
        assertThat(permissions(file)).isEqualTo("rw-------");
        Files.writeString(file, "holder");
        OwnerOnly.lockFile(file).close();
        assertThat(file).hasContent("holder");

        Path link = Files.createSymbolicLink(directory.resolve("link"), victim);
        assertThatThrownBy(() -> OwnerOnly.lockFile(link)).isInstanceOf(FileSystemException.class);
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nowhere"));
        assertThatThrownBy(() -> OwnerOnly.lockFile(dangling)).isInstanceOf(FileSystemException.class);
        assertThat(directory.resolve("nowhere")).doesNotExist();
    }

    @Test
    void aDirectoryIsTakenFromOtherUsersAndIsNoLink() throws IOException {
        Path fresh = OwnerOnly.createDirectory(directory.resolve("fresh"));
        assertThat(permissions(fresh)).isEqualTo("rwx------");

        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        OwnerOnly.createDirectory(open);
        assertThat(permissions(open)).isEqualTo("rwx------");

        Path target = Files.createDirectory(directory.resolve("target"));
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        assertThatThrownBy(() -> OwnerOnly.createDirectory(link))
                .isInstanceOfSatisfying(
                        FileSystemException.class,
                        failure -> assertThat(failure.getReason()).isEqualTo("is a link"));
        assertThatThrownBy(() -> OwnerOnly.createDirectory(victim)).isInstanceOf(NotDirectoryException.class);
        assertThat(permissions(target)).isEqualTo("rwxr-xr-x");
    }
}
