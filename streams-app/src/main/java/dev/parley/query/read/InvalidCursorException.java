package dev.parley.query.read;

/** A cursor that no page of the query gave. */
public final class InvalidCursorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong with it */
    public InvalidCursorException(String message) {
        super(message);
    }
}
