package dev.parley.tap;

/** A wrong command line, or a file that the command cannot use. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message what is wrong, and what is allowed */
    UsageException(String message) {
        super(message);
    }
}
