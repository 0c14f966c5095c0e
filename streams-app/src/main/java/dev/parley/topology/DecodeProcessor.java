package dev.parley.topology;

import dev.parley.audit.RedactionFields;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Omitted;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Limits;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.ProducerTime;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.WireRecord;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.InputPolicy;
import dev.parley.pipeline.Judging;
import dev.parley.pipeline.Omissions;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Finds the conversation of an input record, which becomes its key. What travels on is the original record, not the decoded message: decoding again
 * after the hop costs less than the bytes of the decoded form would. A record that does not decode is keyed to the chain of its source partition; of one that is larger than a message may be, only a
 * summary travels on.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], String, Inbound> {
    /** Maximum length of what a deserializer says of a record, in characters. */
    private static final int MAX_DETAIL = 500;

    private static final String OVERSIZED_REDACTION =
            "its value, key or headers are larger than a redaction's, which has at most " + TopicSetup.REDACTION_BYTES
                    + " bytes";
    private static final Limits REDACTION_LIMITS = new Limits(TopicSetup.REDACTION_BYTES, 1, 1, 1);

    private final MessageDecoder decoder;
    private final Limits limits;
    private final boolean keyed;
    private final Optional<InputPolicy> policy;
    private final Topic<String, Redaction> redactions;
    private final SourceTopics sources;
    private InputPositions positions;

    DecodeProcessor(PipelineSettings settings, Topic<String, Redaction> redactions) {
        this.redactions = redactions;
        this.sources = settings.sources();
        this.limits = settings.decodeOptions().limits();
        this.decoder = settings.decoder();
        this.keyed = settings.keyedByConversation();
        this.policy = settings.inputs().policy();
    }

    @Override
    public void init(ProcessorContext<String, Inbound> context) {
        super.init(context);
        positions = new InputPositions(context.getStateStore(Stores.INPUTS), sources);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        InputPositions.Arrival arrival = positions.arrive(metadata.topic(), metadata.partition(), metadata.offset());
        if (arrival.isReread()) {
            return;
        }
        Source source = new Source(
                metadata.topic(),
                metadata.partition(),
                metadata.offset(),
                Instant.ofEpochMilli(record.timestamp()),
                ProducerTime.of(KafkaHeaders.reading(record.headers())));
        if (arrival.unread() > 0) {
            expired(record, source, arrival);
        }
        WireRecord wire = new WireRecord(source, record.key(), record.value(), KafkaHeaders.reading(record.headers()));
        if (metadata.topic().equals(Topics.REDACTION)) {
            Omitted omitted = Omissions.of(wire, REDACTION_LIMITS);
            forward(record, wire, omitted == null ? redaction(record) : noRedaction(OVERSIZED_REDACTION), omitted);
            return;
        }
        forward(record, wire, decode(wire), Omissions.of(wire, limits));
    }

    /** Records that were deleted unread get one audit record, in the chain of their partition. */
    private void expired(Record<byte[], byte[]> record, Source next, InputPositions.Arrival arrival) {
        Source first =
                new Source(next.getTopic(), next.getPartition(), arrival.firstUnread(), next.getTimestamp(), null);
        InboundFault fault = new InboundFault(
                Code.INPUT_EXPIRED.name(),
                Protocol.UNKNOWN,
                "",
                0,
                "the offsets " + arrival.firstUnread() + " to " + (arrival.firstUnread() + arrival.unread() - 1)
                        + " were deleted before they were read: at most " + arrival.unread() + " records",
                arrival.unread());
        Inbound inbound = new Inbound(first, null, null, List.of(), fault, null, null);
        String chain = ConversationKey.ofPartition(first.getTopic(), first.getPartition())
                .toString();
        context().forward(new Record<>(chain, inbound, record.timestamp()));
    }

    private Decoding decode(WireRecord record) {
        Decoding decoding = decoder.decode(record);
        if (!(decoding instanceof Decoding.Message message)) {
            return decoding;
        }
        if (keyed && !isKeyedBy(record.key(), Judging.keyOf(message, record.source()))) {
            return notKeyed(message, record.value().length);
        }
        Optional<String> refusal = policy.flatMap(rules -> rules.refusal(message.message()));
        return refusal.isEmpty() ? decoding : notAllowed(message, refusal.get());
    }

    private void forward(Record<byte[], byte[]> record, WireRecord wire, Decoding decoding, Omitted omitted) {
        if (omitted != null) {
            Headers headers = RecordBounds.areHeadersAllowed(wire.headers()) ? record.headers() : new RecordHeaders();
            Inbound inbound = Omissions.inbound(wire, List.of(), omitted, (Decoding.Undecodable) decoding);
            context()
                    .forward(record.withKey(
                                    Judging.keyOf(decoding, wire.source()).toString())
                            .withValue(inbound)
                            .withHeaders(headers));
            return;
        }
        Redaction redaction = decoding instanceof Decoding.Redacting redacting ? redacting.redaction() : null;
        InboundFault fault = decoding instanceof Decoding.Undecodable undecodable ? Omissions.fault(undecodable) : null;
        Inbound inbound = new Inbound(
                wire.source(), Bytes.wrap(record.key()), Bytes.wrap(record.value()), List.of(), fault, redaction, null);
        String key = redaction != null
                ? redaction.getChain()
                : Judging.keyOf(decoding, wire.source()).toString();
        context().forward(record.withKey(key).withValue(inbound));
    }

    private Decoding redaction(Record<byte[], byte[]> record) {
        String fault = "it has no value";
        if (record.value() != null) {
            try {
                Redaction redaction = redactions.read(record.value());
                Optional<String> bad = RedactionFields.check(redaction);
                if (bad.isEmpty() && RedactionFields.isKeyed(record.key(), redaction)) {
                    return new Decoding.Redacting(redaction);
                }
                fault = bad.orElse("its key is not the chain that it names");
            } catch (SerializationException e) {
                if (Outages.isOutage(e)) {
                    throw e;
                }
                fault = Excerpt.of(String.valueOf(e.getMessage()), MAX_DETAIL);
            }
        }
        return noRedaction(fault);
    }

    private static Decoding noRedaction(String fault) {
        return new Decoding.Undecodable(
                Protocol.UNKNOWN, "", Code.REDACTION_MALFORMED, 0, "the record is no redaction: " + fault);
    }

    private static boolean isKeyedBy(byte[] key, ConversationKey conversation) {
        return key != null
                && (Arrays.equals(key, conversation.conversation().getBytes(StandardCharsets.UTF_8))
                        || Arrays.equals(key, conversation.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static Decoding notAllowed(Decoding.Message decoded, String refusal) {
        return new Decoding.Undecodable(
                decoded.message().getProtocol(), decoded.message().getNamespace(), Code.INPUT_NOT_ALLOWED, 0, refusal);
    }

    private static Decoding notKeyed(Decoding.Message decoded, int length) {
        return new Decoding.Undecodable(
                decoded.message().getProtocol(),
                decoded.message().getNamespace(),
                Code.KEY_NOT_CONVERSATION,
                length,
                "the record key is not '" + decoded.message().getConversation()
                        + "'; key the input by conversation, or unset input.keyed-by-conversation");
    }
}
