package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Redrive;
import dev.parley.server.fencing.OwnedPartition;
import dev.parley.server.redrive.RedriveIndex.Entry;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
        return owned.read(offset).flatMap(topic::readOrSkip);
    }

    /** Indexes a record. The key alone forbids another redrive, even if the value is unreadable. */
    private void add(ConsumerRecord<byte[], byte[]> record) {
        Optional<InputPosition> source = InputPosition.parse(TopicReader.key(record));
        if (source.isEmpty()) {
            LOG.warn("Ignored the record at {}@{}: its key is not an input position", topic.name(), record.offset());
            return;
        }
        Optional<Redrive> redrive = topic.readOrSkip(record);
        index.add(new Entry(
                source.get(),
                redrive.flatMap(read -> InputPosition.parse(read.getSent())).orElse(null),
                redrive.map(Redrive::getAttempt).orElse(0),
                record.offset(),
                redrive.map(Redrive::getOperation).orElse("")));
    }

    @Override
    public void close() {
        owned.close();
    }
}
