package dev.parley.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and directories that only their owner can use, where the file system has permissions. None of them is reached
 * through a link that another user planted under its name.
 */
public final class OwnerOnly {
    private static final String FILE = "rw-------";
    private static final String DIRECTORY = "rwx------";
    private static final String DRAFT_SUFFIX = ".new";
    private static final String IS_A_LINK = "is a link";

    private OwnerOnly() {}

    /** Attributes of a new file. */
    public static FileAttribute<?>[] file(FileSystem system) {
        return of(system, FILE);
    }

    /** Attributes of a new directory. */
    public static FileAttribute<?>[] directory(FileSystem system) {
        return of(system, DIRECTORY);
    }

    private static FileAttribute<?>[] of(FileSystem system, String permissions) {
        return system.supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Creates a directory, or takes an existing one from all other users.
     *
     * @return the directory
     * @throws NotDirectoryException if a file has its name
     * @throws FileSystemException if a link has its name
     * @throws IOException if it cannot be created, or belongs to another user
     */
    public static Path createDirectory(Path path) throws IOException {
        try {
            return Files.createDirectory(path, directory(path.getFileSystem()));
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(path)) {
                throw new FileSystemException(path.toString(), null, IS_A_LINK);
            }
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotDirectoryException(path.toString());
            }
            PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
            if (view != null) {
                view.setPermissions(PosixFilePermissions.fromString(DIRECTORY));
            }
            return path;
        }
    }

    /**
     * Opens a file for its lock and to write it; creates it if it is missing.
     *
     * @throws FileSystemException if a link has its name
     * @throws IOException if it cannot be opened
     */
    public static FileChannel lockFile(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            throw new FileSystemException(path.toString(), null, IS_A_LINK);
        }
        return FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                file(path.getFileSystem()));
    }

    /**
     * Writes the next content of a file to disk, into a draft that the caller moves there. Replaces the draft that a
     * killed process left.
     *
     * @return the draft, with the suffix {@code .new}
     */
    public static Path draft(Path file, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + DRAFT_SUFFIX);
        Files.deleteIfExists(draft);
        try (FileChannel channel = FileChannel.open(
                draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), file(file.getFileSystem()))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        return draft;
    }
}
