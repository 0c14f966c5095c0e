package dev.parley.server.cluster;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Exponential backoff for one request, bounded by the retry timeout. Not thread-safe. */
public final class RetryBackoff {

    private static final long MIN_PAUSE_MS = 10;
    private static final long MAX_PAUSE_MS = 200;

    private final long end;
    private long pauseMs = MIN_PAUSE_MS;

    /** @param timeout maximum time from now to the last attempt */
    public RetryBackoff(Duration timeout) {
        this.end = System.nanoTime() + timeout.toNanos();
    }

    /** Milliseconds to wait before the next attempt; empty if the timeout leaves no time for one. */
    public OptionalLong next() {
        long remaining = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (remaining <= pauseMs) {
            return OptionalLong.empty();
        }
        long pause = pauseMs;
        pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs);
        return OptionalLong.of(pause);
    }
}
