package dev.parley.decode;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import java.util.List;
import java.util.function.Function;

/** Result of decoding one record. */
public sealed interface RecordDecodeResult {

    /**
     * The record is a message.
     *
     * @param message the message in its envelope
     * @param warnings codes of accepted deviations, each once, in the order of detection
     * @param violations codes that make the message illegal in every dialogue state
     */
    record Message(AgentMessage message, List<Code> warnings, List<Code> violations) implements RecordDecodeResult {}

    /**
     * The record is not a message.
     *
     * @param protocol the attempted protocol; UNKNOWN if none was detected, or the record was refused before detection
     * @param namespace the namespace in its header; {@code default} if a header is invalid
     * @param code the decode error
     * @param position 0-based byte offset in the value
     * @param detail a sentence for the author of the message
     */
    record Undecodable(Protocol protocol, String namespace, Code code, int position, String detail)
            implements RecordDecodeResult, RecordRoute {
        /** Truncates the detail. */
        public Undecodable {
            detail = Excerpt.detail(detail);
        }

        /** The chain of the undecodable records of the input partition. */
        @Override
        public ConversationKey chain(Source source) {
            return ConversationKey.ofPartition(source.getTopic(), source.getPartition());
        }

        @Override
        public <R> R map(Function<RoutedMessage, R> whenMessage, Function<Undecodable, R> whenUndecodable) {
            return whenUndecodable.apply(this);
        }
    }
}
