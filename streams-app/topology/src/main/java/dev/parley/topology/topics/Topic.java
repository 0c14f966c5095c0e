package dev.parley.topology.topics;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.UnreadableRecordException;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.kstream.Produced;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic with the serdes of its keys and values.
 *
 * @param schema schema of Avro values; empty for other values
 */
public record Topic<K, V>(String name, Serde<K> keys, Serde<V> values, Optional<Schema> schema) {

    private static final Logger LOG = LoggerFactory.getLogger(Topic.class);

    /**
     * Deserializes a value of this topic; null remains null.
     *
     * @throws UnreadableRecordException if the bytes are not a value of this topic
     */
    public V read(byte[] value) {
        return values.deserializer().deserialize(name, value);
    }

    /**
     * Reads the value of a record; empty, with a warning, if the bytes are not a value of this topic, or without one.
     */
    public Optional<V> readOrSkip(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.ofNullable(read(record.value()));
        } catch (SerializationException e) {
            if (RegistryFailures.isUnavailable(e)) {
                throw e;
            }
            LOG.warn(
                    "Skipped the unreadable record at {}-{}@{}: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
            return Optional.empty();
        }
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
