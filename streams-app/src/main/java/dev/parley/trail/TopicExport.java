package dev.parley.trail;

import dev.parley.audit.AuditTrail.InputPartition;
import dev.parley.audit.Fault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.Place;
import dev.parley.audit.PublishedHeads;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.Outages;
import dev.parley.topology.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes a part of the audit trail to a stream, so that it can be verified without anything else: the records, the published heads, and where each chain begins and ends.
 * Payloads that were redacted are left out. Memory grows with the number of chains and redactions, not with that of records.
 */
public final class TopicExport implements AutoCloseable {
    private final TopicReader reader;
    private final Topics topics;
    private final Watcher watcher;
    private final Map<String, AuditHead> heads = new HashMap<>();
    private final Map<Source, Redaction> redactions = new HashMap<>();
    private long done;

    /**
     * What to export.
     *
     * @param chain one chain; without it all
     * @param from first time; the export begins, in each partition of the audit topic, with the first record at or after it
     * @param to the export ends before the first record at or after that time
     */
    public record Selection(Optional<String> chain, Optional<Instant> from, Optional<Instant> to) {
        /** Everything. */
        public static final Selection EVERYTHING = new Selection(Optional.empty(), Optional.empty(), Optional.empty());

        ExportScope scope() {
            if (from.isPresent() || to.isPresent()) {
                return ExportScope.TIME_RANGE;
            }
            return chain.isPresent() ? ExportScope.CHAIN : ExportScope.EVERYTHING;
        }
    }

    /**
     * An export.
     *
     * @param clients what every Kafka client starts from
     * @param serdes how values are read
     * @param watcher hears of progress, and of records that cannot be read
     */
    public TopicExport(Map<String, Object> clients, AvroSerdes serdes, Watcher watcher) {
        this.reader = new TopicReader(clients);
        this.topics = new Topics(serdes);
        this.watcher = watcher;
    }

    /**
     * Exports what is there when it begins.
     *
     * @param now time of the export
     * @throws IOException when the stream cannot be written
     */
    public Exporter.Written run(Selection selection, ExportFormat format, OutputStream out, Instant now)
            throws IOException {
        readRedactions();
        // In this order, so that every record that a manifest covers is there, and the head of its chain.
        List<AuditManifest> manifests = readManifests(selection.scope() == ExportScope.EVERYTHING);
        readHeads(selection);
        List<TopicPartition> audit = reader.partitions(List.of(Topics.AUDIT));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        boolean truncated = begins.values().stream().anyMatch(begin -> begin > 0);
        Map<TopicPartition, Long> from = selection.from().isPresent()
                ? reader.at(audit, selection.from().get().toEpochMilli())
                : begins;
        Map<TopicPartition, Long> to = selection.to().isPresent()
                ? reader.at(audit, selection.to().get().toEpochMilli())
                : reader.ends(audit);
        long total = audit.stream()
                .mapToLong(partition -> Math.max(0, to.get(partition) - from.get(partition)))
                .sum();
        byte[] key = selection
                .chain()
                .map(chain -> chain.getBytes(StandardCharsets.UTF_8))
                .orElse(null);
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
            reader.read(from, to, record -> {
                done = Math.min(total, done + 1);
                watcher.progress(done, total);
                if (record.value() != null && (key == null || Arrays.equals(key, record.key()))) {
                    write(record, exporter);
                }
            });
            return exporter.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void write(ConsumerRecord<byte[], byte[]> record, Exporter exporter) {
        AuditRecord link;
        try {
            link = topics.audit().read(record.value());
        } catch (RuntimeException e) {
            unreadable(record, e);
            return;
        }
        try {
            exporter.record(link);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void unreadable(ConsumerRecord<byte[], byte[]> record, RuntimeException e) {
        if (Outages.isOutage(e)) {
            throw e;
        }
        Place place = Place.of(new InputPartition(record.topic(), record.partition()).toString(), record.offset());
        watcher.found(
                new Fault(FaultCode.UNREADABLE, place, "", -1, "the record cannot be read and is not in the export"));
    }

    /** All manifests, or the last of each journal. */
    private List<AuditManifest> readManifests(boolean all) {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.AUDIT_MANIFEST));
        List<AuditManifest> manifests = new ArrayList<>();
        Map<Integer, AuditManifest> last = new TreeMap<>();
        reader.read(reader.begins(partitions), reader.ends(partitions), record -> {
            try {
                AuditManifest manifest = topics.auditManifest().read(record.value());
                if (manifest != null && all) {
                    manifests.add(manifest);
                } else if (manifest != null) {
                    last.put(manifest.getPartition(), manifest);
                }
            } catch (RuntimeException e) {
                unreadable(record, e);
            }
        });
        return all ? manifests : List.copyOf(last.values());
    }

    private void readRedactions() {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.REDACTION));
        reader.read(reader.begins(partitions), reader.ends(partitions), record -> {
            if (record.value() != null) {
                try {
                    Redaction redaction = topics.redaction().read(record.value());
                    redactions.put(redaction.getSource(), redaction);
                } catch (RuntimeException e) {
                    if (Outages.isOutage(e)) {
                        throw e;
                    }
                    // Somebody wrote what is no redaction. The pipeline has said so in a dead letter.
                }
            }
        });
    }

    private void readHeads(Selection selection) {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.AUDIT_HEAD));
        PublishedHeads published = new PublishedHeads(true);
        reader.read(reader.begins(partitions), reader.ends(partitions), record -> {
            String chain = TopicVerification.text(record.key());
            if (record.value() != null
                    && (selection.chain().isEmpty() || selection.chain().get().equals(chain))) {
                try {
                    // An older head, or none, that somebody put behind it does not make the export forget it.
                    published.take(chain, topics.auditHead().read(record.value()), Place.NONE);
                } catch (RuntimeException e) {
                    unreadable(record, e);
                }
            }
        });
        published.forEach((head, place) -> heads.put(head.getChain(), head));
    }

    @Override
    public void close() {
        reader.close();
    }
}
