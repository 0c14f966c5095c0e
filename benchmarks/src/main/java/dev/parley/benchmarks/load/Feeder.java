package dev.parley.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
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
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a load at a steady rate, each record once and in its order, however often brokers come and go meanwhile; {@link #pause} and {@link #resume} at will. Records that the
 * brokers do not take for a long while are sent when they do.
 */
public final class Feeder implements AutoCloseable {
    private static final int PATIENCE_MS = (int) Duration.ofMinutes(30).toMillis();
    private static final int BATCHES_A_SECOND = 20;

    private final Load load;
    private final double perSecond;
    private final Producer<byte[], byte[]> producer;
    private final BiConsumer<RecordMetadata, LoadRecord> acknowledged;
    private final AtomicLong sent = new AtomicLong();
    private final Map<Fate.Verdict, AtomicLong> fates = new EnumMap<>(Fate.Verdict.class);
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "feeder");
    /** One permit: it is with the feeder while it sends, and with nobody or with whoever paused it else. */
    private final Semaphore turn = new Semaphore(0, true);

    /**
     * A feeder at rest.
     *
     * @param load what it sends
     * @param perSecond how many records
     * @param settings of the producer, over those that a feeder needs: at least the brokers
     */
    public Feeder(Load load, double perSecond, Map<String, Object> settings) {
        this(load, perSecond, settings, (metadata, record) -> {});
    }

    /**
     * A feeder at rest that reports what brokers have taken.
     *
     * @param load what it sends
     * @param perSecond how many records
     * @param settings as in {@link #Feeder(Load, double, Map)}
     * @param acknowledged called on the producer's thread for each record that a broker has taken
     */
    public Feeder(
            Load load,
            double perSecond,
            Map<String, Object> settings,
            BiConsumer<RecordMetadata, LoadRecord> acknowledged) {
        this.acknowledged = acknowledged;
        this.load = load;
        this.perSecond = perSecond;
        for (Fate.Verdict verdict : Fate.Verdict.values()) {
            fates.put(verdict, new AtomicLong());
        }
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MS);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 10);
        all.putAll(settings);
        producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        thread.setDaemon(true);
        thread.start();
    }

    /** Goes on. */
    public void resume() {
        turn.release();
    }

    /**
     * Pauses, and returns when the brokers have everything that was sent.
     *
     * @throws IllegalStateException when they have refused a record
     */
    public void pause() throws InterruptedException {
        turn.acquire();
        producer.flush();
        check();
    }

    /**
     * Ends every conversation, and returns when the brokers have everything. Until then a patch may be there whose base is not; afterwards only those are that never get one.
     *
     * @throws IllegalStateException when they have refused a record
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

    /** How many records were sent so far. */
    public long sent() {
        return sent.get();
    }

    /** How many of them have this fate. */
    public long sent(Fate.Verdict verdict) {
        return fates.get(verdict).get();
    }

    /** Says so when the brokers have refused a record, or the feeder could not go on. */
    public void check() {
        if (failure.get() != null) {
            throw new IllegalStateException("the feeder stopped after " + sent + " records", failure.get());
        }
    }

    private void run() {
        try {
            while (true) {
                turn.acquire();
                try {
                    sendBatch();
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

    private void sendBatch() {
        long begin = System.nanoTime();
        long batch = Math.max(1, Math.round(perSecond / BATCHES_A_SECOND));
        for (int i = 0; i < batch && failure.get() == null; i++) {
            send(load.next());
        }
        long due = begin + (long) (batch / perSecond * TimeUnit.SECONDS.toNanos(1));
        LockSupport.parkNanos(due - System.nanoTime());
    }

    private void send(LoadRecord next) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(next.topic(), next.key(), next.value());
        next.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        producer.send(record, (metadata, exception) -> {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            } else {
                acknowledged.accept(metadata, next);
            }
        });
        sent.incrementAndGet();
        fates.get(next.fate().verdict()).incrementAndGet();
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
        producer.close(Duration.ofSeconds(30));
    }
}
