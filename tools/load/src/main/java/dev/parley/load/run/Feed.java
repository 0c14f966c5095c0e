package dev.parley.load.run;

import dev.parley.load.sample.Input;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;

/** Sends the records of an input in order, at once or at a steady rate. Closing it stops it. */
final class Feed implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 5;

    private final Producer<byte[], byte[]> producer;
    private final Input input;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private long sent;

    /** @param producer producer to close in the end */
    Feed(Producer<byte[], byte[]> producer, Input input) {
        this.producer = producer;
        this.input = input;
    }

    /** Sends records up to a total number of them. */
    void send(long total) {
        try {
            while (sent < total) {
                producer.send(input.at(sent++), (metadata, exception) -> failure.compareAndSet(null, exception));
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Goes on sending from a thread of its own, at a rate. */
    void start(double perSecond) {
        long begin = System.nanoTime();
        long first = sent;
        executor.scheduleWithFixedDelay(
                () -> send(first + (long) ((System.nanoTime() - begin) / 1e9 * perSecond)),
                0,
                INTERVAL_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Stops, and throws if a record could not be sent. */
    @Override
    public void close() throws InterruptedException {
        executor.shutdown();
        if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("The feed did not stop");
        }
        producer.close();
        if (failure.get() != null) {
            throw new IllegalStateException("The broker did not take all messages", failure.get());
        }
    }
}
