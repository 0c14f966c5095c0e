package dev.parley.log.evidence;

import dev.parley.file.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** An existing directory that evidence is written to. Everything in it is new, and only its owner can read it. */
public interface EvidenceDirectory {
    /** Path of a file in it. */
    Path path(String name);

    /** Creates a directory in it. */
    default void directory(String name) throws IOException {
        Path path = path(name);
        Files.createDirectory(path, OwnerOnly.directory(path.getFileSystem()));
    }

    /** Creates a file in it, and opens it. */
    default OutputStream file(String name) throws IOException {
        Path path = path(name);
        return Channels.newOutputStream(Files.newByteChannel(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                OwnerOnly.file(path.getFileSystem())));
    }

    /** Creates a file in it with a content. */
    default void write(String name, byte[] content) throws IOException {
        try (OutputStream out = file(name)) {
            out.write(content);
        }
    }
}
