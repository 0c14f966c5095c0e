package dev.parley.cli.export;

import dev.parley.avro.AuditRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Selects the records of each chain for an export of a time range: from the first to the last record whose input time
 * is in the range, so that no chain has a gap. Records of several input partitions and released patches are not in the
 * order of their times, so only the whole topic determines the last record.
 */
final class TimeRange {
    private final Instant from;
    private final Instant to;
    private final Map<String, Extent> chains = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    /** Sequences, both inclusive. */
    private record Extent(long first, long last) {
        Extent with(long sequence) {
            return new Extent(Math.min(first, sequence), Math.max(last, sequence));
        }

        boolean has(long sequence) {
            return first <= sequence && sequence <= last;
        }
    }

    private TimeRange(Instant from, Instant to) {
        this.from = from;
        this.to = to;
    }

    /** The range of a selection; empty if it has none. */
    static Optional<TimeRange> of(TopicExport.Selection selection) {
        return selection.from().isPresent() || selection.to().isPresent()
                ? Optional.of(new TimeRange(
                        selection.from().orElse(Instant.MIN), selection.to().orElse(Instant.MAX)))
                : Optional.empty();
    }

    /** Adds a record of the topic. */
    void add(AuditRecord auditRecord, ConsumerRecord<byte[], byte[]> record) {
        Instant time = auditRecord.getSource().getTimestamp();
        if (!time.isBefore(from) && time.isBefore(to)) {
            long sequence = auditRecord.getSequence();
            chains.merge(
                    auditRecord.getChain(), new Extent(sequence, sequence), (extent, one) -> extent.with(one.first()));
            ends.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
        }
    }

    /** Whether a record belongs to the export; call after all have been added. */
    boolean has(AuditRecord auditRecord) {
        Extent extent = chains.get(auditRecord.getChain());
        return extent != null && extent.has(auditRecord.getSequence());
    }

    /** The offset after the last record of a partition with a time in the range; 0 if there is none. */
    long end(TopicPartition partition) {
        return ends.getOrDefault(partition, 0L);
    }
}
