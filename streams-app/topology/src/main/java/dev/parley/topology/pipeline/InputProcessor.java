package dev.parley.topology.pipeline;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.decode.CloudEvent;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.ProducerTime;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.stage.OversizedRecords;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.KafkaHeaders;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.TopicSetup;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The first stage: counts an input record, skips it if it was read before, unwraps it if it is a CloudEvent, and keys
 * it by its chain. It forwards the original record instead of the decoded message: decoding again after the
 * repartition costs less than sending the larger decoded form. An undecodable record is keyed by the chain of its input
 * partition. Of an oversized record, only a summary is forwarded.
 */
final class InputProcessor extends ContextualProcessor<byte[], byte[], String, Inbound> {
    private static final Limits REDACTION_LIMITS = new Limits(TopicSetup.REDACTION_BYTES, 1, 1, 1);

    private final PipelineSettings settings;
    private final Limits limits;
    private final Function<WireRecord, Decoded> decoder;
    private InputPositionTracker positions;
    private int logs;

    /**
     * The chain of a record, or why it is undecodable.
     *
     * @param chain null if it is undecodable
     */
    private record Decoded(String chain, RecordDecodeResult.Undecodable error) {}

    private InputProcessor(PipelineSettings settings, Limits limits, Function<WireRecord, Decoded> decoder) {
        this.settings = settings;
        this.limits = limits;
        this.decoder = decoder;
    }

    /** Keys messages by their conversations. */
    static InputProcessor ofMessages(PipelineSettings settings) {
        RecordRouter router = new RecordRouter(settings);
        return new InputProcessor(
                settings,
                settings.stages().decode().limits(),
                wire -> router.route(wire)
                        .map(
                                message -> new Decoded(message.conversation().toString(), null),
                                error -> new Decoded(null, error)));
    }

    /** Validates redaction requests, and keys them by the chains that they name. */
    static InputProcessor ofRedactions(PipelineSettings settings, Topic<String, Redaction> topic) {
        RedactionReader reader = new RedactionReader(topic);
        return new InputProcessor(
                settings,
                REDACTION_LIMITS,
                wire -> RecordBounds.isExceeded(wire, REDACTION_LIMITS)
                        ? undecodable(
                                "its value, key or headers must have at most " + TopicSetup.REDACTION_BYTES + " bytes")
                        : UnreadableValues.isRefused(wire.headers().last(RecordMac.HEADER))
                                ? undecodable("its code (" + RecordMac.HEADER
                                        + ") is missing or invalid; redact by the API or parley redact, with a key of "
                                        + AuditKeys.INTERNAL_KEY_FILES)
                                : reader.read(
                                        wire.key(),
                                        wire.value(),
                                        redaction -> new Decoded(redaction.getChain(), null),
                                        error -> new Decoded(null, error)));
    }

    private static Decoded undecodable(String detail) {
        return new Decoded(null, RedactionReader.malformed(detail));
    }

    @Override
    public void init(ProcessorContext<String, Inbound> context) {
        super.init(context);
        positions = new InputPositionTracker(context.getStateStore(PipelineStores.INPUTS), settings.sources());
        logs = settings.logPartitions(context.applicationId());
    }

    @Override
    public void process(Record<byte[], byte[]> input) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        InputPositionTracker.Arrival arrival =
                positions.track(metadata.topic(), metadata.partition(), metadata.offset());
        if (arrival.isReread()) {
            positions.save(OptionalInt.empty());
            return;
        }
        Record<String, Inbound> keyed = null;
        try {
            Record<byte[], byte[]> record = unwrapped(input, limits);
            dev.parley.codec.RecordHeaders headers = KafkaHeaders.view(record.headers());
            Source source = new Source(
                    metadata.topic(),
                    metadata.partition(),
                    metadata.offset(),
                    Instant.ofEpochMilli(record.timestamp()),
                    ProducerTime.of(headers));
            if (arrival.unread() > 0) {
                forwardExpired(record, source, arrival);
            }
            WireRecord wire = new WireRecord(source, record.key(), record.value(), headers);
            Decoded decoded = decoder.apply(wire);
            keyed = decoded.error() == null
                    ? keyed(record, wire, decoded.chain())
                    : undecodable(record, wire, decoded.error());
        } finally {
            // A record that fails has a count, because its position is stored, but no log.
            positions.save(keyed == null ? OptionalInt.empty() : OptionalInt.of(logOf(keyed.key())));
        }
        context().forward(keyed);
    }

    /** Returns the partition of the audit log that will have the audit record of a chain. */
    private int logOf(String chain) {
        return settings.keyedByConversation()
                ? context().taskId().partition()
                : ChainPartitioner.partition(chain, logs);
    }

    /**
     * Replaces a CloudEvent by its data, as HTTP does, so that equal messages are equal in either form. An event with
     * an error remains as it is.
     */
    static Record<byte[], byte[]> unwrapped(Record<byte[], byte[]> record, Limits limits) {
        CloudEvent event = CloudEvent.of(record.value(), KafkaHeaders.view(record.headers()), limits);
        return event == null || event.error() != null
                ? record
                : record.withValue(event.value()).withHeaders(KafkaHeaders.of(event, record.headers()));
    }

    /** Keys a decodable record by its chain. */
    private static Record<String, Inbound> keyed(Record<byte[], byte[]> record, WireRecord wire, String chain) {
        Inbound inbound = new Inbound(
                wire.source(), ByteBuffers.wrap(wire.key()), ByteBuffers.wrap(wire.value()), List.of(), null, null);
        return new Record<>(chain, inbound, record.timestamp(), record.headers());
    }

    /** Keys an undecodable record by the chain of its input partition. */
    private Record<String, Inbound> undecodable(
            Record<byte[], byte[]> record, WireRecord wire, RecordDecodeResult.Undecodable error) {
        Headers headers = RecordBounds.areHeadersAllowed(wire.headers()) ? record.headers() : new RecordHeaders();
        Inbound inbound = OversizedRecords.undecodable(wire, List.of(), limits, error);
        return new Record<>(chainOf(wire.source()), inbound, record.timestamp(), headers);
    }

    /** Forwards one input that stands for all records that were deleted unread, in the chain of their partition. */
    private void forwardExpired(Record<byte[], byte[]> record, Source next, InputPositionTracker.Arrival arrival) {
        Source first =
                new Source(next.getTopic(), next.getPartition(), arrival.firstUnread(), next.getTimestamp(), null);
        InboundFault expired = new InboundFault(
                Code.INPUT_EXPIRED.name(),
                null,
                0,
                "offsets " + arrival.firstUnread() + " to " + (arrival.firstUnread() + arrival.unread() - 1)
                        + " were deleted before they were read: at most " + arrival.unread() + " records",
                arrival.unread(),
                List.of());
        Inbound inbound = new Inbound(first, null, null, List.of(), expired, null);
        context().forward(new Record<>(chainOf(first), inbound, record.timestamp()));
    }

    static String chainOf(Source source) {
        return ConversationKey.ofPartition(source.getTopic(), source.getPartition())
                .toString();
    }
}
