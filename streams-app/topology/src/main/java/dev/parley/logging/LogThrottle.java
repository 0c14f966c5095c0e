package dev.parley.logging;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Logs a bounded number of lines of a kind per minute, and counts the others. Thread-safe. */
public final class LogThrottle {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;

    private final int lines;

    private long start;
    private int logged;
    private long suppressed;

    /** Logs at most one line per minute. */
    public LogThrottle() {
        this(System::nanoTime, 1);
    }

    /**
     * @param nanoTime the clock
     * @param lines maximum number of lines per minute
     */
    public LogThrottle(LongSupplier nanoTime, int lines) {
        this.nanoTime = nanoTime;
        this.lines = lines;
    }

    /** @param log receives the number of lines suppressed since the last one */
    public void log(LongConsumer log) {
        long repeated;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (logged == 0 || now - start >= INTERVAL_NANOS) {
                start = now;
                logged = 0;
            }
            if (logged == lines) {
                suppressed++;
                return;
            }
            logged++;
            repeated = suppressed;
            suppressed = 0;
        }
        log.accept(repeated);
    }
}
