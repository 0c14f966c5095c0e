package dev.parley.cli.export;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.LogPosition;
import dev.parley.avro.OmittedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.AuditFault;
import dev.parley.log.CheckedRecord;
import dev.parley.log.InputOffsets;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.export.ExportTarget;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.export.RecordedRedactions;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Writes a part of the audit trail to a stream for independent verification: the last head of each log, the audit
 * records that it covers, and the hashes of those that are left out. Omits the content of redacted records. Reads the
 * audit topic at least twice. Memory grows with the number of chains, redactions and runs of records left out, and by a
 * few bits per record at most.
 */
public final class TopicExport implements AutoCloseable {
    private final TopicReader reader;
    private final Topics topics;
    private final ProgressListener progressListener;
    private final LogNoteReader notes;
    private final byte[] redactionPrefix;
    private Optional<Instant> end = Optional.empty();

    /**
     * Selection of records to export.
     *
     * @param chain one chain; empty for all
     * @param from minimum time of the input records, inclusive
     * @param to maximum time of the input records, exclusive
     */
    public record Selection(Optional<String> chain, Optional<Instant> from, Optional<Instant> to) {
        public static final Selection EVERYTHING = new Selection(Optional.empty(), Optional.empty(), Optional.empty());

        public Selection {
            // The description of an export has milliseconds: a verifier compares the records with it.
            from = from.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
            to = to.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
        }

        ExportScope scope() {
            if (from.isPresent() || to.isPresent()) {
                return ExportScope.TIME_RANGE;
            }
            return chain.isPresent() ? ExportScope.CHAIN : ExportScope.EVERYTHING;
        }

        /**
         * The selection up to the time at which the logs are complete: the export of a range must prove its end.
         *
         * @throws IllegalStateException if the logs are not complete up to its begin
         */
        private Selection until(Instant complete) {
            if (!from.orElse(Instant.MIN).isBefore(complete)) {
                throw new IllegalStateException("the audit log is complete up to " + complete
                        + " only, which is not after the begin of the range. Repeat the export later.");
            }
            return new Selection(
                    chain, from, to.filter(end -> end.isBefore(complete)).or(() -> Optional.of(complete)));
        }

        private boolean isOf(ConsumerRecord<byte[], byte[]> record) {
            return record.value() != null
                    && (chain.isEmpty() || Arrays.equals(chain.get().getBytes(StandardCharsets.UTF_8), record.key()));
        }

        private boolean has(Instant time) {
            return !time.isBefore(from.orElse(Instant.MIN)) && time.isBefore(to.orElse(Instant.MAX));
        }
    }

    /** What a first pass over the audit topic finds. */
    private static final class Survey {
        private final LogRecords present = new LogRecords();
        private final LogRecords matching = new LogRecords();
        private final LogRecords earlier = new LogRecords();
        private final LogRecords later = new LogRecords();
        private final RecordedRedactions redactions = new RecordedRedactions();
        private AuditRecord last;

        void add(AuditRecord auditRecord, Selection selection, PublishedNotes notes) {
            redactions.add(auditRecord);
            if (!notes.covers(auditRecord.getLog())) {
                return;
            }
            present.add(auditRecord.getLog());
            Instant time = auditRecord.getSource().getTimestamp();
            if (selection.has(time)) {
                matching.add(auditRecord.getLog());
            } else if (auditRecord.getRedaction() == null) {
                // A verifier takes a redaction for the proof of a redacted record.
                if (selection.to().filter(to -> !time.isBefore(to)).isPresent()) {
                    later.add(auditRecord.getLog());
                } else if (CheckedRecord.writtenBy(auditRecord.getChain(), time.toEpochMilli())
                        < selection.from().orElseThrow().toEpochMilli()) {
                    earlier.add(auditRecord.getLog());
                }
            }
            if (last == null || auditRecord.getSequence() > last.getSequence()) {
                last = auditRecord;
            }
        }

        /**
         * The matching records, those between them, and those that prove the edges: from the last record before the
         * time range, or the first of the log, to the first record after it, or the last of the log.
         */
        LogRecords range() {
            LogRecords edges = new LogRecords();
            for (int partition : present.partitions()) {
                InputOffsets all = present.of(partition);
                InputOffsets matches = matching.of(partition);
                long begin = matches.count() > 0
                        ? matches.first()
                        : Math.min(later.of(partition).first(), all.end());
                long end = Math.max(begin, matches.end());
                edges.add(partition, Math.max(all.first(), earlier.of(partition).lastBefore(begin)));
                edges.add(partition, Math.min(all.end() - 1, later.of(partition).nextPresent(end)));
            }
            return present.within(edges);
        }

        /** Whether each log has a record before the time range, or its first one. */
        boolean provesBegin(LogRecords selected, Map<Integer, SortedSet<Long>> sizes) {
            return sizes.entrySet().stream().allMatch(log -> {
                long first = selected.of(log.getKey()).first();
                return log.getValue().last() == 0 || first == 0 || earlier.has(new LogPosition(log.getKey(), first));
            });
        }
    }

