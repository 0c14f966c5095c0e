package dev.parley.topology.views.store;

/** Thrown if views cannot be read now; a later attempt may succeed. */
public final class ViewsUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what cannot be read, and why */
    public ViewsUnavailableException(String message) {
        this(message, null);
    }

    public ViewsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
