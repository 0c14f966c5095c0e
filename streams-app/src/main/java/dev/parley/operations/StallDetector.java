package dev.parley.operations;

import dev.parley.operations.SourceProgress.Cause;
import dev.parley.operations.SourceProgress.Stall;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether one partition makes progress. It does not when it has unread records and its position has not moved for the limit; a partition without unread records never
 * stalls, however quiet it is. Only time between observations counts, so an outage of the brokers does not. Not thread-safe.
 */
final class StallDetector {
    private final long limitMs;
    private final long longestStepMs;
    private long position = -1;
    private long emptyBefore = -1;
    private long lastMs;
    private long waitedMs;
    private Instant since;
    private Cause cause;

    /**
     * @param limitMs how long a position may stay in milliseconds
     * @param longestStepMs the most milliseconds that count between two observations
     */
    StallDetector(long limitMs, long longestStepMs) {
        this.limitMs = limitMs;
        this.longestStepMs = longestStepMs;
    }

    /**
     * Takes an observation.
     *
     * @param committed the position
     * @param end offset after the last record
     * @param nowMs a clock that only goes forward
     * @param now the time, for people
     * @return the offsets that may hold unread records
     */
    long observe(long committed, long end, long nowMs, Instant now) {
        long lag = Math.max(0, end - Math.max(committed, emptyBefore));
        boolean moved = committed != position;
        position = committed;
        if (lag == 0 || moved || since == null) {
            since = lag == 0 ? null : now;
            waitedMs = 0;
            cause = null;
        } else {
            waitedMs += Math.min(longestStepMs, nowMs - lastMs);
        }
        lastMs = nowMs;
        return lag;
    }

    /** Whether the limit is over and the cause must be found out. */
    boolean isSuspect() {
        return waitedMs >= limitMs && cause != Cause.RECORDS;
    }

    /** Records are there, or a transaction is open. */
    void confirm(Cause found) {
        cause = found;
    }

    /** There is nothing to be read below an offset: markers and aborted records only. */
    void clear(long before) {
        emptyBefore = before;
        since = null;
        waitedMs = 0;
        cause = null;
    }

    Optional<Stall> stall() {
        return waitedMs >= limitMs && cause != null
                ? Optional.of(new Stall(since, waitedMs / 1_000, cause))
                : Optional.empty();
    }
}
