package dev.parley.cli.export;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Finds one audit record in the audit topic by reading its chain's partition from the beginning. */
public final class AuditRecordLookup implements AutoCloseable {
    private final TopicNames names;
    private final TopicReader reader;
    private final Topic<String, AuditRecord> audit;

    /**
     * An audit record that was found.
     *
     * @param redaction its redaction that the chain records; empty if there is none
     */
    public record Hit(AuditRecord auditRecord, Optional<Redaction> redaction) {}

    /**
     * Creates a search.
     *
     * @param clients common settings of the Kafka clients
     * @param topics deserializers of the topics
     */
    public AuditRecordLookup(Map<String, Object> clients, Topics topics) {
        this.reader = new TopicReader(clients);
        this.names = topics.names();
        this.audit = topics.audit();
    }

    /**
     * Finds the audit record of a chain with a sequence.
     *
     * @param progress listener for the numbers of records read and in total
     * @return the record; empty if it is missing
     */
    public Optional<Hit> find(String chain, long sequence, BiConsumer<Long, Long> progress) {
        List<TopicPartition> partitions = reader.partitions(List.of(audit.name()));
        if (partitions.isEmpty()) {
            return Optional.empty();
        }
        List<TopicPartition> own =
                List.of(new TopicPartition(audit.name(), ChainPartitioner.partition(chain, partitions.size())));
        Map<TopicPartition, Long> from = reader.begins(own);
        Map<TopicPartition, Long> to = reader.ends(own);
        byte[] key = chain.getBytes(StandardCharsets.UTF_8);
        long total = to.get(own.get(0)) - from.get(own.get(0));
        List<AuditRecord> found = new ArrayList<>();
        RecordedRedactions redactions = new RecordedRedactions(names);
        reader.read(from, to, record -> {
            progress.accept(record.offset() - from.get(own.get(0)), total);
            compare(record, key, sequence, found, redactions);
        });
        return found.stream().findFirst().map(auditRecord -> new Hit(auditRecord, redactions.of(auditRecord)));
    }

    private void compare(
            ConsumerRecord<byte[], byte[]> record,
            byte[] key,
            long sequence,
            List<AuditRecord> found,
            RecordedRedactions redactions) {
        if (record.value() == null || !Arrays.equals(key, record.key())) {
            return;
        }
        AuditRecord auditRecord;
        try {
            auditRecord = audit.read(record.value());
        } catch (UnreadableRecordException e) {
            // parley verify reports the unreadable record; it is not the requested one.
            return;
        }
        if (auditRecord.getSequence() == sequence) {
            found.add(auditRecord);
        }
        redactions.take(auditRecord);
    }

    @Override
    public void close() {
        reader.close();
    }
}
