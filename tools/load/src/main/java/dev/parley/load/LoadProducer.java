package dev.parley.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a load at a steady rate, each record once and in order, even if brokers restart. Can be paused and resumed.
 * Records that the brokers cannot take for a long time are sent when they can.
 */
public final class LoadProducer implements AutoCloseable {
    private static final int TIMEOUT_MS = (int) Duration.ofMinutes(30).toMillis();
    private static final int BATCHES_A_SECOND = 20;

    private final Load load;
    private final double perSecond;
    private final Producer<byte[], byte[]> producer;
    private final BiConsumer<RecordMetadata, LoadRecord> acknowledged;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "load-producer");
    /** One permit, which the sending thread holds while it sends, and the caller while it is paused. */
    private final Semaphore turn = new Semaphore(0, true);

    /**
     * Creates a paused producer.
     *
     * @param load the load to send
     * @param perSecond records per second
     * @param settings settings that override the defaults; at least the brokers
     * @param acknowledged called on the producer's thread for each acknowledged record
     */
    public LoadProducer(
            Load load,
            double perSecond,
            Map<String, Object> settings,
            BiConsumer<RecordMetadata, LoadRecord> acknowledged) {
        this.acknowledged = acknowledged;
        this.load = load;
        this.perSecond = perSecond;
        Map<String, Object> all = new HashMap<>(Map.of("delivery.timeout.ms", TIMEOUT_MS, "linger.ms", 10));
        all.put("max.block.ms", (long) TIMEOUT_MS);
        all.put("request.timeout.ms", 5_000);
        all.putAll(settings);
        producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        thread.setDaemon(true);
        thread.start();
    }

    public void resume() {
        turn.release();
    }

    /**
     * Pauses, and waits until the brokers have acknowledged all records.
     *
     * @throws IllegalStateException if they have rejected a record
     */
    public void pause() throws InterruptedException {
        turn.acquire();
        producer.flush();
        check();
    }

    /**
     * Ends every conversation, and waits until the brokers have acknowledged all records. After that, only patches
     * whose base never comes lack a base.
     *
     * @throws IllegalStateException if they have rejected a record
     */
    public void finish() throws InterruptedException {
        turn.acquire();
        load.end();
        for (LoadRecord record = load.next(); record != null; record = load.next()) {
            send(record);
        }
        producer.flush();
        check();
    }

    /** Number of records sent so far. */
    public long sent() {
        return sent.get();
    }

    /** Throws if the brokers have rejected a record or sending has failed. */
    public void check() {
        if (failure.get() != null) {
            throw new IllegalStateException("sending stopped after " + sent() + " records", failure.get());
        }
    }

    private void run() {
        long batch = Math.max(1, Math.round(perSecond / BATCHES_A_SECOND));
        long nanos = (long) (batch / perSecond * TimeUnit.SECONDS.toNanos(1));
        try {
            while (true) {
                turn.acquire();
                try {
                    long due = System.nanoTime() + nanos;
                    for (int i = 0; i < batch && failure.get() == null; i++) {
                        send(load.next());
                    }
                    LockSupport.parkNanos(due - System.nanoTime());
                } finally {
                    turn.release();
                }
            }
        } catch (InterruptedException | InterruptException e) {
            // Closed.
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void send(LoadRecord next) {
        producer.send(next.record(), (metadata, exception) -> {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            } else {
                acknowledged.accept(metadata, next);
            }
        });
        sent.incrementAndGet();
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
        producer.close(Duration.ofSeconds(30));
    }
}
