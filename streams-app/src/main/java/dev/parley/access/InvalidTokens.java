package dev.parley.access;

/** A file of tokens cannot be used; the message says why, and repeats nothing of the file. */
public final class InvalidTokens extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what is wrong */
    public InvalidTokens(String message) {
        super(message);
    }
}
