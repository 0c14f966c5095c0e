package dev.parley.topology.views;

import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.topology.setup.DeadLetterHeaders;
import dev.parley.topology.setup.KafkaHeaders;
import dev.parley.topology.setup.Topic;
import dev.parley.topology.setup.Topics;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Dead letters into {@link ViewStores#DEAD_LETTERS}, each under its own place in its stage's topic, so every put may be
 * repeated. One whose record is redacted is kept without its first bytes and its sentence: at once when the redaction
 * is known, else within the time of a sweep.
 */
final class DeadLetterView extends ContextualProcessor<byte[], byte[], Void, Void> {

    private static final int PREVIEW_BYTES = 200;
    private static final byte[] NOTHING = {};

    private static final Map<String, Stage> STAGES = Topics.DEAD_LETTER_STAGES.stream()
            .collect(Collectors.toMap(stage -> Topics.deadLetters(stage).name(), stage -> stage));

    private final long retention;
    private final Topic<String, Redaction> redactions;
    private KeyValueStore<Bytes, byte[]> store;
    private KeyValueStore<Bytes, byte[]> redacted;

    DeadLetterView(Topics topics, ViewRetention retention) {
        this.retention = retention.deadLetters();
        this.redactions = topics.redaction();
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.DEAD_LETTERS);
        redacted = context.getStateStore(ViewStores.REDACTIONS);
        StoreSweeper requests = new StoreSweeper(redacted, ViewKeys.allRedactions());
        StoreSweeper.schedule(context, now -> requests.slice(this::redact));
        if (retention != ViewRetention.FOREVER) {
            StoreSweeper all = new StoreSweeper(store, ViewKeys.deadLetters(Optional.empty(), Optional.empty()));
            StoreSweeper.schedule(context, now -> all.slice((key, value) -> forget(key, value, now)));
        }
    }

    private boolean forget(Bytes key, byte[] value, long now) {
        Optional<DeadLetterSummary> summary = ViewValues.DEAD_LETTER.readOrSkip(value);
        if (summary.isEmpty() || summary.get().getTimestamp().toEpochMilli() < now - retention) {
            store.delete(key);
        }
        return true;
    }

    /** Takes the content from the dead letter that a redaction names, if it is here. */
    private boolean redact(Bytes key, byte[] value) {
        Source source = RegistryRetry.read(redactions, value).getSource();
        byte[] letter = store.get(ViewKeys.deadSource(source.getTopic(), source.getPartition(), source.getOffset()));
        byte[] summary = letter == null || letter.length == 0 ? null : store.get(Bytes.wrap(letter));
        if (summary != null) {
            DeadLetterSummary whole = ViewValues.DEAD_LETTER.decode(summary);
            if (hasContent(whole) && isRedacted(whole)) {
                store.put(Bytes.wrap(letter), ViewValues.DEAD_LETTER.encode(withoutContent(whole)));
            }
        }
        return true;
    }

    private static boolean hasContent(DeadLetterSummary summary) {
        return summary.getPreview().hasRemaining() || summary.getDetail() != null;
    }

    private boolean isRedacted(DeadLetterSummary summary) {
        if (summary.getSourceTopic() == null
                || summary.getSourcePartition() == null
                || summary.getSourceOffset() == null) {
            return false;
        }
        Bytes prefix = ViewKeys.redactionsOf(
                summary.getSourceTopic(), summary.getSourcePartition(), summary.getSourceOffset(), summary.getSha256());
        try (KeyValueIterator<Bytes, byte[]> found = redacted.range(prefix, ViewKeys.after(prefix))) {
            return found.hasNext();
        }
    }

    private static DeadLetterSummary withoutContent(DeadLetterSummary summary) {
        summary.setDetail(null);
        summary.setPreview(ByteBuffer.allocate(0));
        return summary;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata place = context().recordMetadata().orElseThrow();
        DeadLetterSummary summary = summary(record, place);
        Bytes key = ViewKeys.deadLetter(summary.getStage(), summary.getCode(), place.partition(), place.offset());
        store.put(key, ViewValues.DEAD_LETTER.encode(isRedacted(summary) ? withoutContent(summary) : summary));
        if (summary.getSourceTopic() != null
                && summary.getSourcePartition() != null
                && summary.getSourceOffset() != null) {
            store.put(
                    ViewKeys.deadSource(
                            summary.getSourceTopic(), summary.getSourcePartition(), summary.getSourceOffset()),
                    key.get());
        }
    }

    private DeadLetterSummary summary(Record<byte[], byte[]> record, RecordMetadata place) {
        Headers headers = record.headers();
        boolean omitted = record.value() == null && DeadLetterHeaders.isOmitted(headers);
        byte[] value = record.value() == null ? NOTHING : record.value();
        String code = KafkaHeaders.text(headers, DeadLetterHeaders.CODE);
        Long position = number(headers, DeadLetterHeaders.OFFSET);
        Long attempt = number(headers, DeadLetterHeaders.ATTEMPT);
        Long sourcePartition = number(headers, DeadLetterHeaders.PARTITION);
        return DeadLetterSummary.newBuilder()
                .setStage(STAGES.get(place.topic()))
                .setCode(code == null ? "" : code)
                .setDetail(KafkaHeaders.text(headers, DeadLetterHeaders.MESSAGE))
                .setException(KafkaHeaders.text(headers, DeadLetterHeaders.EXCEPTION))
                .setPosition(position == null ? null : position.intValue())
                .setProtocol(protocol(KafkaHeaders.text(headers, DeadLetterHeaders.PROTOCOL)))
                .setConversation(KafkaHeaders.text(headers, DeadLetterHeaders.CONVERSATION))
                .setAttempt(attempt == null ? null : attempt.intValue())
                .setSourceTopic(KafkaHeaders.text(headers, DeadLetterHeaders.TOPIC))
                .setSourcePartition(sourcePartition == null ? null : sourcePartition.intValue())
                .setSourceOffset(number(headers, DeadLetterHeaders.SOURCE_OFFSET))
                .setTopic(place.topic())
                .setPartition(place.partition())
                .setOffset(place.offset())
                .setTimestamp(Instant.ofEpochMilli(record.timestamp()))
                .setValueSize(omitted ? omittedSize(headers) : sizeOf(record.value()))
                .setSha256(ByteBuffer.wrap(
                        omitted
                                ? DeadLetterHeaders.omittedSha256(headers).orElseGet(() -> sha256(value))
                                : sha256(value)))
                .setPreview(omitted ? preview(headers.lastHeader(DeadLetterHeaders.OMITTED_PREFIX)) : preview(value))
                .build();
    }

    private static Integer sizeOf(byte[] value) {
        return value == null ? null : value.length;
    }

    private static Integer omittedSize(Headers headers) {
        OptionalLong size = DeadLetterHeaders.omittedSize(headers);
        return size.isPresent() ? (Integer) (int) size.getAsLong() : null;
    }

    private static ByteBuffer preview(Header prefix) {
        return preview(prefix == null || prefix.value() == null ? NOTHING : prefix.value());
    }

    private static ByteBuffer preview(byte[] value) {
        return ByteBuffer.wrap(value, 0, Math.min(value.length, PREVIEW_BYTES));
    }

    private static Long number(Headers headers, String name) {
        OptionalLong number = DeadLetterHeaders.number(headers, name);
        return number.isPresent() ? (Long) number.getAsLong() : null;
    }

    private static Protocol protocol(String name) {
        for (Protocol protocol : Protocol.values()) {
            if (protocol.name().equals(name)) {
                return protocol;
            }
        }
        return Protocol.UNKNOWN;
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
