package dev.parley.server.witness;

import dev.parley.avro.AuditHead;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic of cosigned heads: one thread writes and reads it, so that every instance has the last cosigned head of
 * each log. Records without enough valid cosignatures are ignored.
 */
final class KafkaCosignatures implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaCosignatures.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Maximum bytes of a record: a note with 64 signatures. */
    static final int RECORD_BYTES = 1 << 20;

    private static final long BUFFER_BYTES = 8L << 20;

    private final Topic<String, AuditHead> topic;
    private final Map<String, Object> clients;
    private final WitnessPolicy policy;
    private final String deployment;
    private final Map<Integer, AuditHead> heads = new ConcurrentHashMap<>();
    private Producer<byte[], byte[]> producer;
    private TopicReader reader;
    private long next;

    /**
     * Creates the topic's clients, which connect later.
     *
     * @param clients settings of all Kafka clients
     * @param policy cosignatures that a head must have
     * @param deployment origin of the deployment
     */
    KafkaCosignatures(
            Topic<String, AuditHead> topic, Map<String, Object> clients, WitnessPolicy policy, String deployment) {
        this.topic = topic;
        this.clients = Map.copyOf(clients);
        this.policy = policy;
        this.deployment = deployment;
    }

    Optional<AuditHead> head(int partition) {
        return Optional.ofNullable(heads.get(partition));
    }

    /**
     * Writes a cosigned head, and waits until all replicas have it.
     *
     * @throws KafkaException if it was not acknowledged in time
     */
    void write(AuditHead head) {
        try {
            producer()
                    .send(new ProducerRecord<>(
                            topic.name(), head.getOrigin().getBytes(StandardCharsets.UTF_8), topic.write(head)))
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("The cosigned head was not written to " + topic.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Stopped while a cosigned head was written to " + topic.name(), e);
        }
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = new KafkaProducer<>(StreamsSettings.acknowledgedWriter(
                    clients, TIMEOUT, (int) TIMEOUT.toMillis(), RECORD_BYTES, BUFFER_BYTES));
        }
        return producer;
    }

    /** Reads the records that were added since the last call. */
    void refresh() {
        if (reader == null) {
            reader = new TopicReader(clients, TIMEOUT);
        }
        TopicPartition partition = new TopicPartition(topic.name(), 0);
        long end = reader.stableEnds(List.of(partition)).get(partition);
        if (next == 0 || next > end) {
            // At the start, or after the topic was created again.
            next = reader.begins(List.of(partition)).get(partition);
        }
        reader.read(
                Map.of(partition, next),
                Map.of(partition, end),
                record -> topic.readOrSkip(record).ifPresent(this::accept));
        next = end;
    }

    /** Keeps the largest head of a log that has the quorum; the later one of equal ones. */
    void accept(AuditHead head) {
        try {
            SignedNote note = LogNotes.parse(head.getNote());
            TreeHead treeHead = TreeHead.parse(note);
            if (head.getPartition() >= 0
                    && treeHead.origin().equals(LogNotes.originOf(deployment, head.getPartition()))
                    && treeHead.size() == head.getSize()
                    && policy.accepts(note)) {
                heads.merge(
                        head.getPartition(), head, (before, next) -> next.getSize() < before.getSize() ? before : next);
                return;
            }
        } catch (TlogFormatException | IllegalArgumentException e) {
            // Ignored like other heads that prove nothing.
        }
        LOG.warn(
                "{} has a head of {} without valid cosignatures of {}; it is ignored",
                topic.name(),
                head.getOrigin(),
                policy);
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
        if (reader != null) {
            reader.close();
        }
    }
}
