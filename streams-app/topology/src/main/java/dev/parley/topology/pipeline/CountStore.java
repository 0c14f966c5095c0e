package dev.parley.topology.pipeline;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The counts of a task per input partition, in memory, over the store that keeps them. Only one writer of a store may
 * count an input partition. Each start of a task creates a new one.
 */
final class CountStore {
    private final KafkaSortedStore<Accounting> store;
    private final Map<InputPartition, Entry> entries = new HashMap<>();
    private Entry last;

    CountStore(KeyValueStore<String, Accounting> store) {
        this.store = new KafkaSortedStore<>(store);
    }

    /**
     * The counts of one input partition.
     *
     * @param key key in the store
     * @param counts to be changed and saved
     */
    record Entry(String key, Accounting counts) {
        private boolean isOf(String topic, int partition) {
            return counts.getPartition() == partition && counts.getTopic().equals(topic);
        }
    }

    /** Returns the counts of an input partition, 0 at the beginning. */
    Entry get(String topic, int partition) {
        if (last == null || !last.isOf(topic, partition)) {
            last = entries.computeIfAbsent(new InputPartition(topic, partition), this::load);
        }
        return last;
    }

    /** Stores changed counts. */
    void save(Entry entry) {
        store.put(entry.key, entry.counts);
    }

    private Entry load(InputPartition input) {
        String key = input.toString();
        // Without a count, the accounting differs from the trail, but every record gets its verdict.
        return new Entry(key, store.getReadable(key).orElseGet(() -> zero(input)));
    }

    /** Counts of an input partition without records. */
    static Accounting zero(InputPartition input) {
        return Accounting.newBuilder()
                .setTopic(input.topic())
                .setPartition(input.partition())
                .build();
    }
}
