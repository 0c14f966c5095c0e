package dev.parley.topology.views.read;

/** Thrown for a cursor that no page of the query returned. */
public final class InvalidCursorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message reason why the cursor is invalid */
    public InvalidCursorException(String message) {
        super(message);
    }
}
