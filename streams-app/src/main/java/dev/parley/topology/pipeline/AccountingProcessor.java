package dev.parley.topology.pipeline;

import dev.parley.avro.Accounting;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts records of each input partition, in the same transaction as the records themselves, and tells the counts once
 * a second. The store is cached, so its changelog gets one record for each commit, not for each message.
 */
abstract class AccountingProcessor<K, V> extends ContextualProcessor<K, V, String, Accounting> {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final String store;
    private final Map<String, Accounting> told = new HashMap<>();
    private KeyValueStore<String, Accounting> counts;

    AccountingProcessor(String store) {
        this.store = store;
    }

    @Override
    public void init(ProcessorContext<String, Accounting> context) {
        super.init(context);
        counts = context.getStateStore(store);
        // Kafka Streams initializes the same processor again after an aborted transaction: its counts were not
        // published.
        told.clear();
        context.schedule(INTERVAL, PunctuationType.WALL_CLOCK_TIME, this::tell);
    }

    /** The counts of one input partition, to be changed and given to {@link #keep}. */
    final Accounting of(String topic, int partition) {
        Accounting counted = counts.get(topic + "-" + partition);
        return counted != null ? counted : none(topic, partition);
    }

    /** The counts of an input partition of which nothing has come. */
    static Accounting none(String topic, int partition) {
        return new Accounting(topic, partition, 0L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null);
    }

    final KeyValueStore<String, Accounting> counts() {
        return counts;
    }

    final void keep(Accounting counted) {
        counts.put(counted.getTopic() + "-" + counted.getPartition(), counted);
    }

    private void tell(long now) {
        try (KeyValueIterator<String, Accounting> all = counts.all()) {
            while (all.hasNext()) {
                KeyValue<String, Accounting> entry = all.next();
                if (!entry.value.equals(told.put(entry.key, entry.value))) {
                    context()
                            .forward(new Record<>(
                                    entry.key + "@" + store + "-" + context().taskId(), entry.value, now));
                }
            }
        }
    }
}
