package dev.parley.topology.lifecycle;

import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.topics.AdminFutures;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces a failed stream thread after an exponential backoff, with one log line for each failure. */
public final class RestartingExceptionHandler implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(RestartingExceptionHandler.class);
    private static final int MAX_SECONDS = 30;
    private static final long RESET_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Part of the message of Kafka Streams, which has no exception of its own for this failure. */
    private static final String PARTITIONS_DIFFER = "has invalid partitions";

    private static final String PARTITIONS_ADDED = "Partitions were added to an input topic, so its records would get"
            + " other tasks and logs. Stop every instance and run parley reset --empty-outputs";

    private final String name;
    private final CountDownLatch stop;
    private final RestartLog log;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long lastFailure = System.nanoTime();

    /**
     * A handler for one application.
     *
     * @param stop ends the backoff when the instance stops
     * @param log records the restarts
     */
    public RestartingExceptionHandler(String name, CountDownLatch stop, RestartLog log) {
        this.log = log;
        this.name = name;
        this.stop = stop;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable exception) {
        long now = System.nanoTime();
        if (now - lastFailure > RESET_NANOS) {
            failures.set(0);
        }
        lastFailure = now;
        log.failed(exception, Instant.now());
        int pause = Math.min(MAX_SECONDS, 1 << Math.min(failures.getAndIncrement(), 5));
        LOG.error(
                "Stream thread of {} failed: {}. Restarting in {} s.",
                name,
                described(exception, AdminFutures.rootCause(exception)),
                pause);
        LOG.debug("Stack trace of the failure:", exception);
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

    /**
     * The message, if it comes from brokers, registry or TLS; others may quote agents, so only the trace is logged.
     */
    private static String described(Throwable exception, Throwable root) {
        if (root instanceof RocksDBException) {
            return ExceptionSummary.of(exception)
                    + ". If this repeats and the disk has space, restart the instance, which deletes damaged state";
        }
        if (!(root instanceof KafkaException
                || root instanceof IOException
                || root instanceof RestClientException
                || root instanceof GeneralSecurityException)) {
            return ExceptionSummary.of(exception);
        }
        String message = root.getClass().getSimpleName() + ": " + AdminFutures.root(root);
        return message.contains(PARTITIONS_DIFFER) ? message + ". " + PARTITIONS_ADDED : message;
    }
}
