package dev.parley.topology.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lengthens the polls of stream threads while they are idle. A record ends a poll at once, but a thread that waits can
 * neither commit nor punctuate. So a thread keeps its short polls until all records are committed and no punctuation
 * produces any. Thread-safe.
 */
final class IdlePolling {
    /** More than Kafka Streams' default time between two transactions of a thread, 100 ms. */
    private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration IDLE_POLL = Duration.ofMillis(500);

    private final LongSupplier nanoTime;
    private volatile long workedNanos;

    /**
     * Creates an instance for threads that are not idle yet.
     *
     * @param nanoTime clock in nanoseconds
     */
    IdlePolling(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        workedNanos = nanoTime.getAsLong();
    }

    /** Notes that a thread received records or committed. */
    void worked() {
        workedNanos = nanoTime.getAsLong();
    }

    /**
     * Returns the timeout of a poll.
     *
     * @param timeout the timeout that Kafka Streams chose; zero if it must not wait
     */
    Duration timeout(Duration timeout) {
        boolean idle = nanoTime.getAsLong() - workedNanos > IDLE_NANOS;
        return idle && !timeout.isZero() && timeout.compareTo(IDLE_POLL) < 0 ? IDLE_POLL : timeout;
    }
}
