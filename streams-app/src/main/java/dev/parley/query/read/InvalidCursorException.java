package dev.parley.query.read;

/** Thrown for a cursor that no page of the query returned. */
public final class InvalidCursorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong with the cursor */
    public InvalidCursorException(String message) {
        super(message);
    }
}
