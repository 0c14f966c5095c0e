package dev.parley.server.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.KafkaThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an instance, which stop phase by phase under one deadline. Within a phase they stop in the order in
 * which they were added. Parts are added by the thread that starts the instance.
 */
final class Parts {
    private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

    /** When a part stops. */
    enum Phase {
        /** Before everything: load balancers learn that the instance stops. */
        NOTICE,
        /** Consumers and producers of messages that no request needs. */
        APPLICATIONS,
        /** The HTTP API, which finishes the requests in progress. */
        API,
        /** Features, whose clients serve requests. */
        FEATURES,
        /** Views, which requests read. When the phase ends, all parts have stopped that stop in the background. */
        VIEWS,
        /** Observers of the other parts until these have stopped. */
        LAST
    }

    /** Stops a part. */
    @FunctionalInterface
    interface Stop {
        /**
         * Stops within the remaining time, as far as possible.
         *
         * @throws TimeoutException if the part has not stopped in time
         */
        void stop(Deadline deadline) throws Exception;
    }

    private record Part(String name, Phase phase, boolean background, Stop stop) {}

    /** The deadline of a shutdown. */
    record Deadline(long nanoTime) {

        static Deadline in(Duration timeout) {
            return new Deadline(System.nanoTime() + timeout.toNanos());
        }

        /** Time until the deadline; at least 1 ms, because a part that is given no time would not stop. */
        Duration remaining() {
            return Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), nanoTime - System.nanoTime()));
        }

        /** Sleeps for a time, but not beyond the deadline, unless the thread is interrupted. */
        void pause(Duration wanted) {
            try {
                TimeUnit.NANOSECONDS.sleep(
                        Math.min(wanted.toNanos(), remaining().toNanos()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final List<Part> parts = new ArrayList<>();

    /** Adds a part; the phase goes on when it has stopped. */
    void add(Phase phase, String name, AutoCloseable part) {
        addTimed(phase, name, deadline -> part.close());
    }

    /** Adds a part that needs the deadline; the phase goes on when it has stopped. */
    void addTimed(Phase phase, String name, Stop stop) {
        parts.add(new Part(name, phase, false, stop));
    }

    /** Adds a part that stops in the background, while others stop. It must stop before the phase LAST. */
    void addBackground(Phase phase, String name, Stop stop) {
        parts.add(new Part(name, phase, true, stop));
    }

    /**
     * Stops all parts. A part that fails or is late does not keep others from stopping.
     *
     * @return whether every part stopped in time
     */
    boolean stop(Duration timeout) {
        Deadline deadline = Deadline.in(timeout);
        Map<Part, FutureTask<Void>> background = new LinkedHashMap<>();
        boolean orderly = true;
        for (Phase phase : Phase.values()) {
            for (Part part : parts) {
                if (part.phase() == phase && part.background()) {
                    background.put(part, begin(part, deadline));
                } else if (part.phase() == phase) {
                    orderly &= hasStopped(part, () -> part.stop().stop(deadline));
                }
            }
            if (phase == Phase.VIEWS) {
                for (Map.Entry<Part, FutureTask<Void>> stopping : background.entrySet()) {
                    orderly &= hasStopped(
                            stopping.getKey(),
                            () -> stopping.getValue().get(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS));
                }
            }
        }
        return orderly;
    }

    private static FutureTask<Void> begin(Part part, Deadline deadline) {
        FutureTask<Void> stopping = new FutureTask<>(() -> {
            part.stop().stop(deadline);
            return null;
        });
        KafkaThread.daemon("parley-stop-" + part.name(), stopping).start();
        return stopping;
    }

    /** Waits until a part has stopped, and logs if it fails or is late. */
    private static boolean hasStopped(Part part, AutoCloseable stop) {
        try {
            stop.close();
            return true;
        } catch (InterruptedException e) {
            LOG.warn("{} was interrupted while it stopped", part.name());
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            // Errors too: the other parts must stop whatever this one does.
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            if (cause instanceof TimeoutException) {
                LOG.warn("{} exceeded the shutdown timeout; uncommitted work will be reprocessed", part.name());
            } else {
                LOG.warn("{} failed to stop", part.name(), cause);
            }
        }
        return false;
    }
}
