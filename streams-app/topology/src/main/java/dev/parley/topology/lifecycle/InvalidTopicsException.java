package dev.parley.topology.lifecycle;

/** Existing topics do not meet Parley's requirements; the message has a line for each. */
public final class InvalidTopicsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidTopicsException(String message) {
        super(message);
    }
}
