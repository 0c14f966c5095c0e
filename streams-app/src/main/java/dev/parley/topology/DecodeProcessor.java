package dev.parley.topology;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundFault;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.Decoding;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireRecord;
import dev.parley.pipeline.Bytes;
import dev.parley.pipeline.Judging;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Finds the conversation of an input record, which becomes its key. What travels on is the original record, not the decoded message: decoding again
 * after the hop costs less than the bytes of the decoded form would. A record that does not decode is keyed to the chain of its source partition.
 */
final class DecodeProcessor extends ContextualProcessor<byte[], byte[], String, Inbound> {
    private final MessageDecoder decoder;
    private final boolean keyed;
    private final Topic<String, Redaction> redactions;
    private final SourceTopics sources;
    private InputPositions positions;

    DecodeProcessor(PipelineSettings settings, Topic<String, Redaction> redactions) {
        this.redactions = redactions;
        this.sources = settings.sources();
        this.decoder = settings.decoder();
        this.keyed = settings.keyedByConversation();
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
                metadata.topic(), metadata.partition(), metadata.offset(), Instant.ofEpochMilli(record.timestamp()));
        if (arrival.unread() > 0) {
            expired(record, source, arrival);
        }
        if (metadata.topic().equals(Topics.REDACTION)) {
            forward(record, source, redaction(record));
            return;
        }
        Decoding decoding = decoder.decode(
                new WireRecord(source, record.key(), record.value(), KafkaHeaders.reading(record.headers())));
        if (keyed
                && decoding instanceof Decoding.Message message
                && !isKeyedBy(record.key(), Judging.keyOf(message, source))) {
            decoding = notKeyed(message, record.value().length);
        }
        forward(record, source, decoding);
    }

    /** Records that were deleted unread get one audit record, in the chain of their partition. */
    private void expired(Record<byte[], byte[]> record, Source next, InputPositions.Arrival arrival) {
        Source first = new Source(next.getTopic(), next.getPartition(), arrival.firstUnread(), next.getTimestamp());
        InboundFault fault = new InboundFault(
                Code.INPUT_EXPIRED.name(),
                Protocol.UNKNOWN,
                "",
                0,
                "the offsets " + arrival.firstUnread() + " to " + (arrival.firstUnread() + arrival.unread() - 1)
                        + " were deleted before they were read: at most " + arrival.unread() + " records",
                arrival.unread());
        Inbound inbound = new Inbound(first, null, null, List.of(), fault, null);
        String chain = ConversationKey.ofPartition(first.getTopic(), first.getPartition())
                .toString();
        context().forward(new Record<>(chain, inbound, record.timestamp()));
    }

    private void forward(Record<byte[], byte[]> record, Source source, Decoding decoding) {
        Redaction redaction = decoding instanceof Decoding.Redacting redacting ? redacting.redaction() : null;
        Inbound inbound = new Inbound(
                source, Bytes.wrap(record.key()), Bytes.wrap(record.value()), List.of(), fault(decoding), redaction);
        String key = redaction != null
                ? redaction.getChain()
                : Judging.keyOf(decoding, source).toString();
        context().forward(record.withKey(key).withValue(inbound));
    }

    private Decoding redaction(Record<byte[], byte[]> record) {
        String fault = "it has no value";
        if (record.value() != null) {
            try {
                Redaction redaction = redactions.read(record.value());
                if (RedactionView.isKeyed(record.key(), redaction)) {
                    return new Decoding.Redacting(redaction);
                }
                fault = "its key is not the chain that it names";
            } catch (SerializationException e) {
                if (InternalDeadLetters.isOutage(e)) {
                    throw e;
                }
                fault = e.getMessage();
            }
        }
        return new Decoding.Undecodable(
                Protocol.UNKNOWN, "", Code.REDACTION_MALFORMED, 0, "the record is no redaction: " + fault);
    }

    private static boolean isKeyedBy(byte[] key, ConversationKey conversation) {
        return key != null
                && (Arrays.equals(key, conversation.conversation().getBytes(StandardCharsets.UTF_8))
                        || Arrays.equals(key, conversation.toString().getBytes(StandardCharsets.UTF_8)));
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

    private static InboundFault fault(Decoding decoding) {
        if (decoding instanceof Decoding.Undecodable fault) {
            return new InboundFault(
                    fault.code().name(), fault.protocol(), fault.namespace(), fault.position(), fault.detail(), null);
        }
        return null;
    }
}
