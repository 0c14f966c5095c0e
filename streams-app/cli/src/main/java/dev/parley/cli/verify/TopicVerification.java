package dev.parley.cli.verify;

import dev.parley.audit.AuditFault;
import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainVerifier.Extent;
import dev.parley.audit.FaultCode;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.InputOffsets;
import dev.parley.audit.InputPartition;
import dev.parley.audit.PublishedHeads;
import dev.parley.audit.RecordLocation;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.cli.export.ProgressListener;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Verifies the audit trail in the topics: every chain, every published chain head, and that every input record is in
 * one chain once. Ignores records that arrive while it runs.
 */
public final class TopicVerification implements AutoCloseable {
    private final TopicReader reader;
    private final List<String> sources;
    private final AvroSerdes serdes;
    private final Topics topics;
    private final String applicationId;
    private final ProgressListener progressListener;
    private final Set<String> truncated = new HashSet<>();
    private final AuditTrailVerifier trail;
    private final HeadSignatureVerifier keys;
    private long faults;

    /**
     * Creates a verification.
     *
     * @param clients common settings of the Kafka clients
     * @param names names of the topics
     * @param serdes deserializers of the values
     * @param sources all topics that the pipeline reads
     * @param applicationId application ID of the pipeline, whose committed offsets show the messages in flight
     * @param keys the public keys of trusted head signers
     * @param progressListener listener for faults and progress
     */
    public TopicVerification(
            Map<String, Object> clients,
            TopicNames names,
            AvroSerdes serdes,
            List<String> sources,
            String applicationId,
            HeadSignatureVerifier keys,
            ProgressListener progressListener) {
        this.keys = keys;
        this.sources = List.copyOf(sources);
        this.reader = new TopicReader(clients);
        this.serdes = serdes;
        this.topics = new Topics(names, serdes);
        this.applicationId = applicationId;
        this.progressListener = progressListener;
        this.trail = new AuditTrailVerifier(
                new Extent() {
                    @Override
                    public boolean mayBeginLate(RecordLocation recordLocation) {
                        return recordLocation.equals(RecordLocation.NONE)
                                ? !truncated.isEmpty()
                                : truncated.contains(recordLocation.in());
                    }

                    @Override
                    public boolean mayEndEarly() {
                        return false;
                    }
                },
                keys);
    }

    /**
     * Verifies the records that exist at its start.
     *
     * @param since stored manifests that the trail must continue
     */
    public VerificationSummary run(StoredManifests since) {
        // First the pipeline's offsets, then manifests, heads and chains: each later read contains all that the earlier
        // ones refer to.
        Map<TopicPartition, Long> committed = reader.committed(applicationId);
        since.entries().forEach(stored -> report(trail.stored(stored.manifest(), stored.location())));
        readManifests();
        readHeads();
        List<TopicPartition> audit = reader.partitions(List.of(topics.names().audit()));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        Map<TopicPartition, Long> ends = reader.ends(audit);
        begins.forEach((partition, begin) -> {
            if (begin > 0) {
                truncated.add(partition.toString());
            }
        });
        Map<TopicPartition, Long> oldest = new HashMap<>();
        Names names = new Names();
        reader.read(begins, ends, progressListener::progress, record -> {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            oldest.putIfAbsent(partition, record.timestamp());
            auditRecord(record, names.of(record));
        });
        report(trail.finish());
        compareRedactions(begins, ends);
        long expiredBefore = oldest.entrySet().stream()
                .filter(entry -> truncated.contains(entry.getKey().toString()))
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(Long.MIN_VALUE);
        VerificationSummary.Unrecorded unrecorded = new InputCompletenessCheck(
                        reader, topics.names(), serdes, sources, applicationId, committed, this::report)
                .run(trail.inputs(), trail.deleted(), expiredBefore);
        return VerificationSummary.of(trail, unrecorded, faults);
    }

