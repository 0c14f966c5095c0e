package dev.parley.diagnosis;

import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocol;
import java.util.List;

/** Recognizes and explains what is nearly a message of one protocol. Implementations are stateless and thread-safe. */
interface NearMisses {
    /** Near misses of a protocol that defines none. */
    NearMisses NONE = new NearMisses() {};

    NearMisses SLIP = new SlipNearMisses();
    NearMisses SUBIT = new SubitNearMisses();
    NearMisses CSP = new CspNearMisses();
    NearMisses LAMBDA = new LambdaNearMisses();
    NearMisses MCP = new McpNearMisses();

    /** The near misses of a protocol. */
    static NearMisses of(WireProtocol<?> protocol) {
        return of(protocol.symbol());
    }

    /** The near misses of the protocol with a symbol. */
    static NearMisses of(Protocol symbol) {
        return switch (symbol) {
            case SLIP -> SLIP;
            case SUBIT -> SUBIT;
            case CSP -> CSP;
            case LAMBDA -> LAMBDA;
            case MCP -> MCP;
            default -> NONE;
        };
    }

    /**
     * Whether bytes that no codec detects are probably an attempt at a message, so that the decode error of this
     * protocol is the most helpful one.
     *
     * @param wire not changed
     * @param from index of the first byte after a byte order mark and white space; less than the length
     */
    default boolean resembles(byte[] wire, int from) {
        return false;
    }

    /**
     * The error of bytes that {@link #resembles} accepts although the codec may accept them, too: their structure is
     * not sufficient evidence of a message. Takes the same parameters.
     *
     * @return null if the codec rejects them
     */
    default Malformed<?> nearMiss(byte[] wire, int from) {
        return null;
    }

    /**
     * The decode error of a text with its cause.
     *
     * @param error the error of the codec
     * @return null if the cause is unknown
     */
    default Malformed<?> cause(byte[] wire, Malformed<?> error) {
        return null;
    }

    /** One text for each near miss that {@link #cause} knows. */
    default List<String> examples() {
        return List.of();
    }

    /**
     * Finds the end of a message inside other text by its own delimiters.
     *
     * @param text any bytes; not changed
     * @param from index where the message must start
     * @return index after its last byte, where decoding may still fail; otherwise {@code -1 - i}, where {@code i} is
     *     the index of the byte that shows that no message starts here
     */
    default int embeddedEnd(byte[] text, int from) {
        return -1 - from;
    }

    /**
     * Reads the names of a message that the codec rejects, from its first {@link ClaimedNames#MAX_BYTES} bytes.
     *
     * @param wire any bytes; not changed
     * @return the names at the places where a message of this protocol has them, unproven and possibly malformed
     */
    default ClaimedNames claimedNames(byte[] wire) {
        return ClaimedNames.NONE;
    }
}
