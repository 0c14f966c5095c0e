package dev.parley.operations;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far the applications have read the partitions of their source topics, at one time.
 *
 * @param time when the brokers were asked
 * @param partitions every source partition that was found, by application, topic and partition
 */
public record SourceProgress(Instant time, List<Partition> partitions) {
    /** Copies the list. */
    public SourceProgress {
        partitions = List.copyOf(partitions);
    }

    /** Why a partition with unread records makes no progress. */
    public enum Cause {
        /** Records are there to be read. */
        RECORDS,
        /** A producer's transaction is open, and consumers must wait for its end. */
        OPEN_TRANSACTION
    }

    /**
     * A partition that makes no progress.
     *
     * @param since when it was first seen with unread records at this position
     * @param seconds how long, without the time in which the brokers did not answer
     * @param cause what is known of the reason
     */
    public record Stall(Instant since, long seconds, Cause cause) {}

    /**
     * One source partition.
     *
     * @param application name of the application that reads it
     * @param topic topic
     * @param partition partition
     * @param position offset up to which the application has committed its work
     * @param end offset after the last record, open transactions included
     * @param lag offsets between them that may hold records; those of transaction markers count until they are passed
     * @param stall set when the partition makes no progress
     */
    public record Partition(
            String application,
            String topic,
            int partition,
            long position,
            long end,
            long lag,
            Optional<Stall> stall) {}
}
