package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * Whether every input record has a verdict.
 *
 * @param lagAsOf time at which the ends of the inputs were read from the brokers
 * @param balancedUntil time before which every input that the brokers had then has a verdict; null if unknown
 * @param balanced whether every partition is balanced
 */
public record AccountingReport(
        List<Partition> partitions,
        Counts total,
        @Nullable Instant lagAsOf,
        @Nullable Instant balancedUntil,
        boolean balanced) {

    /**
     * Records by verdict.
     *
     * @param pending inputs without a verdict
     * @param unread offsets that were deleted before they were read
     * @param reread records that were repeated and skipped
     * @param lag offsets that are not read yet; null if unknown
     * @param balanced whether every input has a verdict and the lag is 0
     */
    public record Counts(
            long inputs,
            long accepted,
            long rejected,
            long flagged,
            long undecodable,
            long parked,
            long pending,
            long unread,
            long reread,
            @Nullable Long lag,
            boolean balanced) {
        /** No record, and no lag. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0L, true);

        /** Adds other counts. */
        public Counts plus(Counts other) {
            return new Counts(
                    inputs + other.inputs,
                    accepted + other.accepted,
                    rejected + other.rejected,
                    flagged + other.flagged,
                    undecodable + other.undecodable,
                    parked + other.parked,
                    pending + other.pending,
                    unread + other.unread,
                    reread + other.reread,
                    lag == null || other.lag == null ? null : (Long) (lag + other.lag),
                    balanced && other.balanced);
        }
    }

    /**
     * An end of an input partition before which every record has a verdict.
     *
     * @param time time at which the brokers were asked for the end
     * @param offset offset after its last record then
     */
    public record Balanced(Instant time, long offset) {}

    /**
     * The largest counts of all inputs in a minute.
     *
     * @param lag offsets that were not read yet
     * @param pending inputs without a verdict
     */
    public record Sample(Instant minute, long lag, long pending) {}

    /**
     * The counts of an input partition.
     *
     * @param counts counts, whose keys are keys of this object
     * @param position offset up to which the pipeline has committed
     * @param end offset after the last record
     * @param balancedUntil the last known end before which every record has a verdict; null if unknown
     * @param stalledSince time since which the partition makes no progress; null if it does
     * @param producerId producer of the open transaction that holds back the partition; null if none does
     * @param transactionalId its transactional ID, escaped and cut off; null if Parley may not describe it
     */
    public record Partition(
            String topic,
            int partition,
            @JsonUnwrapped Counts counts,
            @Nullable Long position,
            @Nullable Long end,
            @Nullable Balanced balancedUntil,
            @Nullable Instant stalledSince,
            @Nullable String stalledBy,
            @Nullable Long producerId,
            @Nullable String transactionalId) {}
}
