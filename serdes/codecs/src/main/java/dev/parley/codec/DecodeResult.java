package dev.parley.codec;

import java.util.List;

/**
 * Result of decoding one message.
 *
 * @param <M> the generated record of the protocol
 */
public sealed interface DecodeResult<M> {

    /**
     * The bytes are a message.
     *
     * @param warnings codes of accepted deviations, each once, in the order of detection
     * @param violations codes that make the message illegal in every dialogue state, each once, in the order of
     *     detection; the first one decides
     * @param plain whether the decoder knows that no identifier contains a control character, or more bytes than the
     *     message
     */
    record Decoded<M>(M message, List<Code> warnings, List<Code> violations, boolean plain) implements DecodeResult<M> {
        /** The result of a decoder that does not look for control characters. */
        public Decoded(M message, List<Code> warnings, List<Code> violations) {
            this(message, warnings, violations, false);
        }
    }

    /**
     * The bytes are not a message of the protocol.
     *
     * @param code the decode error
     * @param offset 0-based byte offset of the error in the input; the input's length if something is missing
     * @param detail a sentence for the author of the message
     */
    record Malformed<M>(Code code, int offset, String detail) implements DecodeResult<M> {}
}
