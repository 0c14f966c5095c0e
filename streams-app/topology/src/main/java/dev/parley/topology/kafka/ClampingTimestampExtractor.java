package dev.parley.topology.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Determines the record time, which all later decisions about time use. It keeps the broker's time (LogAppendTime). A
 * time that the producer chose, marked by {@link ProducerTimestampInterceptor}, is not evidence: it is raised to the
 * latest time of the partition, because the broker appended the record after that, and lowered to the present. Without
 * a partition time, it is the present.
 *
 * <p>A time more than an hour ahead of this machine's clock becomes the present. Brokers reject output records with
 * such timestamps ({@code message.timestamp.after.max.ms}), which would stop the pipeline.
 */
public final class ClampingTimestampExtractor implements TimestampExtractor {
    /** Extractor for topics that only Parley writes. */
    public static final ClampingTimestampExtractor OF_OUTPUTS = new ClampingTimestampExtractor(false);

    /** Default of message.timestamp.after.max.ms. */
    private static final long MAX_AHEAD_MS = 3_600_000L;

    private final boolean trustsProducer;

    /**
     * Creates an extractor.
     *
     * @param trustsProducer whether the producer may choose any time up to the present
     */
    public ClampingTimestampExtractor(boolean trustsProducer) {
        this.trustsProducer = trustsProducer;
    }

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return extract(record.timestamp(), partitionTime, System.currentTimeMillis());
    }

    /**
     * Returns the record time in milliseconds since the epoch.
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
        return mayReplace(time, now) ? now : time;
    }

    /** Whether the present replaces the time of a record, because it is too far ahead. */
    public static boolean mayReplace(long time, long present) {
        return time > present + MAX_AHEAD_MS;
    }
}
