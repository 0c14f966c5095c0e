package dev.parley.benchmarks.hostile;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One attack, repeated at an interval until it is closed. It starts paused.
 *
 * <p>A step that fails is counted and shown once: an attacker whom Parley or a broker turns away tries again.
 */
final class Attack implements AutoCloseable {
    private final String name;
    private final Step step;
    private final Duration interval;
    private final Thread thread;
    private final Semaphore started = new Semaphore(0);
    private volatile boolean closed;
    private volatile long steps;
    private volatile long refused;

    /** What is done once. */
    interface Step {
        /** Does it; any exception means that it was refused. */
        void run() throws Exception;
    }

    /**
     * An attack that waits for {@link #begin}.
     *
     * @param name as reports show it
     * @param interval time between two steps
     */
    Attack(String name, Duration interval, Step step) {
        this.name = name;
        this.step = step;
        this.interval = interval;
        this.thread = new Thread(this::run, "attack-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    void begin() {
        started.release();
    }

    String name() {
        return name;
    }

    long steps() {
        return steps;
    }

    long refused() {
        return refused;
    }

    private void run() {
        try {
            started.acquire();
            while (!closed) {
                once();
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void once() throws InterruptedException {
        try {
            step.run();
            steps++;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (refused++ == 0) {
                System.err.println("hostile: " + name + " was refused: " + e);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}
