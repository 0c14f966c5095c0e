package dev.parley.server.ingest;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of the window, by the system's clock and by one that never steps. Where they disagree, keys stay in the
 * window for longer, so that a step of the system's clock lets no message enter twice.
 */
final class WindowClock {
    private final Clock clock;
    private final LongSupplier nanos;
    private final long startMs;
    private final long startNanos;

    /**
     * Creates a clock.
     *
     * @param clock the system's clock
     * @param nanos nanoseconds of a clock that never steps
     */
    WindowClock(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        this.startMs = clock.millis();
        this.startNanos = nanos.getAsLong();
    }

    /** The earlier time, in milliseconds since 1970: keys expire by it. */
    long earlier() {
        return Math.min(clock.millis(), steady());
    }

    /** The later time, in milliseconds since 1970: the time of new keys. */
    long later() {
        return Math.max(clock.millis(), steady());
    }

    private long steady() {
        return startMs + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - startNanos);
    }
}
