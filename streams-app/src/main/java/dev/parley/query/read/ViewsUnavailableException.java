package dev.parley.query.read;

/** The stores cannot be read now, but will be later. */
public final class ViewsUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what is not readable, for a person
     * @param cause why
     */
    public ViewsUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
