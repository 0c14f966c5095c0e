package dev.parley.trail;

import dev.parley.audit.AuditTrail.InputPartition;
import dev.parley.audit.Fault;
import dev.parley.audit.FaultCode;
import dev.parley.audit.Place;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.InternalDeadLetters;
import dev.parley.topology.Topics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes a part of the audit trail to a stream, so that it can be verified without anything else: the records, the published heads, and where each chain begins and ends.
 * Payloads that were redacted are left out. Memory grows with the number of chains and redactions, not with that of records.
 */
public final class TopicExport implements AutoCloseable {
    /** Clocks of brokers may differ; audit records of a later broker may be dated so much earlier. */
    private static final Duration MAX_SKEW = Duration.ofHours(1);

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
     * @param from first time of the input records; inclusive
     * @param to time of the input records at which the export ends; exclusive
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

        private boolean isOf(ConsumerRecord<byte[], byte[]> record) {
            return record.value() != null
                    && (chain.isEmpty() || Arrays.equals(chain.get().getBytes(StandardCharsets.UTF_8), record.key()));
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
        readHeads(selection);
        List<TopicPartition> audit = reader.partitions(List.of(Topics.AUDIT));
        Map<TopicPartition, Long> begins = reader.begins(audit);
        boolean truncated = begins.values().stream().anyMatch(begin -> begin > 0);
        Map<TopicPartition, Long> from = selection
                .from()
                .map(time -> reader.at(audit, time.minus(MAX_SKEW).toEpochMilli()))
                .orElse(begins);
        Map<TopicPartition, Long> to = reader.ends(audit);
        Optional<TimeRange> range = TimeRange.of(selection);
        range.ifPresent(times -> reader.read(from, to, record -> {
            AuditRecord link = selection.isOf(record) ? read(record, watcher::found) : null;
            if (link != null) {
                times.add(link, record);
            }
        }));
        range.ifPresent(
                times -> to.replaceAll((partition, end) -> Math.max(from.get(partition), times.end(partition))));
        // What cannot be read has been told when the range was determined.
        Consumer<Fault> found = range.isPresent() ? fault -> {} : watcher::found;
        long total = audit.stream()
                .mapToLong(partition -> Math.max(0, to.get(partition) - from.get(partition)))
                .sum();
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
                AuditRecord link = selection.isOf(record) ? read(record, found) : null;
                if (link != null && range.map(times -> times.has(link)).orElse(true)) {
                    write(link, exporter);
                }
            });
            return exporter.end();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The audit record; null, and a fault, when it cannot be read. */
    private AuditRecord read(ConsumerRecord<byte[], byte[]> record, Consumer<Fault> found) {
        try {
            return topics.audit().read(record.value());
        } catch (RuntimeException e) {
            if (InternalDeadLetters.isOutage(e)) {
                throw e;
            }
            Place place = Place.of(new InputPartition(record.topic(), record.partition()).toString(), record.offset());
            found.accept(new Fault(
                    FaultCode.UNREADABLE, place, "", -1, "the record cannot be read and is not in the export"));
            return null;
        }
    }

    private static void write(AuditRecord link, Exporter exporter) {
        try {
            exporter.record(link);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readRedactions() {
        List<TopicPartition> partitions = reader.partitions(List.of(Topics.REDACTION));
        reader.read(reader.begins(partitions), reader.ends(partitions), record -> {
            if (record.value() != null) {
                try {
                    Redaction redaction = topics.redaction().read(record.value());
                    redactions.put(Redactions.withoutClaim(redaction.getSource()), redaction);
                } catch (RuntimeException e) {
                    if (InternalDeadLetters.isOutage(e)) {
                        throw e;
                    }
                    // Somebody wrote what is no redaction. The pipeline has said so in a dead letter.
                }
            }
        });
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
