package dev.parley.topology.pipeline;

import dev.parley.avro.Inbound;
import dev.parley.avro.Redaction;
import dev.parley.codec.Limits;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.WireRecord;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import org.apache.kafka.streams.processor.api.Record;

/** Validates redaction requests and keys them by their chain. */
final class RedactionDecodeProcessor extends InputProcessor {
    private static final Limits LIMITS = new Limits(TopicSetup.REDACTION_BYTES, 1, 1, 1);

    private final RedactionReader reader;

    RedactionDecodeProcessor(PipelineSettings settings, Topic<String, Redaction> redactions) {
        super(settings.sources(), LIMITS);
        this.reader = new RedactionReader(redactions);
    }

    @Override
    Record<String, Inbound> decode(Record<byte[], byte[]> record, WireRecord wire) {
        if (RecordBounds.isExceeded(wire, LIMITS)) {
            return undecodable(
                    record,
                    wire,
                    RedactionReader.malformed(
                            "its value, key or headers must have at most " + TopicSetup.REDACTION_BYTES + " bytes"));
        }
        return reader.read(
                wire.key(),
                wire.value(),
                redaction -> keyed(record, wire, redaction.getChain()),
                error -> undecodable(record, wire, error));
    }
}