    /**
     * Creates an export.
     *
     * @param clients common settings of the Kafka clients
     * @param names names of the topics
     * @param serdes deserializers of the values
     * @param notes reader of the notes that count, with the witnesses that must have cosigned the last heads
     * @param progressListener listener for progress and unreadable records
     */
    public TopicExport(
            Map<String, Object> clients,
            TopicNames names,
            AvroSerdes serdes,
            LogNoteReader notes,
            ProgressListener progressListener) {
        this.notes = notes;
        this.reader = new TopicReader(clients);
        this.redactionPrefix = (names.redaction() + "-").getBytes(StandardCharsets.UTF_8);
        this.topics = new Topics(names, serdes);
        this.progressListener = progressListener;
    }

    /**
     * Exports the records that the heads cover at its start, or all records in a format that proves nothing. A time
     * range of all chains ends at the latest when the logs are complete: see {@link #end}.
     *
     * @param signer signs the end of a chain in the export of one; empty: its end is not proven
     * @param now time of the export
     * @throws IllegalArgumentException if the selection names a chain that does not exist, or the signer is not
     *     one of the deployment; nothing is written
     * @throws IllegalStateException if the audit topic does not exist, or a record is redacted since the last head
     * @throws IOException if the stream cannot be written
     */
    public Exporter.Written run(
            Selection requested, Optional<LogNotes> signer, ExportTarget format, OutputStream out, Instant now)
            throws IOException {
        reader.require(List.of(topics.names().audit()));
        // Notes first, so that every record that a head covers exists.
        PublishedNotes notes = format.isProvable() ? notes() : new PublishedNotes(true, LogNoteReader.ofAll());
        boolean bounded = format.isProvable()
                && requested.scope() == ExportScope.TIME_RANGE
                && requested.chain().isEmpty()
                && !notes.list().isEmpty();
        Selection selection = bounded ? requested.until(notes.completeTo().orElse(Instant.EPOCH)) : requested;
        end = selection.to();
        List<TopicPartition> audit = reader.partitions(List.of(topics.names().audit()));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        Map<TopicPartition, Long> ends = reader.ends(audit);
        boolean whole = selection.scope() == ExportScope.EVERYTHING
                && begins.values().stream().allMatch(begin -> begin == 0);
        Map<TopicPartition, Long> from = selection
                .from()
                .filter(time -> selection.chain().isEmpty())
                .map(time -> reader.at(audit, time.minus(TopicReader.MAX_SKEW).toEpochMilli()))
                .orElse(begins);
        Survey survey = survey(from, ends, selection, notes, whole);
        LogRecords selected = selected(survey, selection, format);
        if (!from.equals(begins) && (selected.hasHoles() || !survey.provesBegin(selected, notes.sizes()))) {
            // Records of the same part of the log have earlier times.
            from = begins;
            survey = survey(from, ends, selection, notes, whole);
            selected = selected(survey, selection, format);
        }
        if (selection.chain().isPresent() && survey.matching.partitions().isEmpty()) {
            throw new IllegalArgumentException(
                    "no record of chain " + selection.chain().get() + " in "
                            + topics.audit().name()
                            + (selection.scope() == ExportScope.TIME_RANGE ? " in that time range" : "")
                            + " that a published head covers. A chain is namespace|PROTOCOL|conversation, as GET"
                            + " /v1/conversations returns it.");
        }
        if (selection.scope() == ExportScope.TIME_RANGE && !survey.redactions.isEmpty()) {
            addRedactions(from, ends, selection, survey.redactions, selected);
            if (selection.chain().isPresent()) {
                selected = survey.present.within(selected);
            }
        }
        Predicate<LogPosition> chosen = whole ? notes::covers : selected::has;
        signer.ifPresent(notes::requireSigner);
        try (ExportWriter writer = format.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(
                    Exporter.VERSION,
                    now,
                    selection.scope(),
                    selection.chain().orElse(null),
                    selection.from().orElse(null),
                    selection.to().orElse(null)));
            for (AuditHead note : notes.list()) {
                exporter.note(note);
            }
            if (selection.chain().isPresent() && signer.isPresent() && selected.has(survey.last.getLog())) {
                exporter.note(end(survey.last, signer.get(), notes, now));
            }
            if (!whole) {
                for (OmittedRecords subtree : OmittedSubtrees.read(
                        notes.sizes(), selected, reader, topics.auditTile(), progressListener::found)) {
                    exporter.omitted(subtree);
                }
            }
            RecordedRedactions redactions = survey.redactions;
            // Reported by the survey, unless it did not deserialize all records.
            Consumer<AuditFault> found = whole ? progressListener::found : auditFault -> {};
            reader.read(from, ends, progressListener::progress, record -> {
                if (selection.isOf(record)) {
                    RecordValues.read(topics.audit(), record, found)
                            .filter(auditRecord -> chosen.test(auditRecord.getLog()))
                            .ifPresent(auditRecord -> write(auditRecord, redactions, notes, exporter));
                }
            });
            return exporter.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** End of the time range that was exported; empty without one. */
    public Optional<Instant> end() {
        return end;
    }

    /** Finds which records of the log belong to the export. */
    private static LogRecords selected(Survey survey, Selection selection, ExportTarget format) {
        if (selection.scope() != ExportScope.TIME_RANGE) {
            return survey.present;
        }
        // Without gaps, so that the log proves that nothing between is left out.
        return format.isProvable() ? survey.range() : survey.present.within(survey.matching);
    }

    /** Adds the records that prove the redactions of selected records. */
    private void addRedactions(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Selection selection,
            RecordedRedactions redactions,
            LogRecords selected) {
        List<LogPosition> proofs = new ArrayList<>();
        reader.read(from, ends, record -> {
            if (selection.isOf(record)) {
                RecordValues.read(topics.audit(), record, fault -> {})
                        .filter(auditRecord -> selected.has(auditRecord.getLog()))
                        .flatMap(redactions::of)
                        .ifPresent(recorded -> proofs.add(recorded.position()));
            }
        });
        proofs.forEach(selected::add);
    }

    private static AuditHead end(AuditRecord last, LogNotes signer, PublishedNotes notes, Instant now) {
        int partition = last.getLog().getPartition();
        return signer.chainEnd(
                last.getChain(),
                last.getSequence(),
                ByteBuffers.of(last.getHash()),
                partition,
                notes.size(partition),
                now);
    }

    /**
     * Whether a record of the audit topic may record a redaction, judged by the input position in its CloudEvents
     * headers; the others need no deserialization. A record without that header may.
     *
     * @param prefix name of the redaction topic, and a hyphen
     */
    private static boolean mayTell(ConsumerRecord<byte[], byte[]> record, byte[] prefix) {
        Header id = record.headers().lastHeader("ce_id");
        if (id == null || id.value() == null) {
            return true;
        }
        byte[] value = id.value();
        return value.length > prefix.length && Arrays.equals(value, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static void write(
            AuditRecord auditRecord, RecordedRedactions redactions, PublishedNotes notes, Exporter exporter) {
        Optional<RecordedRedactions.Recorded> redaction = redactions.of(auditRecord);
        if (redaction.isPresent() && !notes.covers(redaction.get().position())) {
            throw new IllegalStateException("the redaction of sequence " + auditRecord.getSequence() + " of chain "
                    + auditRecord.getChain()
                    + " is not covered by a published head yet. Repeat the export after audit.heads.interval.ms.");
        }
        try {
            exporter.record(redactions.redacted(auditRecord));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The statement and the last head of each log.
     *
     * @throws IllegalStateException if their topic does not exist
     */
    public List<AuditHead> latestNotes() {
        reader.require(List.of(topics.auditHead().name()));
        return notes().list();
    }

    /** Verifies the last notes only, because heads are kept for ever; all if another client wrote one of the last. */
    private PublishedNotes notes() {
        PublishedNotes last = notes(new LogNoteReader(notes.policy(), List.of()));
        return last.list().stream().allMatch(notes::accepts) ? last : notes(notes);
    }

    private PublishedNotes notes(LogNoteReader counting) {
        PublishedNotes notes = new PublishedNotes(false, counting);
        if (counting.policy().quorum() > 0) {
            reader.readAll(topics.auditCosignature().name(), record -> add(topics.auditCosignature(), record, notes));
        }
        reader.readReferring(
                topics.auditHead().name(), LogNotes.statementKey(), record -> add(topics.auditHead(), record, notes));
        notes.complete();
        return notes;
    }

    private void add(Topic<String, AuditHead> topic, ConsumerRecord<byte[], byte[]> record, PublishedNotes notes) {
        RecordValues.read(topic, record, progressListener::found).ifPresent(notes::add);
    }

    /**
     * Reads ahead to the end of the topic: a redaction follows the record that it names.
     *
     * @param whole whether only redactions matter, so that other records need no deserialization
     */
    private Survey survey(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Selection selection,
            PublishedNotes notes,
            boolean whole) {
        Survey survey = new Survey();
        Consumer<AuditFault> found = whole ? auditFault -> {} : progressListener::found;
        reader.read(from, ends, record -> {
            if (selection.isOf(record) && (!whole || mayTell(record, redactionPrefix))) {
                RecordValues.read(topics.audit(), record, found)
                        .ifPresent(auditRecord -> survey.add(auditRecord, selection, notes));
            }
        });
        return survey;
    }

    @Override
    public void close() {
        reader.close();
    }
}
