package dev.parley.load.hostile;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One attack, repeated at an interval until it is closed. Starts paused.
 *
 * <p>Counts failed steps and prints the first: an attacker that Parley or a broker rejects tries again.
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

    /** One step of the attack. */
    interface Step {
        /** Runs the step; any exception means that it was rejected. */
        void run() throws Exception;
    }

    /**
     * Creates an attack that waits for {@link #begin}.
     *
     * @param name name in reports
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
