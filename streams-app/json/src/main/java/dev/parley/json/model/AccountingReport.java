package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * Whether every input record has a verdict.
 *
 * @param lagAsOf time at which the ends of the inputs were read from the brokers
 * @param balanced whether every partition is balanced
 */
public record AccountingReport(
        List<Partition> partitions, Counts total, @Nullable Instant lagAsOf, boolean balanced) {

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
            boolean balanced) {}

    /**
     * The counts of an input partition.
     *
     * @param counts counts, whose keys are keys of this object
     * @param position offset up to which the pipeline has committed
     * @param end offset after the last record
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
            @Nullable Instant stalledSince,
            @Nullable String stalledBy,
            @Nullable Long producerId,
            @Nullable String transactionalId) {}
}
