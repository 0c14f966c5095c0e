package dev.parley.cli.export;

import dev.parley.audit.AuditFault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.InputPartition;
import dev.parley.audit.PublishedHeads;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.topics.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes a part of the audit trail to a stream for independent verification: the audit records, the published chain
 * heads, and the first and last record of each chain. Omits the payloads of redacted records, for which it reads the
 * audit topic twice. Memory grows with the number of chains and redactions, not of records.
 */
public final class TopicExport implements AutoCloseable {
    /** Maximum clock difference between brokers, by which the timestamps of audit records may go back. */
    private static final Duration MAX_SKEW = Duration.ofHours(1);

    private final TopicReader reader;
    private final Topics topics;
    private final ProgressListener progressListener;
    private final Map<String, AuditHead> heads = new HashMap<>();
    private final RecordedRedactions redactions = new RecordedRedactions();
    private final byte[] redactionPrefix;
    private long matching;

    /** The audit trail has neither a record nor a published head of the chain to export. */
    public static final class UnknownChainException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private UnknownChainException(Selection selection, String topic) {
            super("no record of chain " + selection.chain().orElseThrow() + " in " + topic
                    + (selection.scope() == ExportScope.TIME_RANGE ? " in that time range" : "")
                    + ". A chain is namespace|PROTOCOL|conversation, as GET /v1/conversations returns it.");
        }
    }

    /**
     * Selection of records to export.
     *
     * @param chain one chain; empty for all
     * @param from minimum time of the input records, inclusive
     * @param to maximum time of the input records, exclusive
     */
    public record Selection(Optional<String> chain, Optional<Instant> from, Optional<Instant> to) {
        public static final Selection EVERYTHING = new Selection(Optional.empty(), Optional.empty(), Optional.empty());

        ExportScope scope() {
            if (from.isPresent() || to.isPresent()) {
                return ExportScope.TIME_RANGE;
            }
            return chain.isPresent() ? ExportScope.CHAIN : ExportScope.EVERYTHING;
        }

        private boolean isOf(ConsumerRecord<byte[], byte[]> record) {
            return record.value() != null
                    && (chain.isEmpty() || Arrays.equals(chain.get().getBytes(StandardCharsets.UTF_8), record.key()));
        }
    }

    /**
     * Creates an export.
     *
     * @param clients common settings of the Kafka clients
     * @param names names of the topics
     * @param serdes deserializers of the values
     * @param progressListener listener for progress and unreadable records
     */
    public TopicExport(
            Map<String, Object> clients, TopicNames names, AvroSerdes serdes, ProgressListener progressListener) {
        this.reader = new TopicReader(clients);
        this.redactionPrefix = (names.redaction() + "-").getBytes(StandardCharsets.UTF_8);
        this.topics = new Topics(names, serdes);
        this.progressListener = progressListener;
    }

    /**
     * Exports the records that exist at its start.
     *
     * @param now time of the export
     * @throws UnknownChainException if the selection names a chain that does not exist; nothing is written
     * @throws IOException if the stream cannot be written
     */
    public Exporter.Written run(Selection selection, ExportTarget format, OutputStream out, Instant now)
            throws IOException {
        // Manifests first, so that every record that a manifest covers exists, with the head of its chain.
        List<AuditManifest> manifests = selection.scope() == ExportScope.EVERYTHING ? manifests() : latestManifests();
        readHeads(selection);
        List<TopicPartition> audit = reader.partitions(List.of(topics.names().audit()));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        boolean truncated = begins.values().stream().anyMatch(begin -> begin > 0);
        Map<TopicPartition, Long> from = selection
                .from()
                .map(time -> reader.at(audit, time.minus(MAX_SKEW).toEpochMilli()))
                .orElse(begins);
        Map<TopicPartition, Long> ends = reader.ends(audit);
        Optional<TimeRange> range = TimeRange.of(selection);
        readAhead(from, ends, selection, range);
        if (selection.chain().isPresent() && matching == 0 && heads.isEmpty()) {
            throw new UnknownChainException(selection, topics.audit().name());
        }
        Map<TopicPartition, Long> to = new HashMap<>(ends);
        range.ifPresent(
                times -> to.replaceAll((partition, end) -> Math.max(from.get(partition), times.end(partition))));
        // Already reported while determining the range.
        Consumer<AuditFault> found = range.isPresent() ? auditFault -> {} : progressListener::found;
        try (ExportWriter writer = format.to(out)) {
            Exporter exporter = new Exporter(writer, heads, redactions);
            exporter.begin(new ExportStart(
                    Exporter.VERSION,
                    now,
                    selection.scope(),
                    selection.chain().orElse(null),
                    selection.from().orElse(null),
                    selection.to().orElse(null),
                    truncated));
            for (AuditManifest manifest : manifests) {
                exporter.manifest(manifest);
            }
            reader.read(from, to, progressListener::progress, record -> {
                AuditRecord auditRecord = selection.isOf(record) ? read(record, found) : null;
                if (auditRecord != null
                        && range.map(times -> times.has(auditRecord)).orElse(true)) {
                    write(auditRecord, exporter);
                }
            });
            return exporter.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Deserializes an audit record; null, after reporting a fault, if it is unreadable. */
    private AuditRecord read(ConsumerRecord<byte[], byte[]> record, Consumer<AuditFault> found) {
        try {
            return topics.audit().read(record.value());
        } catch (RuntimeException e) {
            unreadable(record, e, found);
            return null;
        }
    }

    private static void write(AuditRecord auditRecord, Exporter exporter) {
        try {
            exporter.record(auditRecord);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unreadable(
            ConsumerRecord<byte[], byte[]> record, RuntimeException e, Consumer<AuditFault> found) {
        if (OutageClassifier.isOutage(e)) {
            throw e;
        }
        RecordLocation recordLocation =
                RecordLocation.of(new InputPartition(record.topic(), record.partition()).toString(), record.offset());
        found.accept(
                AuditFault.withoutChain(FaultCode.UNREADABLE, recordLocation, "the record is unreadable and omitted"));
    }

    /** The last manifest of each journal, by partition; without verification. */
    public List<AuditManifest> latestManifests() {
        Map<Integer, AuditManifest> last = new TreeMap<>();
        manifests()
                .forEach(manifest -> last.merge(
                        manifest.getPartition(),
                        manifest,
                        (one, next) -> next.getNumber() > one.getNumber() ? next : one));
        return List.copyOf(last.values());
    }

    private List<AuditManifest> manifests() {
        List<AuditManifest> manifests = new ArrayList<>();
        reader.readAll(topics.auditManifest().name(), record -> {
            try {
                AuditManifest manifest = topics.auditManifest().read(record.value());
                if (manifest != null) {
                    manifests.add(manifest);
                }
            } catch (RuntimeException e) {
                unreadable(record, e, progressListener::found);
            }
        });
        return manifests;
    }

    /**
     * Reads ahead to the end of the topic for redactions and the range: a redaction follows the record that it names.
     * Reports an unreadable record once, here if there is a range and otherwise in the pass that writes the export.
     */
    private void readAhead(
            Map<TopicPartition, Long> from,
            Map<TopicPartition, Long> ends,
            Selection selection,
            Optional<TimeRange> range) {
        Consumer<AuditFault> found = range.isPresent() ? progressListener::found : auditFault -> {};
        reader.read(from, ends, record -> {
            boolean mayRedact = RecordedRedactions.mayTell(record, redactionPrefix);
            if (!selection.isOf(record)) {
                return;
            }
            matching++;
            if (!mayRedact && range.isEmpty()) {
                return;
            }
            AuditRecord auditRecord = read(record, found);
            if (auditRecord != null) {
                range.ifPresent(times -> times.add(auditRecord, record));
                if (mayRedact) {
                    redactions.take(auditRecord);
                }
            }
        });
    }

    private void readHeads(Selection selection) {
        PublishedHeads published = new PublishedHeads(true);
        reader.readAll(topics.names().auditHead(), record -> {
            String chain = TopicReader.key(record);
            if (record.value() != null
                    && (selection.chain().isEmpty() || selection.chain().get().equals(chain))) {
                try {
                    // A later, older head or tombstone of an attacker must not replace it.
                    published.take(chain, topics.auditHead().read(record.value()), RecordLocation.NONE);
                } catch (RuntimeException e) {
                    unreadable(record, e, progressListener::found);
                }
            }
        });
        published.forEach((head, recordLocation) -> heads.put(head.getChain(), head));
    }

    @Override
    public void close() {
        reader.close();
    }
}
