package dev.parley.server.auth;

/** A tokens file is invalid. The message gives the reason and repeats no content of the file. */
public final class InvalidTokenFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the problem */
    public InvalidTokenFileException(String message) {
        super(message);
    }
}
