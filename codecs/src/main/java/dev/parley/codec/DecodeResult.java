package dev.parley.codec;

import java.util.List;

/**
 * What came of decoding one message.
 *
 * @param <M> the generated record of the protocol
 */
public sealed interface DecodeResult<M> {

    /**
     * The bytes are a message.
     *
     * @param message the decoded message
     * @param warnings codes of its departures from form, each once, in the order they were found
     * @param violations codes of what makes it illegal wherever it stands, each once, in the order they were found; a judge rejects it by the
     *     first
     */
    record Decoded<M>(M message, List<Code> warnings, List<Code> violations) implements DecodeResult<M> {}

    /**
     * The bytes are not a message of the protocol.
     *
     * @param code the first fault
     * @param offset its 0-based byte offset into the input; the input's length for what is missing
     * @param detail a sentence that a person can act on
     */
    record Malformed<M>(Code code, int offset, String detail) implements DecodeResult<M> {}
}
