package dev.parley.server.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops components in parallel under one deadline. */
final class ShutdownCoordinator {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownCoordinator.class);

    private final long deadline;

    /**
     * A shutdown that starts now.
     *
     * @param timeout maximum time for all components
     */
    ShutdownCoordinator(Duration timeout) {
        deadline = System.nanoTime() + timeout.toNanos();
    }

    /** Time until the deadline; at least 1 ms, because a component that is given no time would not stop. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadline - System.nanoTime()));
    }

    /** The wanted time, or the remaining time if that is shorter. */
    Duration atMost(Duration wanted) {
        Duration remaining = remaining();
        return wanted.compareTo(remaining) < 0 ? wanted : remaining;
    }

    /**
     * Stops a component on a thread of its own.
     *
     * @param name name for the log
     * @param stop stops the component within the remaining time; returns whether it did
     */
    Stopping begin(String name, Predicate<Duration> stop) {
        Stopping component = new Stopping(name, new CountDownLatch(1), new AtomicBoolean());
        Thread thread = new Thread(
                () -> {
                    try {
                        if (!stop.test(remaining())) {
                            component.late();
                        }
                    } catch (RuntimeException e) {
                        LOG.warn("{} failed to stop", name, e);
                        component.reported().set(true);
                    } finally {
                        component.stopped.countDown();
                    }
                },
                "parley-stop-" + name);
        thread.setDaemon(true);
        thread.start();
        return component;
    }

    /**
     * Waits until the components have stopped or the deadline has passed; logs those that have not stopped.
     *
     * @return whether all have stopped in time
     */
    boolean await(List<Stopping> components) {
        for (Stopping component : components) {
            try {
                if (!component.stopped.await(remaining().toMillis(), TimeUnit.MILLISECONDS)) {
                    component.late();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return components.stream().noneMatch(component -> component.reported().get());
    }

    /** Waits until a component has stopped or the deadline has passed, and logs nothing. Returns whether it has. */
    boolean hasStopped(Stopping component) {
        try {
            return component.stopped.await(remaining().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sleeps, unless the thread is interrupted. */
    void pause(Duration pause) {
        try {
            TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A component that is stopping. */
    record Stopping(String name, CountDownLatch stopped, AtomicBoolean reported) {
        private void late() {
            if (!reported.getAndSet(true)) {
                LOG.warn("{} exceeded the shutdown timeout; uncommitted work will be reprocessed", name);
            }
        }
    }
}
