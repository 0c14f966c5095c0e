package dev.parley.codec;

import dev.parley.avro.Protocol;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * Reads and writes one wire protocol. Implementations are stateless and thread-safe.
 *
 * <p>For a canonical message, {@code encode(decode(wire))} returns the same bytes. For any other message, the result
 * decodes to an equal message, except for what the canonical form omits (see the codec of Λ). The result may be longer
 * than the input and exceed a limit that the input just meets.
 *
 * @param <M> the generated record of the protocol
 */
public interface WireCodec<M extends SpecificRecord> {

    /** The protocol that this codec reads and writes; EXTENSION for one without a symbol of its own. */
    Protocol protocol();

    /**
     * Whether the bytes have the structure and vocabulary of this protocol. Reads each byte a constant number of times.
     *
     * @param wire a message; not changed
     * @param from index of its first byte after a byte order mark and white space; less than the length
     * @return false for a codec whose messages only a header or topic identifies
     */
    default boolean detects(byte[] wire, int from) {
        return false;
    }

    /**
     * Decodes one message. Returns a result for any bytes; never throws for invalid input.
     *
     * @param wire the exact bytes of one message; neither kept nor changed
     * @param options strictness and limits; limits are enforced before memory is allocated
     * @return the message with its warnings and violations, or the decode error with its byte offset in {@code wire}
     */
    DecodeResult<M> decode(byte[] wire, DecodeOptions options);

    /**
     * Decodes one message with the headers of its record. The default is for protocols that need no headers.
     *
     * @param wire the exact bytes of one message; empty for a record without a value
     * @param headers the headers of the record, within their bounds
     * @param options strictness and limits
     * @return the message, or the decode error; BAD_HEADER, at offset 0, if a header has an invalid value
     */
    default DecodeResult<M> decode(byte[] wire, RecordHeaders headers, DecodeOptions options) {
        return decode(wire, options);
    }

    /** Whether the headers of a record make it a message although it has no value or an empty one. */
    default boolean isMessageWithoutBody(RecordHeaders headers) {
        return false;
    }

    /** Returns the headers with which {@link #decode} reads the message from its bytes: values by name. */
    default Map<String, String> headers(M message) {
        return Map.of();
    }

    /**
     * Decodes bytes that {@link #detects} accepts. Returns the result of {@link #decode}, perhaps without looking for
     * evidence again.
     */
    default DecodeResult<M> decodeDetected(byte[] wire, RecordHeaders headers, DecodeOptions options) {
        return decode(wire, headers, options);
    }

    /**
     * Encodes a message in canonical form.
     *
     * @param message a message from {@link #decode} or a builder; use {@link #encodeChecked} for any other record
     * @return its bytes, UTF-8
     * @throws IllegalArgumentException if the protocol cannot represent the record; names the field
     */
    byte[] encode(M message);

    /**
     * Encodes any record in canonical form. The bytes never mean something other than the record, except for what the
     * canonical form omits.
     *
     * @param message any record
     * @return its bytes, UTF-8
     * @throws IllegalArgumentException if the record violates its schema or the protocol cannot represent it; names the
     *     field
     */
    default byte[] encodeChecked(M message) {
        RequiredFieldCheck.require(message);
        return encode(message);
    }

    /**
     * Verifies a constructed record: it can be encoded, decodes under the options without a violation, and decodes to
     * an equal record. Costs one {@link #encode} and one {@link #decode}. All builders end with it.
     * {@link #encodeChecked} requires less: it also writes messages with violations.
     *
     * @param message the record
     * @param options strictness and limits of its readers
     * @return an equal record that shares no data with it
     * @throws IllegalArgumentException if a check fails; names the field, or the code with its meaning
     */
    default M verify(M message, DecodeOptions options) {
        RequiredFieldCheck.require(message);
        DecodeResult<M> result = decode(encode(message), RecordHeaders.ofText(headers(message)), options);
        if (result instanceof DecodeResult.Malformed<M> error) {
            throw new IllegalArgumentException(error.code() + ": " + error.detail());
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        if (!decoded.violations().isEmpty()) {
            Code violation = decoded.violations().get(0);
            throw new IllegalArgumentException(violation + ": " + violation.meaning());
        }
        if (!decoded.message().equals(message)) {
            throw new IllegalArgumentException("The record decodes to a different message: " + decoded.message());
        }
        return decoded.message();
    }

    /**
     * Properties of the message that all protocols share.
     *
     * @param message a message from {@link #decode}
     */
    Traits traits(M message);

    /**
     * Passes the identifiers that {@link #traits} does not contain to a check, each with its kind. They are bounded
     * like those of the traits, because they become parts of keys, headers and details.
     *
     * @param message a message from {@link #decode}
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

    /** Whether messages of this protocol can say that they are private; see {@link #isPrivate}. */
    default boolean marksPrivate() {
        return false;
    }

    /** Whether messages of this protocol are JSON, in which single values can be masked. */
    default boolean isJson() {
        return false;
    }

    /** Names of the fields of a message that a caller without the right to see its content sees. */
    default Set<String> publicFields() {
        return Set.of();
    }
}
