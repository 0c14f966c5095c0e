package dev.parley.server.health;

import dev.parley.server.health.SourceProgress.Cause;
import dev.parley.server.health.SourceProgress.Stall;
import dev.parley.server.health.SourceProgress.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Detects whether one partition makes progress. A partition stalls if it has unread records and its position has not
 * moved for the limit; one without unread records never stalls. Only time between observations counts, so an outage of
 * the brokers does not. Not thread-safe.
 */
final class StallDetector {
    private final long limitMs;
    private final long longestStepMs;
    private final Backlog backlog = new Backlog();
    private long position = -1;
    private long end;
    private long lag;
    private long overdue;
    private boolean stays;
    private long movedMs;
    private long emptyBefore = -1;
    private long lastMs;
    private long waitedMs;
    private Instant since;
    private Cause cause;
    private long heldAt = -1;
    private Optional<Transaction> transaction = Optional.empty();

    /**
     * @param limitMs maximum time without progress, in milliseconds
     * @param longestStepMs maximum time that counts between two observations, in milliseconds
     */
    StallDetector(long limitMs, long longestStepMs) {
        this.limitMs = limitMs;
        this.longestStepMs = longestStepMs;
    }

    /**
     * Adds an observation.
     *
     * @param committed the committed offset
     * @param ending offset after the last record
     * @param nowMs a monotonic clock, in milliseconds
     * @param now the wall-clock time, for messages
     * @return the number of offsets that may hold unread records
     */
    long observe(long committed, long ending, long nowMs, Instant now) {
        end = ending;
        lag = Math.max(0, end - Math.max(committed, emptyBefore));
        overdue = backlog.observe(end - lag, end, nowMs);
        stays = committed == position;
        position = committed;
        movedMs = stays ? movedMs : nowMs;
        if (lag == 0 || !stays || since == null) {
            since = lag == 0 ? null : now;
            waitedMs = 0;
            cause = null;
        } else {
            waitedMs += Math.min(longestStepMs, nowMs - lastMs);
        }
        lastMs = nowMs;
        return lag;
    }

    /** Offset before which there are no unread records. */
    long position() {
        return Math.max(position, emptyBefore);
    }

    /** End of the last observation. */
    long end() {
        return end;
    }

    /** Whether there are unread records, and the position is the one of the observation before. */
    boolean stays() {
        return lag > 0 && stays;
    }

    /** Whether the position has moved after a time of the monotonic clock, or there are no unread records. */
    boolean hasMovedSince(long timeMs) {
        return lag == 0 || movedMs > timeMs;
    }

    /** Whether the limit is exceeded and the cause is unknown. */
    boolean isSuspect() {
        return waitedMs >= limitMs && cause != Cause.RECORDS;
    }

    /** Notes that there are readable records. */
    void confirmRecords() {
        cause = Cause.RECORDS;
    }

    /**
     * Notes that there are no records below an offset, and that an open transaction holds back those from it on.
     *
     * @return whether this transaction is unknown
     */
    boolean hold(long stable) {
        cause = Cause.OPEN_TRANSACTION;
        emptyBefore = stable;
        return heldAt != stable;
    }

    /** Sets the transaction that holds back the partition; empty if it is not permitted to see. */
    void heldBy(Optional<Transaction> found) {
        heldAt = emptyBefore;
        transaction = found;
    }

    /** Notes that there are no records below an offset, only markers and aborted records. */
    void clear(long before) {
        emptyBefore = before;
        since = null;
        waitedMs = 0;
        cause = null;
    }

    Optional<Stall> stall() {
        return waitedMs >= limitMs && cause != null
                ? Optional.of(new Stall(
                        since,
                        waitedMs / 1_000,
                        cause,
                        cause == Cause.OPEN_TRANSACTION && heldAt == emptyBefore ? transaction : Optional.empty()))
                : Optional.empty();
    }

    /** The last observation, as progress of an application in this partition. */
    SourceProgress.Partition progress(String application, TopicPartition partition) {
        return new SourceProgress.Partition(
                application, partition.topic(), partition.partition(), position, end, lag, overdue, stall());
    }
}
