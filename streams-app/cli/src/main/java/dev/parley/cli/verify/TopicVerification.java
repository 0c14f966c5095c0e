package dev.parley.cli.verify;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.cli.export.LogRecords;
import dev.parley.cli.export.OmittedSubtrees;
import dev.parley.cli.export.RecordValues;
import dev.parley.log.AuditFault;
import dev.parley.log.AuditTrailVerifier;
import dev.parley.log.CheckedRecord;
import dev.parley.log.FaultCode;
import dev.parley.log.InputOffsets;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.LogVerifier;
import dev.parley.log.RecordLocation;
import dev.parley.log.RecordVerifier;
import dev.parley.log.RedactionVerifier;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.verify.StoredHeads;
import dev.parley.log.verify.VerificationSummary;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Verifies the audit trail in the topics: every chain, every log with all its published heads, and that inputs and
 * audit records correspond. Ignores records that arrive while it runs.
 */
public final class TopicVerification implements AutoCloseable {
    /** Age from which a head must cover a record, and clock difference up to which a later time is not forged. */
    static final Duration COVERED_AFTER = Duration.ofMinutes(10);

    private final TopicReader reader;
    private final Topics topics;
    private final ProgressListener progressListener;
    private final InstantSource clock;
    private final boolean cosigned;
    private final AuditTrailVerifier trail;
    private final InputCheck inputs;
    private final RecordVerifier alone = new RecordVerifier();
    private final Map<Integer, Long> lastOld = new HashMap<>();
    private Map<TopicPartition, Long> begins = Map.of();
    private Map<TopicPartition, Long> ends = Map.of();
    private long faults;

    /**
     * Creates a verification.
     *
     * @param clients common settings of the Kafka clients
     * @param names names of the topics
     * @param serdes deserializers of the values
     * @param pipeline pipeline that recorded the inputs
     * @param notes reader of notes, with the trusted keys
     * @param clock tells which records are so new that no head needs to cover them
     * @param progressListener listener for faults and progress
     */
    public TopicVerification(
            Map<String, Object> clients,
            TopicNames names,
            AvroSerdes serdes,
            AuditedPipeline pipeline,
            LogNoteReader notes,
            InstantSource clock,
            ProgressListener progressListener) {
        this.reader = new TopicReader(clients);
        this.topics = new Topics(names, serdes);
        this.progressListener = progressListener;
        this.clock = clock;
        this.cosigned = notes.policy().quorum() > 0;
        this.trail = new AuditTrailVerifier(notes);
        this.inputs = new InputCheck(reader, names, serdes, pipeline, this::report);
    }

    /**
     * Verifies the records that exist at its start.
     *
     * @param since stored heads that the trail must continue
     * @param expired stored heads before which records may be missing
     * @param states comparison with the states that a running deployment returns; empty: they are not compared
     * @throws IllegalStateException if the audit topic does not exist
     */
    public VerificationSummary run(StoredHeads since, StoredHeads expired, Optional<StateComparison> states) {
        reader.require(List.of(topics.names().audit()));
        // First the pipeline's offsets, then heads and records: each read contains all to which earlier ones refer.
        inputs.begin();
        since.heads().forEach((location, head) -> report(trail.logs().stored(head, location)));
        expired.heads().forEach((location, head) -> report(trail.logs().accept(head, location)));
        if (cosigned) {
            readCosigned();
        }
        readNotes();
        List<TopicPartition> audit = reader.partitions(List.of(topics.names().audit()));
        begins = reader.begins(audit);
        ends = reader.ends(audit);
        boolean truncated = begins.values().stream().anyMatch(begin -> begin > 0);
        if (truncated) {
            readOmitted();
        }
        long now = clock.millis();
        Map<TopicPartition, Long> oldest = new HashMap<>();
        reader.read(begins, ends, progressListener::progress, record -> {
            oldest.putIfAbsent(new TopicPartition(record.topic(), record.partition()), record.timestamp());
            auditRecord(record, now);
        });
        Map<Integer, Long> uncovered = uncovered();
        report(trail.finish(true, uncovered));
        compareRedactions();
        long expiredBefore = oldest.entrySet().stream()
                .filter(entry -> begins.get(entry.getKey()) > 0)
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(truncated ? Long.MAX_VALUE : Long.MIN_VALUE);
        long omitted = trail.logs().coverage().stream()
                .mapToLong(LogVerifier.Coverage::omitted)
                .sum();
        VerificationSummary.Unrecorded unrecorded =
                inputs.run(trail.inputs(), trail.deleted(), omitted, expiredBefore, this::readAgain);
        states.ifPresent(check -> check.run(reader, topics.audit(), begins, ends, this::report));
        long uncoveredRecords =
                uncovered.values().stream().mapToLong(Long::longValue).sum();
        return VerificationSummary.of(trail, unrecorded, inputs.compared(), uncoveredRecords, faults);
    }

    /** The last records of each log, if they are too new to need a head that covers them. */
    private Map<Integer, Long> uncovered() {
        Map<Integer, Long> uncovered = new HashMap<>();
        for (LogVerifier.Coverage log : trail.logs().coverage()) {
            long since = Math.max(log.covered(), lastOld.getOrDefault(log.partition(), -1L) + 1);
            uncovered.put(log.partition(), Math.max(0, log.size() - since));
        }
        return uncovered;
    }

