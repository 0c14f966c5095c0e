package dev.parley.topology.setup;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Determines the time of a record, which every later decision by time uses. The broker's time (LogAppendTime) is taken
 * as it is. A time that the producer chose, which {@link ProducerTimestampInterceptor} marks, is not evidence: it is bounded by
 * the latest time of the partition, before which the broker cannot have appended the record, and by the present. In a
 * partition without a time yet, it is the present.
 *
 * <p>No time is more than an hour ahead of this machine's clock: brokers refuse output records dated so
 * ({@code message.timestamp.after.max.ms}), which would stop the pipeline.
 */
public final class ClampingTimestampExtractor implements TimestampExtractor {
    /** For topics that only Parley writes. */
    public static final ClampingTimestampExtractor OF_OUTPUTS = new ClampingTimestampExtractor(false);

    /** Default of message.timestamp.after.max.ms. */
    private static final long MAX_AHEAD_MS = 3_600_000L;

    private final boolean trustsProducer;

    /**
     * An extractor.
     *
     * @param trustsProducer whether a time that the producer chose counts as far as the present, however early it is
     */
    public ClampingTimestampExtractor(boolean trustsProducer) {
        this.trustsProducer = trustsProducer;
    }

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return extract(record.timestamp(), partitionTime, System.currentTimeMillis());
    }

    /**
     * The time of a record.
     *
     * @param timestamp the record's timestamp, in milliseconds since the epoch; marked if the producer chose it
     * @param partitionTime the latest time of the partition; negative if unknown
     * @param now this machine's clock
     */
    public long extract(long timestamp, long partitionTime, long now) {
        long time;
        if (!ProducerTimestampInterceptor.isMarked(timestamp)) {
            time = timestamp;
        } else {
            long claim = Math.min(ProducerTimestampInterceptor.unmarked(timestamp), now);
            if (trustsProducer) {
                time = claim;
            } else {
                time = partitionTime < 0 ? now : Math.max(partitionTime, claim);
            }
        }
        return time > now + MAX_AHEAD_MS ? now : time;
    }
}
