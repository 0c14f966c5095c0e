package dev.parley.operations;

import java.time.Instant;
import java.util.Optional;

/** The restarts of one application's stream threads: in all, and in a row without progress. Thread-safe. */
public final class RestartLog {
    private long total;
    private Row row;

    /**
     * Restarts without progress between them.
     *
     * @param count how many
     * @param since the first failure
     * @param last the last failure
     * @param failure class of the last failure
     */
    public record Row(int count, Instant since, Instant last, String failure) {}

    /** Takes a failure, whose class is told and whose message is not: it may quote what agents wrote. */
    public synchronized void failed(Throwable exception, Instant now) {
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        total++;
        row = new Row(
                row == null ? 1 : row.count() + 1,
                row == null ? now : row.since(),
                now,
                root.getClass().getSimpleName());
    }

    /** Ends the row, unless a thread failed after a time. */
    synchronized void progressed(Instant before) {
        if (row != null && row.last().isBefore(before)) {
            row = null;
        }
    }

    /** Number of restarts since the start. */
    public synchronized long total() {
        return total;
    }

    /** The restarts since the last progress; empty when there was none. */
    public synchronized Optional<Row> row() {
        return Optional.ofNullable(row);
    }
}
