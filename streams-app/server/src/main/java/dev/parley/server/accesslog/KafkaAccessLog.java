package dev.parley.server.accesslog;

import dev.parley.codec.Excerpt;
import dev.parley.decode.Sha256;
import dev.parley.json.ApiJson;
import dev.parley.server.http.AccessLog;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the access log to its topic. An entry has room from the moment at which its read is admitted until the brokers
 * have acknowledged it; a failed one is sent again. So a read without room is refused, and only a crash of the instance
 * loses entries, at most those of the buffer.
 */
public final class KafkaAccessLog implements AccessLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaAccessLog.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Maximum characters of a target, and of the name of a conversation, in an entry. */
    static final int MAX_NAME = 2_000;

    /** Maximum bytes of a record: names and targets are bounded, and JSON takes at most six bytes for a character. */
    private static final int RECORD_BYTES = 64 << 10;

    private final String topic;
    private final Semaphore room;
    private final int capacity;
    private final BlockingQueue<ProducerRecord<byte[], byte[]>> queue;
    private final Producer<byte[], byte[]> producer;
    private final Thread writer;
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean closing;

    /**
     * Starts the writer.
     *
     * @param topic topic of the access log
     * @param clients settings of all Kafka clients
     * @param capacity maximum entries that the brokers have not acknowledged
     */
    public KafkaAccessLog(String topic, Map<String, Object> clients, int capacity) {
        this(
                topic,
                new KafkaProducer<>(
                        StreamsSettings.acknowledgedWriter(
                                clients, TIMEOUT, (int) TIMEOUT.toMillis(), RECORD_BYTES, 32L << 20),
                        new ByteArraySerializer(),
                        new ByteArraySerializer()),
                capacity);
    }

    KafkaAccessLog(String topic, Producer<byte[], byte[]> producer, int capacity) {
        this.topic = topic;
        this.producer = producer;
        this.capacity = capacity;
        this.room = new Semaphore(capacity);
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.writer = new Thread(this::write, "parley-access-log");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public Optional<Entry> reserve() {
        if (closing || !room.tryAcquire()) {
            return Optional.empty();
        }
        AtomicBoolean written = new AtomicBoolean();
        return Optional.of(access -> {
            if (!written.getAndSet(true)) {
                // There is room for every reserved entry.
                queue.add(record(access));
            }
        });
    }

    private ProducerRecord<byte[], byte[]> record(Access access) {
        Access entry = new Access(
                access.time(),
                access.principal(),
                access.role(),
                access.route(),
                cut(access.target()),
                access.conversation() == null ? null : cut(access.conversation()),
                access.status());
        String key = access.conversation() == null ? access.route() : access.conversation();
        // Keys have a fixed size, because names in paths may be long.
        return new ProducerRecord<>(topic, Sha256.of(key.getBytes(StandardCharsets.UTF_8)), ApiJson.bytes(entry));
    }

    private static String cut(String text) {
        return Excerpt.cut(text, MAX_NAME);
    }

    private void write() {
        try {
            while (true) {
                Exception last = failure.getAndSet(null);
                if (last != null) {
                    LOG.error("Entries of the access log are sent again: {}", ExceptionSummary.of(last));
                    TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
                }
                ProducerRecord<byte[], byte[]> record = queue.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (record != null) {
                    send(record);
                } else if (closing && room.availablePermits() == capacity) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            // Closed: what remains is reported there.
            Thread.currentThread().interrupt();
        }
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record, (metadata, unsent) -> {
                if (unsent == null) {
                    room.release();
                } else {
                    failure.set(unsent);
                    queue.add(record);
                }
            });
        } catch (KafkaException e) {
            failure.set(e);
            queue.add(record);
        }
    }

    /** Waits for the brokers to acknowledge all entries, at most for the timeout of a request. */
    @Override
    public void close() {
        closing = true;
        try {
            writer.join(TIMEOUT.toMillis());
            if (writer.isAlive()) {
                writer.interrupt();
                writer.join(PAUSE.toMillis());
                LOG.error(
                        "{} entries of the access log were not acknowledged before the shutdown timeout, and may be"
                                + " lost",
                        capacity - room.availablePermits());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
