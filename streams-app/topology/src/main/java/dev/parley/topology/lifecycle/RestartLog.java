package dev.parley.topology.lifecycle;

import dev.parley.topology.topics.AdminFutures;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Counts the restarts of the stream threads of one application: in total, and since its last progress. Thread-safe. */
public final class RestartLog {
    private long total;
    private Series series;

    /**
     * A series of restarts without progress between them.
     *
     * @param count number of restarts
     * @param since time of the first failure
     * @param last time of the last failure
     * @param lastMs the same by {@link System#nanoTime}, which is never set back, in milliseconds
     * @param failure class of the last failure
     */
    public record Series(int count, Instant since, Instant last, long lastMs, String failure) {}

    /** Adds a failure. Keeps its class but not its message, which may quote agents' messages. */
    public synchronized void failed(Throwable exception, Instant now) {
        total++;
        series = new Series(
                series == null ? 1 : series.count() + 1,
                series == null ? now : series.since(),
                now,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                AdminFutures.rootCause(exception).getClass().getSimpleName());
    }

    /** Ends the series, unless a thread failed after a time by {@link System#nanoTime}, in milliseconds. */
    public synchronized void progressed(long beforeMs) {
        if (series != null && series.lastMs() < beforeMs) {
            series = null;
        }
    }

    /** Number of restarts since the start of the process. */
    public synchronized long total() {
        return total;
    }

    /** The restarts since the last progress; empty if there were none. */
    public synchronized Optional<Series> series() {
        return Optional.ofNullable(series);
    }
}
