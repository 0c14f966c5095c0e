package dev.parley.trail;

import dev.parley.audit.AuditTrail.InputPartition;
import dev.parley.audit.Fault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.Place;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.InternalDeadLetters;
import dev.parley.topology.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes a part of the audit trail to a stream, so that it can be verified without anything else: the records, the published heads, and where each chain begins and ends.
 * Payloads whose redaction the audit records are left out, for which the audit topic is read twice. Memory grows with the number of chains and redactions, not with that of records.
 */
public final class TopicExport implements AutoCloseable {
    private final TopicReader reader;
    private final Topics topics;
    private final Watcher watcher;
    private final Map<String, AuditHead> heads = new HashMap<>();
    private final RecordedRedactions redactions = new RecordedRedactions();
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
        readHeads(selection);
        List<TopicPartition> audit = reader.partitions(List.of(Topics.AUDIT));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        boolean truncated = begins.values().stream().anyMatch(begin -> begin > 0);
        Map<TopicPartition, Long> from = selection.from().isPresent()
                ? reader.at(audit, selection.from().get().toEpochMilli())
                : begins;
        Map<TopicPartition, Long> ends = reader.ends(audit);
        Map<TopicPartition, Long> to = selection.to().isPresent()
                ? reader.at(audit, selection.to().get().toEpochMilli())
                : ends;
        long total = audit.stream()
                .mapToLong(partition -> Math.max(0, to.get(partition) - from.get(partition)))
                .sum();
        byte[] key = selection
                .chain()
                .map(chain -> chain.getBytes(StandardCharsets.UTF_8))
                .orElse(null);
        readRedactions(from, ends, key);
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
            reader.read(from, to, record -> {
                done = Math.min(total, done + 1);
                watcher.progress(done, total);
                if (isSelected(record, key)) {
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
            if (InternalDeadLetters.isOutage(e)) {
                throw e;
            }
            Place place = Place.of(new InputPartition(record.topic(), record.partition()).toString(), record.offset());
            watcher.found(new Fault(
                    FaultCode.UNREADABLE, place, "", -1, "the record cannot be read and is not in the export"));
            return;
        }
        try {
            exporter.record(link);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads to the end of the topic, whatever the selection: a redaction stands behind the record that it is about. */
    private void readRedactions(Map<TopicPartition, Long> from, Map<TopicPartition, Long> ends, byte[] key) {
        reader.read(from, ends, record -> {
            if (isSelected(record, key) && RecordedRedactions.mayTell(record)) {
                try {
                    redactions.take(topics.audit().read(record.value()));
                } catch (RuntimeException e) {
                    if (InternalDeadLetters.isOutage(e)) {
                        throw e;
                    }
                    // The pass that writes the export says so.
                }
            }
        });
    }

    private static boolean isSelected(ConsumerRecord<byte[], byte[]> record, byte[] key) {
        return record.value() != null && (key == null || Arrays.equals(key, record.key()));
    }

    private void readHeads(Selection selection) {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.AUDIT_HEAD));
        reader.read(reader.begins(partitions), reader.ends(partitions), record -> {
            String chain = TopicVerification.text(record.key());
            if (record.value() == null) {
                heads.remove(chain);
            } else if (selection.chain().isEmpty() || selection.chain().get().equals(chain)) {
                heads.put(chain, topics.auditHead().read(record.value()));
            }
        });
    }

    @Override
    public void close() {
        reader.close();
    }
}
