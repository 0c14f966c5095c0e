package dev.parley.conformance;

/** Thrown if a line is not a valid vector. The message has the location and the reason. */
public final class InvalidVectorException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidVectorException(String message) {
        super(message);
    }
}
