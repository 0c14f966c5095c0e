package dev.parley.server.ingest;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects brokers that do not acknowledge messages, so that further ones are refused at once instead of after a
 * timeout. Thread-safe.
 */
final class AcknowledgmentMonitor {

    private final long maxNanos;
    private final LongSupplier nanoTime;
    private int waiting;
    private long progress;

    /**
     * @param patience time without an acknowledgment, while messages wait for one, after which brokers count as stalled
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    AcknowledgmentMonitor(Duration patience, LongSupplier nanoTime) {
        this.maxNanos = patience.toNanos();
        this.nanoTime = nanoTime;
    }

    synchronized void sent() {
        if (waiting == 0) {
            progress = nanoTime.getAsLong();
        }
        waiting++;
    }

    /** @param acknowledged false if the message failed */
    synchronized void completed(boolean acknowledged) {
        waiting--;
        if (acknowledged) {
            progress = nanoTime.getAsLong();
        }
    }

    /** Whether messages wait, and none has been acknowledged for too long. */
    synchronized boolean isStalled() {
        return waiting > 0 && nanoTime.getAsLong() - progress > maxNanos;
    }
}
