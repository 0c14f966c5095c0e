package dev.parley.server.accesslog;

import dev.parley.encoding.Sha256;
import dev.parley.json.ApiJson;
import dev.parley.logging.LogThrottle;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.AccessLog;
import dev.parley.topology.kafka.ExceptionSummary;
import dev.parley.topology.kafka.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the access log to its topic. An entry has room from the moment at which its read is admitted until the brokers
 * have acknowledged it; a failed one is sent again. So a read without room is refused, and only a crash of the instance
 * loses entries, at most those of the buffer.
 */
public final class KafkaAccessLog implements AccessLog, RunningFeature {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaAccessLog.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Maximum bytes of a record: names and targets are bounded, and JSON takes at most six bytes for a character. */
    private static final int RECORD_BYTES = 64 << 10;

    private final String topic;
    private final Semaphore room;
    private final int capacity;
    private final Producer<byte[], byte[]> producer;
    /** Sends the entries, because the producer may block. */
    private final ScheduledExecutorService writer =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-access-log", true));

    private final LogThrottle failures = new LogThrottle();
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
                new KafkaProducer<>(StreamsSettings.acknowledgedWriter(
                        clients, TIMEOUT, (int) TIMEOUT.toMillis(), RECORD_BYTES, 32L << 20)),
                capacity);
    }

    KafkaAccessLog(String topic, Producer<byte[], byte[]> producer, int capacity) {
        this.topic = topic;
        this.producer = producer;
        this.capacity = capacity;
        this.room = new Semaphore(capacity);
    }

    @Override
    public void contribute(FeatureContext context, Contributions contributions) {
        contributions.accessLog(this).capability("accessLog", caller -> true);
    }

    @Override
    public Optional<Consumer<Access>> reserve() {
        return closing || !room.tryAcquire()
                ? Optional.empty()
                : Optional.of(access -> writer.execute(() -> send(record(access))));
    }

    private ProducerRecord<byte[], byte[]> record(Access access) {
        String key = access.conversation() == null ? access.route() : access.conversation();
        // Keys have a fixed size, because names in paths may be long.
        return new ProducerRecord<>(topic, Sha256.of(key.getBytes(StandardCharsets.UTF_8)), ApiJson.bytes(access));
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        try {
            producer.send(record, (metadata, unsent) -> {
                if (unsent == null) {
                    room.release();
                } else {
                    sendAgain(record, unsent);
                }
            });
        } catch (KafkaException e) {
            sendAgain(record, e);
        }
    }

    private void sendAgain(ProducerRecord<byte[], byte[]> record, Exception failure) {
        failures.log(repeated -> LOG.error(
                "Entries of the access log are sent again: {}{}",
                ExceptionSummary.of(failure),
                repeated == 0 ? "" : "; " + repeated + " more failures since the previous line"));
        writer.schedule(() -> send(record), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for the brokers to acknowledge all entries, at most for the timeout of a request. */
    @Override
    public void close() {
        closing = true;
        try {
            if (room.tryAcquire(capacity, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                room.release(capacity);
            } else {
                LOG.error(
                        "{} entries of the access log were not acknowledged before the shutdown timeout, and may be"
                                + " lost",
                        capacity - room.availablePermits());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            producer.close(Duration.ZERO);
            writer.shutdownNow();
        }
    }
}
