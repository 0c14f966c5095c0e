package dev.parley.query;

/** A cursor that no page of the query gave. */
public final class InvalidCursor extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong with it */
    public InvalidCursor(String message) {
        super(message);
    }
}