    private void readNotes() {
        reader.readReferring(topics.names().auditHead(), LogNotes.statementKey(), record -> {
            RecordLocation recordLocation = RecordValues.location(record);
            if (record.value() == null) {
                report(FaultCode.HEAD_REMOVED.at(recordLocation, FaultCode.HEAD_REMOVED.meaning()));
            } else {
                RecordValues.read(topics.auditHead(), record, this::report)
                        .ifPresent(note -> report(trail.note(note, recordLocation)));
            }
        });
    }

    /** Adds the cosigned heads, which the published ones must equal. */
    private void readCosigned() {
        reader.readAll(topics.names().auditCosignature(), record -> {
            RecordValues.read(topics.auditCosignature(), record, this::report)
                    .ifPresent(note -> report(trail.logs().cosigned(note, RecordValues.location(record))));
        });
    }

    /** Adds the hashes of records that the audit topic has lost. */
    private void readOmitted() {
        LogRecords present = new LogRecords();
        // By log, for each partition of the audit topic that has lost records.
        Map<Integer, Map<Integer, Long>> oldest = new HashMap<>();
        reader.read(begins, ends, record -> {
            quietly(record).map(AuditRecord::getLog).ifPresent(position -> {
                present.add(position);
                if (begins.get(new TopicPartition(record.topic(), record.partition())) > 0) {
                    oldest.computeIfAbsent(position.getPartition(), log -> new HashMap<>())
                            .merge(record.partition(), position.getIndex(), Math::min);
                }
            });
        });
        long truncated = begins.values().stream().filter(begin -> begin > 0).count();
        Map<Integer, SortedSet<Long>> sizes = new TreeMap<>();
        for (LogVerifier.Coverage log : trail.logs().coverage()) {
            sizes.put(log.partition(), new TreeSet<>(List.of(log.stated(), log.size())));
            Map<Integer, Long> remaining = oldest.getOrDefault(log.partition(), Map.of());
            if (remaining.size() == truncated) {
                // A partition loses its oldest records first.
                trail.logs().limitExpired(log.partition(), Collections.max(remaining.values()));
            }
        }
        OmittedSubtrees.read(sizes, present, reader, topics.auditTile(), this::report)
                .forEach(subtree -> report(trail.logs().omitted(subtree, RecordLocation.NONE)));
    }

    /** Reads the chains with redactions again, and reports the redactions that name none of their records. */
    private void compareRedactions() {
        RedactionVerifier redactions = trail.chains().redactions();
        if (!redactions.hasUnlocated()) {
            return;
        }
        Set<String> chains = redactions.unlocatedChains();
        reader.read(begins, ends, record -> {
            if (chains.contains(TopicReader.key(record))) {
                quietly(record).ifPresent(redactions::locate);
            }
        });
        report(trail.chains().unfounded());
    }

    private void readAgain(BiConsumer<CheckedRecord, RecordLocation> each) {
        reader.read(begins, ends, record -> {
            quietly(record)
                    .ifPresent(auditRecord -> each.accept(alone.check(auditRecord), RecordValues.location(record)));
        });
    }

    /**
     * Whether a record is so new that no head needs to cover it. Its time is that of its input, which the brokers set;
     * only a patch may have been parked, and has the time of its release.
     */
    private boolean isYoung(CheckedRecord checked, long recorded, long now) {
        boolean patch = CheckpointKey.isChain(checked.chain());
        long time = patch ? recorded : checked.time();
        long since = now - COVERED_AFTER.toMillis();
        return time >= since
                && time <= now + COVERED_AFTER.toMillis()
                && (patch || checked.auditRecord().getUnread() != null || !inputs.hasExpired(checked.input()));
    }

    private void auditRecord(ConsumerRecord<byte[], byte[]> record, long now) {
        RecordLocation recordLocation = RecordValues.location(record);
        Optional<AuditRecord> auditRecord = RecordValues.read(topics.audit(), record, this::report);
        if (auditRecord.isPresent()) {
            if (!auditRecord.get().getChain().equals(TopicReader.key(record))) {
                report(AuditFault.of(FaultCode.KEY_CHANGED, recordLocation, auditRecord.get()));
            }
            CheckedRecord checked = alone.check(auditRecord.get());
            if (!isYoung(checked, record.timestamp(), now)) {
                lastOld.merge(checked.log().getPartition(), checked.log().getIndex(), Math::max);
            }
            if (isFirst(checked.input())) {
                inputs.add(checked);
            }
            report(trail.record(checked, recordLocation, true));
        } else if (record.value() == null) {
            report(FaultCode.UNREADABLE.at(recordLocation, "the record has no value"));
        }
    }

    private boolean isFirst(InputPosition input) {
        InputOffsets recorded = trail.inputs().get(input.inputPartition());
        return recorded == null || InputOffsets.isPossible(input.offset()) && !recorded.has(input.offset());
    }

    /** Reads an audit record again whose faults the main pass reports. */
    private Optional<AuditRecord> quietly(ConsumerRecord<byte[], byte[]> record) {
        return RecordValues.read(topics.audit(), record, fault -> {});
    }

    private void report(List<AuditFault> some) {
        some.forEach(this::report);
    }

    private void report(AuditFault auditFault) {
        faults += auditFault.code().isNotice() ? 0 : 1;
        progressListener.found(auditFault);
    }

    @Override
    public void close() {
        reader.close();
    }
}
