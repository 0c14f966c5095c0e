package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Redaction;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.DeadLetterSummaries;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Stores summaries of dead letters in {@link ViewStores#DEAD_LETTERS}, keyed by their position in the topic of their
 * stage, so every put may be repeated. The summary of a redacted record has no first bytes, detail or claims: at once
 * if the redaction is known, else after the next sweep.
 */
final class DeadLetterView extends ContextualProcessor<byte[], byte[], Void, Void> {

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
        StoreSweeper redactionSweeper = new StoreSweeper(redacted, ViewKeys.allRedactions());
        StoreSweeper.schedule(context, now -> redactionSweeper.slice(this::redact));
        if (retention != ViewRetention.FOREVER) {
            StoreSweeper deadLetters =
                    new StoreSweeper(store, ViewKeys.deadLetters(Optional.empty(), Optional.empty()));
            StoreSweeper.schedule(context, now -> deadLetters.slice((key, value) -> prune(key, value, now)));
        }
    }

    private boolean prune(Bytes key, byte[] value, long now) {
        Optional<DeadLetterSummary> summary = ViewValues.DEAD_LETTER.readOrSkip(value);
        if (summary.isEmpty() || summary.get().getTimestamp().toEpochMilli() < now - retention) {
            store.delete(key);
            summary.ifPresent(pruned -> store.delete(ViewKeys.deadLetterTime(pruned)));
        }
        return true;
    }

    /** Removes the content of the dead letter that a redaction names, if this partition has it. */
    private boolean redact(Bytes key, byte[] value) {
        InputPosition position =
                InputPosition.of(RegistryRetry.read(redactions, value).getSource());
        byte[] deadLetter = store.get(ViewKeys.deadLetterSource(position));
        byte[] summary = deadLetter == null ? null : store.get(Bytes.wrap(deadLetter));
        if (summary != null) {
            DeadLetterSummary decoded = ViewValues.DEAD_LETTER.decode(summary);
            if (hasContent(decoded) && isRedacted(decoded)) {
                store.put(Bytes.wrap(deadLetter), ViewValues.DEAD_LETTER.encode(withoutContent(decoded)));
            }
        }
        return true;
    }

    private static boolean hasContent(DeadLetterSummary summary) {
        return summary.getPreview().hasRemaining()
                || summary.getDetail() != null
                || summary.getSender() != null
                || DeadLetterSummaries.isClaimed(summary) && summary.getNamespace() != null;
    }

    private boolean isRedacted(DeadLetterSummary summary) {
        return DeadLetterSummaries.inputPosition(summary)
                .filter(position -> StoreSweeper.hasAny(redacted, ViewKeys.redactionsAt(position)))
                .isPresent();
    }

    private static DeadLetterSummary withoutContent(DeadLetterSummary summary) {
        summary.setDetail(null);
        summary.setPreview(ByteBuffer.allocate(0));
        // Namespace and conversation of a message name its chain, and stay.
        summary.setSender(null);
        return DeadLetterSummaries.isClaimed(summary) ? DeadLetterSummaries.withoutNames(summary) : summary;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        DeadLetterSummary summary = DeadLetterSummaries.of(
                metadata.topic(),
                metadata.partition(),
                metadata.offset(),
                record.timestamp(),
                record.headers(),
                record.value());
        Bytes key = ViewKeys.deadLetter(summary.getStage(), summary.getCode(), metadata.partition(), metadata.offset());
        store.put(key, ViewValues.DEAD_LETTER.encode(isRedacted(summary) ? withoutContent(summary) : summary));
        store.put(ViewKeys.deadLetterTime(summary), key.get());
        DeadLetterSummaries.inputPosition(summary)
                .ifPresent(position -> store.put(ViewKeys.deadLetterSource(position), key.get()));
    }
}
