package dev.parley.cli.export;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.log.export.RecordedRedactions;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Finds one audit record in the audit topic by reading its chain's partition from the beginning. */
public final class AuditRecordLookup {
    private AuditRecordLookup() {}

    /**
     * An audit record that was found.
     *
     * @param redaction its redaction that the chain records; empty if there is none
     */
    public record Hit(AuditRecord auditRecord, Optional<Redaction> redaction) {}

    /**
     * Finds the audit record of a chain with a sequence.
     *
     * @param clients common settings of the Kafka clients
     * @param audit deserializer of the audit topic
     * @param progress takes the numbers of records read and in total
     * @return the record; empty if it is missing
     * @throws IllegalStateException if the topic does not exist
     */
    public static Optional<Hit> find(
            Map<String, Object> clients,
            Topic<String, AuditRecord> audit,
            String chain,
            long sequence,
            TopicReader.Progress progress) {
        List<AuditRecord> found = new ArrayList<>();
        RecordedRedactions redactions = new RecordedRedactions();
        try (TopicReader reader = new TopicReader(clients)) {
            List<TopicPartition> partitions = reader.require(List.of(audit.name()));
            List<TopicPartition> own =
                    List.of(new TopicPartition(audit.name(), ChainPartitioner.partition(chain, partitions.size())));
            reader.read(reader.begins(own), reader.ends(own), progress, record -> {
                if (chain.equals(TopicReader.key(record))) {
                    // parley verify reports an unreadable record; it is not the requested one.
                    RecordValues.read(audit, record, fault -> {}).ifPresent(auditRecord -> {
                        if (auditRecord.getSequence() == sequence) {
                            found.add(auditRecord);
                        }
                        redactions.add(auditRecord);
                    });
                }
            });
        }
        return found.stream()
                .findFirst()
                .map(auditRecord ->
                        new Hit(auditRecord, redactions.of(auditRecord).map(RecordedRedactions.Recorded::redaction)));
    }
}