    /** Reads the chains with redactions again, and reports the redactions that name none of their records. */
    private void compareRedactions(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
        Redactions redactions = trail.chains().redactions();
        if (!redactions.hasUnlocated()) {
            return;
        }
        Set<String> chains = redactions.unlocatedChains();
        reader.read(begins, ends, record -> {
            if (record.value() != null && chains.contains(TopicReader.key(record))) {
                try {
                    redactions.locate(topics.audit().read(record.value()));
                } catch (RuntimeException e) {
                    if (OutageClassifier.isOutage(e)) {
                        throw e;
                    }
                    // Already reported in the first pass.
                }
            }
        });
        report(trail.chains().unfounded());
    }

    private void readHeads() {
        PublishedHeads heads = new PublishedHeads(!keys.isEmpty());
        Names names = new Names();
        reader.readAll(topics.names().auditHead(), record -> {
            RecordLocation recordLocation = RecordLocation.of(names.of(record), record.offset());
            if (record.value() == null) {
                report(heads.removed(TopicReader.key(record), recordLocation));
            } else {
                read(topics.auditHead(), record.value(), recordLocation)
                        .ifPresent(head -> report(heads.take(TopicReader.key(record), head, recordLocation)));
            }
        });
        heads.forEach((head, recordLocation) -> report(trail.head(head, recordLocation)));
    }

    private void readManifests() {
        Names names = new Names();
        reader.readAll(topics.names().auditManifest(), record -> {
            RecordLocation recordLocation = RecordLocation.of(names.of(record), record.offset());
            if (record.value() == null) {
                report(AuditFault.withoutChain(FaultCode.UNREADABLE, recordLocation, "the record has no value"));
            } else {
                read(topics.auditManifest(), record.value(), recordLocation)
                        .ifPresent(manifest -> report(trail.manifest(manifest, recordLocation)));
            }
        });
    }

    private void auditRecord(ConsumerRecord<byte[], byte[]> record, String partition) {
        RecordLocation recordLocation = RecordLocation.of(partition, record.offset());
        Optional<AuditRecord> auditRecord =
                record.value() == null ? Optional.empty() : read(topics.audit(), record.value(), recordLocation);
        if (auditRecord.isPresent()) {
            if (!auditRecord.get().getChain().equals(TopicReader.key(record))) {
                report(AuditFault.of(FaultCode.KEY_CHANGED, recordLocation, auditRecord.get()));
            }
            report(trail.record(auditRecord.get(), recordLocation));
        } else if (record.value() == null) {
            report(AuditFault.withoutChain(FaultCode.UNREADABLE, recordLocation, "the record has no value"));
        }
    }

    private <T> Optional<T> read(Topic<String, T> topic, byte[] value, RecordLocation recordLocation) {
        try {
            return Optional.of(topic.read(value));
        } catch (RuntimeException e) {
            if (OutageClassifier.isOutage(e)) {
                throw e;
            }
            report(AuditFault.withoutChain(
                    FaultCode.UNREADABLE, recordLocation, FaultCode.UNREADABLE.meaning() + ": " + e.getMessage()));
            return Optional.empty();
        }
    }

    private void report(List<AuditFault> some) {
        some.forEach(this::report);
    }

    private void report(AuditFault auditFault) {
        faults += auditFault.code().isNotice() ? 0 : 1;
        progressListener.found(auditFault);
    }

    static InputPartition inputPartition(TopicPartition partition) {
        return new InputPartition(partition.topic(), partition.partition());
    }

    static InputOffsets offsets(Map<InputPartition, InputOffsets> all, TopicPartition partition) {
        return all.getOrDefault(inputPartition(partition), new InputOffsets());
    }

    @Override
    public void close() {
        reader.close();
    }

    /** Interned names of partitions. */
    private static final class Names {
        private final Map<Integer, String> names = new HashMap<>();

        String of(ConsumerRecord<byte[], byte[]> record) {
            return names.computeIfAbsent(record.partition(), partition -> record.topic() + "-" + partition);
        }
    }
}
