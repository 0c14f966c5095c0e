package dev.parley.cli;

import dev.parley.operations.RestartLog;
import dev.parley.topology.FailureTrace;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a stream thread again that has failed, after a pause that grows: one line a try, not a stack trace a second. */
final class Restarting implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Restarting.class);
    private static final int MOST_SECONDS = 30;
    private static final long CALM_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final String name;
    private final CountDownLatch stop;
    private final RestartLog log;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long lastFailure = System.nanoTime();

    /**
     * For one application.
     *
     * @param name its name
     * @param stop ends the pause when the process stops
     * @param log counts the restarts
     */
    Restarting(String name, CountDownLatch stop, RestartLog log) {
        this.log = log;
        this.name = name;
        this.stop = stop;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable exception) {
        long now = System.nanoTime();
        if (now - lastFailure > CALM_NANOS) {
            failures.set(0);
        }
        lastFailure = now;
        log.failed(exception, Instant.now());
        int pause = Math.min(MOST_SECONDS, 1 << Math.min(failures.getAndIncrement(), 5));
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        LOG.error("{} stopped: {}; it starts again in {} s", name, told(exception, root), pause);
        LOG.debug("The whole story:", exception);
        try {
            if (stop.await(pause, TimeUnit.SECONDS)) {
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /** What brokers and registry say is told; another exception's message may quote what agents said. */
    private static String told(Throwable exception, Throwable root) {
        return root instanceof KafkaException || root instanceof IOException || root instanceof RestClientException
                ? root.getClass().getSimpleName() + ": " + root.getMessage()
                : FailureTrace.of(exception);
    }
}
