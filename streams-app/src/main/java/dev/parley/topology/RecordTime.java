package dev.parley.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The time of a record, kept sane: stream time closes dialogues and windows, and it never goes back, so one record from a broken clock must not
 * carry everybody into the future. A time more than an hour ahead of this machine's clock counts as now; one before the epoch as the partition's time.
 */
public final class RecordTime implements TimestampExtractor {
    private static final long TOLERANCE_MS = 3_600_000L;

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        long now = System.currentTimeMillis();
        if (record.timestamp() < 0) {
            return partitionTime >= 0 ? partitionTime : now;
        }
        return record.timestamp() > now + TOLERANCE_MS ? now : record.timestamp();
    }
}
