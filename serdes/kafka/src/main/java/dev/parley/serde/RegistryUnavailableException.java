package dev.parley.serde;

import org.apache.kafka.common.errors.SerializationException;

/**
 * The registry did not respond, or responded with a server error, so a record could not be read or written. A retry may
 * succeed.
 */
public final class RegistryUnavailableException extends SerializationException {
    private static final long serialVersionUID = 1L;

    RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
