package dev.parley.benchmarks.speed;

import dev.parley.load.sample.Input;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.InterruptException;

/** Sends the records of an input at a steady rate from a thread of its own until it is closed. */
final class Feed implements AutoCloseable {
    private static final long INTERVAL_NANOS = 5_000_000;

    private final Input input;
    private final Producer<byte[], byte[]> producer;
    private final double perSecond;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "feed");
    private final long first;

    /**
     * Starts sending.
     *
     * @param first number of the first record
     * @param producer producer to close in the end
     */
    Feed(Input input, long first, double perSecond, Producer<byte[], byte[]> producer) {
        this.input = input;
        this.first = first;
        this.producer = producer;
        this.perSecond = perSecond;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long begin = System.nanoTime();
        long sent = 0;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long due = (long) ((System.nanoTime() - begin) / 1e9 * perSecond);
                while (sent < due) {
                    producer.send(
                            input.at(first + sent++), (metadata, exception) -> failure.compareAndSet(null, exception));
                }
                LockSupport.parkNanos(INTERVAL_NANOS);
            }
        } catch (InterruptException e) {
            // Closed.
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Stops, and throws if a record could not be sent. */
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
        producer.close();
        if (failure.get() != null) {
            throw new IllegalStateException("Sending failed", failure.get());
        }
    }
}
