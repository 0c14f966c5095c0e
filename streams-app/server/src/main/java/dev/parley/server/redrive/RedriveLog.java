package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The redrive topic: an index of its records, and ownership of its partition. Not thread-safe. */
final class RedriveLog implements AutoCloseable {

    /** The partition with all redrives. */
    static final int PARTITION = 0;

    private static final Logger LOG = LoggerFactory.getLogger(RedriveLog.class);

    private final Topic<String, Redrive> topic;
    private final RedriveIndex index = new RedriveIndex();
    private final OwnedPartition owned;

    RedriveLog(Topic<String, Redrive> topic, Map<String, Object> clients, OwnedPartition.Transactions transactions) {
        this.topic = topic;
        this.owned = new OwnedPartition(
                new TopicPartition(topic.name(), PARTITION), clients, transactions, OptionalLong::empty, this::add);
    }

    /** All redrives as of the last call of {@link OwnedPartition#write} or {@link OwnedPartition#refresh}. */
    RedriveIndex index() {
        return index;
    }

    /** The partition, which one instance writes at a time. */
    OwnedPartition partition() {
        return owned;
    }

    /** The record of a redrive; empty if it does not exist or is unreadable. */
    Optional<Redrive> read(long offset) {
        return owned.read(offset).flatMap(this::value);
    }

    /** Indexes a record. The key alone forbids another redrive, even if the value is unreadable. */
    private void add(ConsumerRecord<byte[], byte[]> record) {
        Optional<InputPosition> source = record.key() == null
                ? Optional.empty()
                : InputPosition.parse(new String(record.key(), StandardCharsets.UTF_8));
        if (source.isEmpty()) {
            LOG.warn("Ignored the record at {}@{}: its key is not an input position", topic.name(), record.offset());
            return;
        }
        Optional<Redrive> redrive = value(record);
        index.add(new Entry(
                source.get(),
                redrive.flatMap(read -> InputPosition.parse(read.getSent())).orElse(null),
                redrive.map(Redrive::getAttempt).orElse(0),
                record.offset(),
                redrive.map(Redrive::getOperation).orElse("")));
    }

    private Optional<Redrive> value(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(topic.read(record.value()));
        } catch (KafkaException e) {
            if (OutageClassifier.isOutage(e)) {
                throw e;
            }
            LOG.warn("Cannot read the redrive at {}@{}: {}", topic.name(), record.offset(), e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
