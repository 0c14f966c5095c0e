package dev.parley.decode;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;

/**
 * Decides whether a value is one message alone, and explains one that is not. The methods of this interface return the
 * plain result of detection and codec; the module {@code diagnosis} searches for several or wrapped messages and for
 * the cause of an error. For any number of threads.
 */
public interface Diagnosis {
    /** Reports plain errors. Accepts a value that holds more than one message if the codec does. */
    Diagnosis NONE = new Diagnosis() {};

    /**
     * The protocol of which bytes are probably an attempt, so that its decode error is the most helpful one.
     *
     * @param value bytes that no codec detects; not changed
     * @return null if they resemble no message
     */
    default WireProtocol<?> attempted(byte[] value) {
        return null;
    }

    /**
     * The reason why a value is not one message.
     *
     * @param value not changed
     * @param protocol the protocol whose codec read it; null if none was named, detected or {@link #attempted}
     * @param named whether a header, the topic or an option names the protocol, and not the bytes alone
     * @param hasSender whether a header names the sender
     * @param result the result of the codec; null without a protocol
     * @return null if the value is one message
     */
    default DecodeFailure failure(
            byte[] value, WireProtocol<?> protocol, boolean named, boolean hasSender, DecodeResult<?> result) {
        if (protocol == null) {
            return new DecodeFailure(
                    null, Code.UNKNOWN_PROTOCOL, 0, "the bytes have the structure of no protocol; send one message");
        }
        return result instanceof DecodeResult.Malformed<?> error
                ? new DecodeFailure(protocol, error.code(), error.offset(), error.detail())
                : null;
    }

    /**
     * The names that a value claims although it is not a message, unproven and possibly malformed.
     *
     * @param protocol the attempted protocol
     * @param value not changed
     */
    default ClaimedNames claimedNames(WireProtocol<?> protocol, byte[] value) {
        return ClaimedNames.NONE;
    }

    /** A sentence about a text that Λ can read, but that has not the structure of a message. */
    default String doubt(byte[] value) {
        return "The value has no structure of Λ, such as !Ik/co.";
    }
}
