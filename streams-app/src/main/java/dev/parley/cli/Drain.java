package dev.parley.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One time for a whole stop: parts that need not wait for each other stop together, and each is told how long it has. */
final class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final long deadline;

    Drain(Duration bound) {
        deadline = System.nanoTime() + bound.toNanos();
    }

    /** What is left of the bound; at least a moment, for a part that is told nothing stops nothing. */
    Duration left() {
        return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadline - System.nanoTime()));
    }

    /** That time, or what is left if that is less. */
    Duration atMost(Duration wanted) {
        Duration left = left();
        return wanted.compareTo(left) < 0 ? wanted : left;
    }

    /**
     * Begins to stop a part on a thread of its own.
     *
     * @param stop is given what is left, and tells whether it was enough
     */
    Stopping begin(String name, Predicate<Duration> stop) {
        Stopping part = new Stopping(name, new CountDownLatch(1), new AtomicBoolean());
        Thread thread = new Thread(
                () -> {
                    try {
                        if (!stop.test(left())) {
                            part.late();
                        }
                    } catch (RuntimeException e) {
                        LOG.warn("{} did not stop in order", name, e);
                    } finally {
                        part.stopped.countDown();
                    }
                },
                "parley-stop-" + name);
        thread.setDaemon(true);
        thread.start();
        return part;
    }

    /** Waits for parts that have begun to stop, as long as there is time; says which did not. */
    void await(List<Stopping> parts) {
        for (Stopping part : parts) {
            try {
                if (!part.stopped.await(left().toMillis(), TimeUnit.MILLISECONDS)) {
                    part.late();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Waits. */
    void pause(Duration pause) {
        try {
            TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A part that stops. */
    record Stopping(String name, CountDownLatch stopped, AtomicBoolean told) {
        private void late() {
            if (!told.getAndSet(true)) {
                LOG.warn("{} did not stop in time; what it had not committed will be done again", name);
            }
        }
    }
}
