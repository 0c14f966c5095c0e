package dev.parley.query;

/** The stores cannot be read now, but will be later. */
public final class ViewsUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what is not readable, for a person
     * @param cause why
     */
    public ViewsUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
