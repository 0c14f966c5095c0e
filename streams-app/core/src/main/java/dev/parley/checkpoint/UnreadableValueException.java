package dev.parley.checkpoint;

import dev.parley.avro.Inbound;
import java.util.Optional;

/**
 * A store has a value of another type, or lacks one that another value needs, because another client wrote it. A retry
 * cannot succeed: the state must be repaired.
 */
public final class UnreadableValueException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient Inbound input;

    /** Creates an exception with the store, its key and the reason in the message. The cause may be null. */
    public UnreadableValueException(String message, Throwable cause) {
        this(message, cause, null);
    }

    private UnreadableValueException(String message, Throwable cause, Inbound input) {
        super(message, cause);
        this.input = input;
    }

    /** Returns the same failure, of a released patch instead of the record that is being processed. */
    public UnreadableValueException of(Inbound released) {
        return new UnreadableValueException(getMessage(), this, released);
    }

    /** The released patch that cannot be judged; empty if it is the record that is being processed. */
    public Optional<Inbound> input() {
        return Optional.ofNullable(input);
    }
}
