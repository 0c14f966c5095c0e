package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import java.util.List;

/** What came of decoding one record. */
public sealed interface Decoding {

    /**
     * The record is a message.
     *
     * @param message the message in its envelope
     * @param warnings codes of its departures from form, each once, in the order found
     * @param violations codes of what makes it illegal wherever it stands
     */
    record Message(AgentMessage message, List<Code> warnings, List<Code> violations) implements Decoding {}

    /**
     * The record is no message.
     *
     * @param protocol as which it was read; UNKNOWN when none was found, or the record was refused before one was
     *     looked for
     * @param namespace the namespace that its header names; {@code default} when a header is at fault
     * @param code the fault
     * @param position 0-based byte offset into the value
     * @param detail a sentence that a person can act on
     */
    record Undecodable(Protocol protocol, String namespace, Code code, int position, String detail)
            implements Decoding {
        /** Bounds the detail. */
        public Undecodable {
            detail = Excerpt.detail(detail);
        }
    }

    /**
     * The record is no message of an agent, but Parley's own: a payload is to be redacted. Nothing that reads the wire
     * makes one.
     *
     * @param redaction which, why, and who asked for it
     */
    record Redacting(Redaction redaction) implements Decoding {}
}
