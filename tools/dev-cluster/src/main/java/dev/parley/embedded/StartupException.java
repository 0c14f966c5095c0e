package dev.parley.embedded;

/** The embedded broker or registry did not start; the message is one sentence with the reason and the remedy. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartupException(String message) {
        super(message);
    }

    StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
