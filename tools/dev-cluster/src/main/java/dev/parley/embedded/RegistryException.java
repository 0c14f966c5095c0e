package dev.parley.embedded;

/**
 * The registry refuses a request. Carries the error code of Confluent's REST API; the message is one sentence with the
 * reason and, where possible, the remedy.
 */
final class RegistryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final int INCOMPATIBLE = 409;
    static final int SUBJECT_NOT_FOUND = 40401;
    static final int VERSION_NOT_FOUND = 40402;
    static final int SCHEMA_NOT_FOUND = 40403;
    static final int INVALID_SCHEMA = 42201;
    static final int INVALID_VERSION = 42202;
    static final int INVALID_SUBJECT = 42208;
    static final int STORE_FAILED = 50001;

    private final int code;

    RegistryException(int code, String message) {
        super(message);
        this.code = code;
    }

    RegistryException(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The {@code error_code}: an HTTP status, or five digits that start with it. */
    int code() {
        return code;
    }

    int status() {
        return code > 999 ? code / 100 : code;
    }
}
