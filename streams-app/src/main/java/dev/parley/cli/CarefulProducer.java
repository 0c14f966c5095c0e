package dev.parley.cli;

import dev.parley.query.Outcome;
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

/** Writes single records that somebody waits for: idempotently, and acknowledged by all replicas. Its client is made when first needed. */
final class CarefulProducer implements AutoCloseable {
    private static final long LEAST_BUFFER = 32L << 20;

    private final Map<String, Object> clients;
    private final int recordBytes;
    private final Duration patience;
    private Producer<byte[], byte[]> producer;

    /**
     * @param clients what every Kafka client starts from
     * @param recordBytes most bytes of a record
     * @param patience how long the brokers may take
     */
    CarefulProducer(Map<String, Object> clients, int recordBytes, Duration patience) {
        this.clients = Map.copyOf(clients);
        this.recordBytes = recordBytes;
        this.patience = patience;
    }

    /** Writes a record and waits for it. */
    Outcome send(ProducerRecord<byte[], byte[]> record, Duration atMost) {
        String topic = record.topic();
        try {
            RecordMetadata sent = producer().send(record).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return new Outcome.Sent(sent.topic(), sent.partition(), sent.offset());
        } catch (ExecutionException | KafkaException e) {
            String reason = e instanceof ExecutionException ? e.getCause().getMessage() : e.getMessage();
            return new Outcome.Unavailable("The brokers did not take the record for " + topic + ": " + reason);
        } catch (TimeoutException e) {
            return new Outcome.Unavailable("The brokers did not say in time whether they took the record for " + topic
                    + ". It may be there or come yet; look before you send it again.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Unavailable("Parley stops; whether the record for " + topic + " was sent is not known.");
        }
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (producer == null) {
            Map<String, Object> settings = new HashMap<>(clients);
            int millis = (int) patience.toMillis();
            settings.put(ProducerConfig.ACKS_CONFIG, "all");
            settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
            settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
            settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
            settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
            settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
            settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, recordBytes);
            settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(LEAST_BUFFER, 2L * recordBytes));
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
