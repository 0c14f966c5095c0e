package dev.parley.cli.io;

import java.nio.file.FileSystem;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Attributes of new files and directories that only their owner can use, where the file system has permissions. */
public final class OwnerOnly {
    private OwnerOnly() {}

    static FileAttribute<?>[] file(FileSystem system) {
        return of(system, "rw-------");
    }

    public static FileAttribute<?>[] directory(FileSystem system) {
        return of(system, "rwx------");
    }

    private static FileAttribute<?>[] of(FileSystem system, String permissions) {
        return system.supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
