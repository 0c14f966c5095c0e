package dev.parley.load.run;

import dev.parley.load.Markdown;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One attack, repeated at an interval from {@link #begin} until it is closed.
 *
 * <p>Counts failed steps and prints the first: an attacker that Parley or a broker rejects tries again.
 */
final class Attack implements AutoCloseable {
    private final String name;
    private final Step step;
    private final Duration interval;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /** One step of the attack. */
    interface Step {
        /** Runs the step; any exception means that it was rejected. */
        void run() throws Exception;
    }

    /**
     * Creates an attack that has not begun.
     *
     * @param name name in reports
     * @param interval time between two steps
     */
    Attack(String name, Duration interval, Step step) {
        this.name = name;
        this.step = step;
        this.interval = interval;
    }

    void begin() {
        executor.scheduleWithFixedDelay(this::once, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A row of the report: name, completed steps, rejected ones. */
    String row() {
        return Markdown.row(name, steps.get(), refused.get());
    }

    private void once() {
        try {
            step.run();
            steps.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            if (refused.getAndIncrement() == 0) {
                System.err.println("hostile: " + name + " was refused: " + e);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        executor.shutdownNow();
        if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
            System.err.println("hostile: " + name + " did not stop in time");
        }
    }
}
