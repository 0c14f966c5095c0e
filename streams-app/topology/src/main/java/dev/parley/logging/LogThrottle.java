package dev.parley.logging;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Logs at most one line of a kind per minute, and counts the others. Thread-safe. */
public final class LogThrottle {

    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;

    private long last;
    private boolean logged;
    private long suppressed;

    public LogThrottle() {
        this(System::nanoTime);
    }

    /** @param nanoTime the clock */
    public LogThrottle(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @param log receives the number of lines suppressed since the last one */
    public void log(LongConsumer log) {
        long repeated;
        synchronized (this) {
            long now = nanoTime.getAsLong();
            if (logged && now - last < INTERVAL_NANOS) {
                suppressed++;
                return;
            }
            logged = true;
            last = now;
            repeated = suppressed;
            suppressed = 0;
        }
        log.accept(repeated);
    }
}
