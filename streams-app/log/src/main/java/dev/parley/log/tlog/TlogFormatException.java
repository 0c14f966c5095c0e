package dev.parley.log.tlog;

/** Signals that a text does not have the form that its format requires. The message names line and requirement. */
public final class TlogFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String requirement;

    /**
     * Creates an exception.
     *
     * @param line line of the error, from 1
     */
    public TlogFormatException(int line, String message) {
        super("line " + line + ": " + message);
        requirement = message;
    }

    /** The message without the line, for a text that is one line. */
    public String requirement() {
        return requirement;
    }
}
