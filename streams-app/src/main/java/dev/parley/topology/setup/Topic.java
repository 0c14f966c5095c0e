package dev.parley.topology.setup;

import dev.parley.serde.UnreadableRecordException;
import java.util.function.BiFunction;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * A topic with the serdes of its keys and values: one thing, never three loose arguments.
 *
 * @param name its name
 * @param keys serde of its keys
 * @param values serde of its values
 */
public record Topic<K, V>(String name, Serde<K> keys, Serde<V> values) {

    /** How a source node of that name reads it. */
    public Consumed<K, V> consumedAs(String node) {
        return Consumed.with(keys, values).withName(node);
    }

    /**
     * The value of a record of this topic, from its bytes.
     *
     * @param value the bytes; null gives null
     * @throws UnreadableRecordException when they are not such a value
     */
    public V read(byte[] value) {
        return values.deserializer().deserialize(name, value);
    }

    /** The bytes of a value of this topic. */
    public byte[] write(V value) {
        return values.serializer().serialize(name, value);
    }

    /** How a sink node of that name writes it. */
    public Produced<K, V> producedAs(String node) {
        return Produced.with(keys, values).withName(node);
    }

    /** The same, each record in the partition that belongs to its chain. */
    public Produced<K, V> producedByChainAs(String node, BiFunction<K, V, String> chain) {
        return producedAs(node)
                .withStreamPartitioner(
                        (topic, key, value, partitions) -> ChainPartitioner.sink(chain.apply(key, value), partitions));
    }
}
