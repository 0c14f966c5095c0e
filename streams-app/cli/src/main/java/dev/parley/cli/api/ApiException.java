package dev.parley.cli.api;

/** Thrown if the HTTP API did not return a success; the message is a sentence. */
public final class ApiException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String code;

    ApiException(String code, String message) {
        super(message);
        this.code = code;
    }

    /** Code of the problem; null if the response has none. */
    public String code() {
        return code;
    }
}
