package dev.parley.embedded;

/** Something embedded did not start; the message is one sentence that says why and what to do. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartupException(String message) {
        super(message);
    }

    StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
