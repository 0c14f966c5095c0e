package dev.parley.codec;

import dev.parley.avro.Protocol;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * Reads and writes one wire protocol. Implementations hold no state and may be used by any number of threads.
 *
 * <p>For every message that decodes, {@code encode(decode(wire))} is byte-equal to canonical input, and for other input decodes to an equal
 * message again. What the canonical form leaves out is the one exception: see the codec of Λ. It may be longer than the
 * input, and so beyond a limit that the input just meets.
 *
 * @param <M> the generated record of the protocol
 */
public interface WireCodec<M extends SpecificRecord> {

    /** The protocol that this codec reads and writes; EXTENSION for one without a symbol of its own. */
    Protocol protocol();

    /**
     * Whether a message that starts with these bytes is probably one of this protocol. Costs a look at the first bytes.
     *
     * @param wire a message; not changed
     * @param from index of its first byte after a byte order mark and white space; less than the length
     * @return false for a codec whose messages only a header or topic identifies
     */
    default boolean detects(byte[] wire, int from) {
        return false;
    }

    /**
     * Decodes one message. Total: any bytes give a result; nothing is thrown for bad input.
     *
     * @param wire the exact bytes of one message; not kept and not changed
     * @param options strictness and limits, the limits being checked before memory is taken
     * @return the message with its warnings and violations, or the fault with its byte offset into {@code wire}
     */
    DecodeResult<M> decode(byte[] wire, DecodeOptions options);

    /**
     * The canonical form of a message.
     *
     * @param message a message as {@link #decode} or a builder makes it; for a record of another origin, {@link #encodeChecked} finds what is wrong with it
     * @return its bytes, UTF-8
     * @throws IllegalArgumentException when the record holds what the protocol cannot say, naming the field
     */
    byte[] encode(M message);

    /**
     * The canonical form of a record of any origin. No bytes come out that say something else than the record, but for what the canonical form leaves out.
     *
     * @param message any record
     * @return its bytes, UTF-8
     * @throws IllegalArgumentException when the record lacks what its schema demands, or holds what the protocol cannot say, naming the field
     */
    default byte[] encodeChecked(M message) {
        Complete.require(message);
        return encode(message);
    }

    /**
     * Proves a record that was made rather than decoded: it can be written, is read under the options without a violation, and reads the same.
     * Costs one {@link #encode} and one {@link #decode}. The builders end with it. Less is asked by {@link #encodeChecked}, which writes messages with violations as well.
     *
     * @param message the record
     * @param options the strictness and limits of its readers
     * @return an equal record that shares nothing with it
     * @throws IllegalArgumentException when the proof fails, naming the field, or the code and what it means
     */
    default M verify(M message, DecodeOptions options) {
        Complete.require(message);
        DecodeResult<M> result = decode(encode(message), options);
        if (result instanceof DecodeResult.Malformed<M> fault) {
            throw new IllegalArgumentException(fault.code() + ": " + fault.detail());
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        if (!decoded.violations().isEmpty()) {
            Code violation = decoded.violations().get(0);
            throw new IllegalArgumentException(violation + ": " + violation.meaning());
        }
        if (!decoded.message().equals(message)) {
            throw new IllegalArgumentException("The record reads back as another one: " + decoded.message());
        }
        return decoded.message();
    }

    /**
     * What the message says about itself, in the terms that all protocols share.
     *
     * @param message a message as {@link #decode} makes it
     */
    Traits traits(M message);

    /**
     * Passes the identifiers that {@link #traits} does not contain to a check, each with its kind. They are bounded
     * like those of the traits, because they become parts of keys, headers and details.
     *
     * @param message a message as {@link #decode} makes it
     * @param check takes kind and identifier, which may be null
     */
    default void identifiers(M message, BiConsumer<String, String> check) {}

    /**
     * Whether the message says that it is private, so that its content is masked for callers without the right to see
     * it.
     */
    default boolean isPrivate(M message) {
        return false;
    }
}
