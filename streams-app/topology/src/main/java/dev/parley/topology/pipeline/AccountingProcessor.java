package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import dev.parley.topology.kafka.SliceScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Publishes counts of records per input partition within a second after a record, and all of them
 * every five minutes. {@link InputPositionTracker} counts
 * the inputs, because decode needs the position: the left side of the accounting. {@link OutcomeCountProcessor} adds
 * the right side. The store is cached, so its changelog gets one record per commit instead of one per message.
 */
class AccountingProcessor<K, V> extends ContextualProcessor<K, V, String, Accounting> {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Another client may have overwritten the published counts. */
    private static final Duration REPETITION = Duration.ofMinutes(5);

    private final String store;
    private final Map<String, Accounting> published = new HashMap<>();

    private KafkaSortedStore<Accounting> counts;
    private SliceScheduler publishing;

    AccountingProcessor(String store) {
        this.store = store;
    }

    @Override
    public void init(ProcessorContext<String, Accounting> context) {
        super.init(context);
        counts = new KafkaSortedStore<>(context.getStateStore(store));
        // Kafka Streams may initialize the same object again after an aborted transaction, which published nothing.
        published.clear();
        publishing = new SliceScheduler(context, INTERVAL, this::publish);
        publishing.start();
        new SliceScheduler(context, REPETITION, this::repeat).start();
    }

    final KeyValueStore<String, Accounting> counts() {
        return counts.store();
    }

    @Override
    public void process(Record<K, V> record) {
        publishing.start();
    }

    private boolean repeat(long now) {
        published.clear();
        publishing.start();
        return true;
    }

    private boolean publish(long now) {
        counts.scanFrom(null, (input, counted) -> {
            if (!counted.equals(published.put(input, counted))) {
                context()
                        .forward(new Record<>(
                                input + "@" + store + "-" + context().taskId(), counted, now));
            }
            return true;
        });
        return false;
    }
}
