package dev.parley.server.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Progress of the applications in the partitions of their source topics at one time.
 *
 * @param time time of the requests to the brokers
 * @param partitions every source partition found, by application, topic and partition
 */
public record SourceProgress(Instant time, List<Partition> partitions) {
    public SourceProgress {
        partitions = List.copyOf(partitions);
    }

    /** The reason why a partition with unread records makes no progress. */
    public enum Cause {
        /** The partition has readable records. */
        RECORDS,
        /** A producer's transaction is open; consumers wait for its end. */
        OPEN_TRANSACTION
    }

    /**
     * The lack of progress of a partition.
     *
     * @param since time at which unread records at this position were first observed
     * @param seconds duration, without the time in which the brokers were unavailable
     * @param cause the known reason
     * @param transaction the first open transaction, if that is the reason and this principal may see it
     */
    public record Stall(Instant since, long seconds, Cause cause, Optional<Transaction> transaction) {}

    /**
     * A transaction of a producer.
     *
     * @param id its transactional ID, escaped and cut off; null if this principal may not describe it
     */
    public record Transaction(long producerId, String id) {}

    /**
     * One source partition.
     *
     * @param application name of the application that reads it
     * @param position committed offset of the application
     * @param end offset after the last record, open transactions included
     * @param lag offsets between the two that may hold records; transaction markers count until they are passed
     * @param overdue offsets of the lag that were there before the last commit interval, and should be read
     * @param stall the lack of progress; empty if the partition makes progress
     */
    public record Partition(
            String application,
            String topic,
            int partition,
            long position,
            long end,
            long lag,
            long overdue,
            Optional<Stall> stall) {}
}
