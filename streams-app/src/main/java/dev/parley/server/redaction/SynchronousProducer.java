package dev.parley.server.redaction;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes single records idempotently and waits until all replicas have acknowledged them. Connects on first use. */
final class SynchronousProducer implements AutoCloseable {
    private static final long MIN_BUFFER_BYTES = 32L << 20;

    private final Map<String, Object> clients;
    private final int recordBytes;
    private final Duration timeout;
    private Producer<byte[], byte[]> producer;

    /**
     * A producer; it connects with the first record.
     *
     * @param clients settings of all Kafka clients
     * @param recordBytes maximum size of a record, in bytes
     * @param timeout maximum time for the brokers
     */
    SynchronousProducer(Map<String, Object> clients, int recordBytes, Duration timeout) {
        this.clients = Map.copyOf(clients);
        this.recordBytes = recordBytes;
        this.timeout = timeout;
    }

    /** Writes a record and waits for the acknowledgment. */
    SendResult send(ProducerRecord<byte[], byte[]> record, Duration atMost) {
        String topic = record.topic();
        try {
            RecordMetadata sent = producer().send(record).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return new SendResult.Sent(sent.topic(), sent.partition(), sent.offset());
        } catch (ExecutionException | KafkaException e) {
            String reason = e instanceof ExecutionException ? e.getCause().getMessage() : e.getMessage();
            return new SendResult.Unavailable("The brokers rejected the record for " + topic + ": " + reason);
        } catch (TimeoutException e) {
            return new SendResult.Unavailable("Timed out waiting for " + topic
                    + " to acknowledge. Check whether the record exists before retrying.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new SendResult.Unavailable(
                    "The instance is stopping; the record for " + topic + " may have been sent.");
        }
    }

    /** Returns settings of a producer that gives up a record after the timeout. */
    static Map<String, Object> settings(
            Map<String, Object> clients, Duration timeout, int maxBlockMs, int recordBytes, long bufferBytes) {
        Map<String, Object> settings = new HashMap<>(clients);
        int millis = (int) timeout.toMillis();
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, maxBlockMs);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, recordBytes);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, bufferBytes);
        return settings;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (producer == null) {
            Map<String, Object> settings = settings(
                    clients,
                    timeout,
                    (int) timeout.toMillis(),
                    recordBytes,
                    Math.max(MIN_BUFFER_BYTES, 2L * recordBytes));
            producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        }
        return producer;
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close();
        }
    }
}
