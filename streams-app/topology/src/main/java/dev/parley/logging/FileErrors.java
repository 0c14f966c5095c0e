package dev.parley.logging;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;

/** Turns exceptions of files into reasons for a person. */
public final class FileErrors {
    private static final String IS_A_DIRECTORY = "Is a directory";

    private static final Map<Class<? extends IOException>, String> REASONS = Map.of(
            NoSuchFileException.class, "no such file or directory",
            AccessDeniedException.class, "permission denied",
            FileAlreadyExistsException.class, "already exists",
            NotDirectoryException.class, "not a directory",
            DirectoryNotEmptyException.class, "directory not empty");

    private FileErrors() {}

    /** Why reading or writing a file failed, without the path, which the caller names; never null or blank. */
    public static String reason(IOException exception) {
        String known = REASONS.get(exception.getClass());
        if (known != null) {
            return known;
        }
        String message = exception instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : exception.getMessage();
        if (exception instanceof CharacterCodingException) {
            return "not UTF-8";
        }
        if (IS_A_DIRECTORY.equals(message)) {
            return "is a directory";
        }
        return message != null && !message.isBlank()
                ? message
                : exception.getClass().getSimpleName();
    }
}
