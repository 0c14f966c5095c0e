package dev.parley.cli.export;

import dev.parley.log.AuditFault;
import dev.parley.log.FaultCode;
import dev.parley.log.RecordLocation;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.topics.Topic;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;

/** Deserializes the values of records, and reports those that are unreadable. */
public final class RecordValues {
    private RecordValues() {}

    /**
     * Deserializes the value of a record.
     *
     * @param values deserializer of the values
     * @param found takes a fault if the value is unreadable
     * @return the value; empty without one, or if it is unreadable
     */
    public static <T> Optional<T> read(
            Deserializer<T> values, ConsumerRecord<byte[], byte[]> record, Consumer<AuditFault> found) {
        try {
            return Optional.ofNullable(values.deserialize(record.topic(), record.value()));
        } catch (UnreadableRecordException e) {
            found.accept(
                    FaultCode.UNREADABLE.at(location(record), FaultCode.UNREADABLE.meaning() + ": " + e.getMessage()));
            return Optional.empty();
        }
    }

    /** Deserializes the value of a record of a topic, as {@link #read(Deserializer, ConsumerRecord, Consumer)} does. */
    public static <T> Optional<T> read(
            Topic<?, T> topic, ConsumerRecord<byte[], byte[]> record, Consumer<AuditFault> found) {
        return read(topic.values().deserializer(), record, found);
    }

    /** Where a record is. */
    public static RecordLocation location(ConsumerRecord<byte[], byte[]> record) {
        return RecordLocation.of(record.topic() + "-" + record.partition(), record.offset());
    }
}
