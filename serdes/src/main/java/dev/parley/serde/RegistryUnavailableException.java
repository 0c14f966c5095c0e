package dev.parley.serde;

import org.apache.kafka.common.errors.SerializationException;

/** The registry did not answer, or answered with an error of its own, so that a record could not be read or written. Retrying may help. */
public final class RegistryUnavailableException extends SerializationException {
    private static final long serialVersionUID = 1L;

    RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
