package dev.parley.query;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** How long one request is tried again: first soon, then less and less often. */
final class Patience {

    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 200;

    private final long end;
    private long pauseMs = FIRST_PAUSE_MS;

    Patience(Duration duration) {
        this.end = System.nanoTime() + duration.toNanos();
    }

    /** Milliseconds to wait before the next try; empty if there is no time for one. */
    OptionalLong next() {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= pauseMs) {
            return OptionalLong.empty();
        }
        long pause = pauseMs;
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        return OptionalLong.of(pause);
    }

    /** Waits a moment: true when there is time for another try, else false at once. */
    boolean pause() {
        OptionalLong pause = next();
        if (pause.isEmpty()) {
            return false;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(pause.getAsLong());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }

    /** What is left, at least a millisecond. */
    Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }
}
