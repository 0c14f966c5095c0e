package dev.parley.topology.pipeline;

import dev.parley.checkpoint.SortedStore;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** Adapts a key-value store of Kafka Streams for the checkpoints. */
record KafkaSortedStore<V>(KeyValueStore<String, V> store) implements SortedStore<V> {
    private static final StringSerializer PREFIXES = new StringSerializer();

    @Override
    public Optional<V> get(String key) {
        return Optional.ofNullable(store.get(key));
    }

    @Override
    public void put(String key, V value) {
        store.put(key, value);
    }

    @Override
    public void delete(String key) {
        store.delete(key);
    }

    @Override
    public void scan(String prefix, BiPredicate<String, V> visitor) {
        try (KeyValueIterator<String, V> found = store.prefixScan(prefix, PREFIXES)) {
            while (found.hasNext()) {
                KeyValue<String, V> entry = found.next();
                if (!visitor.test(entry.key, entry.value)) {
                    return;
                }
            }
        }
    }
}
