package dev.parley.conformance;

/** A line that is no vector; the message says where it stands and why. */
public final class InvalidVectorException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidVectorException(String message) {
        super(message);
    }
}
