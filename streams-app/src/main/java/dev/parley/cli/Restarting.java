package dev.parley.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a stream thread again that has failed, after a pause that grows: one line a try, not a stack trace a second. */
final class Restarting implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Restarting.class);
    private static final int MOST_SECONDS = 30;
    private static final long CALM_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final String name;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long lastFailure = System.nanoTime();

    Restarting(String name) {
        this.name = name;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable exception) {
        long now = System.nanoTime();
        if (now - lastFailure > CALM_NANOS) {
            failures.set(0);
        }
        lastFailure = now;
        int pause = Math.min(MOST_SECONDS, 1 << Math.min(failures.getAndIncrement(), 5));
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        LOG.error(
                "{} stopped: {}: {}; it starts again in {} s",
                name,
                root.getClass().getSimpleName(),
                root.getMessage(),
                pause);
        LOG.debug("The whole story:", exception);
        try {
            TimeUnit.SECONDS.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
}
