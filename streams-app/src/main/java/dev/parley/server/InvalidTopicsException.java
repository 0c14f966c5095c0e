package dev.parley.server;

/** Existing topics are not what Parley needs; the message has a line for each. */
public final class InvalidTopicsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidTopicsException(String message) {
        super(message);
    }
}
