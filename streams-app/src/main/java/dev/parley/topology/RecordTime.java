package dev.parley.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Determines the time of an input record, which every later decision by time uses. The broker's time (LogAppendTime) is taken as it is. A time that the producer chose is not
 * evidence: it is bounded by the latest time of the partition, before which the broker cannot have appended the record, and by the present. In a partition without a time
 * yet, it is the present.
 *
 * <p>No time is more than an hour ahead of this machine's clock: brokers refuse output records dated so ({@code message.timestamp.after.max.ms}), which would stop the pipeline.
 */
final class RecordTime implements TimestampExtractor {
    /** For topics that only Parley writes: the times that it gave their records, up to the present. */
    static final RecordTime OF_OUTPUTS = new RecordTime(true);

    /** Default of message.timestamp.after.max.ms. */
    private static final long MAX_AHEAD_MS = 3_600_000L;

    private final boolean trustsProducer;

    /**
     * An extractor.
     *
     * @param trustsProducer whether a time that the producer chose counts as far as the present, however early it is
     */
    RecordTime(boolean trustsProducer) {
        this.trustsProducer = trustsProducer;
    }

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return extract(record.timestampType(), record.timestamp(), partitionTime, System.currentTimeMillis());
    }

    /**
     * The time of a record.
     *
     * @param type who set the timestamp
     * @param timestamp the record's timestamp, in milliseconds since the epoch
     * @param partitionTime the latest time of the partition; negative if unknown
     * @param now this machine's clock
     */
    long extract(TimestampType type, long timestamp, long partitionTime, long now) {
        long time;
        if (type == TimestampType.LOG_APPEND_TIME && timestamp >= 0) {
            time = timestamp;
        } else if (trustsProducer && timestamp >= 0) {
            time = Math.min(timestamp, now);
        } else if (partitionTime < 0) {
            time = now;
        } else {
            time = Math.max(partitionTime, Math.min(timestamp, now));
        }
        return time > now + MAX_AHEAD_MS ? now : time;
    }
}
