package dev.parley.topology.topics;

import dev.parley.serde.UnreadableRecordException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.Schema;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.kstream.Produced;

/**
 * A topic with the serdes of its keys and values.
 *
 * @param schema schema of Avro values; empty for other values
 */
public record Topic<K, V>(String name, Serde<K> keys, Serde<V> values, Optional<Schema> schema) {

    /**
     * Deserializes a value of this topic; null remains null.
     *
     * @throws UnreadableRecordException if the bytes are not a value of this topic
     */
    public V read(byte[] value) {
        return values.deserializer().deserialize(name, value);
    }

    public byte[] write(V value) {
        return values.serializer().serialize(name, value);
    }

    /** Returns the arguments of a sink node that writes the topic. */
    public Produced<K, V> producedAs(String node) {
        return Produced.with(keys, values).withName(node);
    }

    /** Returns the arguments of a sink node that writes each record to the partition of its chain. */
    public Produced<K, V> producedByChainAs(String node, BiFunction<K, V, String> chain) {
        return producedAs(node)
                .withStreamPartitioner(
                        (topic, key, value, partitions) -> ChainPartitioner.sink(chain.apply(key, value), partitions));
    }
}
