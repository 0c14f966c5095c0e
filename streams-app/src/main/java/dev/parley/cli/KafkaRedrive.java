package dev.parley.cli;

import dev.parley.query.Redrive;
import dev.parley.topology.DeadLetterSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reads one dead letter, of committed transactions only, and sends it to the input topic and partition that it names: idempotently, and acknowledged by all
 * replicas. One at a time; the clients are made when first needed.
 */
final class KafkaRedrive implements Redrive, AutoCloseable {
    private final Map<String, Object> clients;
    private final int recordBytes;
    private final Duration patience;
    private final ReentrantLock turn = new ReentrantLock(true);
    private Consumer<byte[], byte[]> consumer;
    private Producer<byte[], byte[]> producer;

    /**
     * @param clients what every Kafka client starts from
     * @param recordBytes most bytes of a record
     * @param patience how long one call may take, about
     */
    KafkaRedrive(Map<String, Object> clients, int recordBytes, Duration patience) {
        this.clients = Map.copyOf(clients);
        this.recordBytes = recordBytes;
        this.patience = patience;
    }

    @Override
    public Outcome redrive(String topic, int partition, long offset) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            if (!turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Outcome.Unavailable("Other dead letters are being sent; this one was not.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Unavailable("Parley stops; the dead letter was not sent.");
        }
        try {
            Optional<ConsumerRecord<byte[], byte[]>> letter =
                    read(new TopicPartition(topic, partition), offset, deadline);
            return letter.isEmpty()
                    ? new Outcome.Unknown("There is no dead letter at " + topic + "-" + partition + "@" + offset
                            + ", or it is there no longer.")
                    : send(letter.get(), deadline);
        } catch (OffsetOutOfRangeException e) {
            return new Outcome.Unknown(
                    "The dead letter at " + topic + "-" + partition + "@" + offset + " is there no longer.");
        } catch (KafkaException e) {
            return new Outcome.Unavailable("The dead letter could not be read, so it was not sent: " + e.getMessage());
        } finally {
            turn.unlock();
        }
    }

    private Optional<ConsumerRecord<byte[], byte[]>> read(TopicPartition place, long offset, long deadline) {
        Consumer<byte[], byte[]> reader = consumer();
        if (place.partition()
                >= reader.partitionsFor(place.topic(), left(deadline)).size()) {
            return Optional.empty();
        }
        long first = reader.beginningOffsets(List.of(place), left(deadline)).get(place);
        long end = reader.endOffsets(List.of(place), left(deadline)).get(place);
        if (offset < first || offset >= end) {
            return Optional.empty();
        }
        reader.assign(List.of(place));
        try {
            reader.seek(place, offset);
            // A place without a record, such as the end of a transaction, moves the position on without giving
            // anything.
            while (reader.position(place, left(deadline)) <= offset) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(left(deadline))) {
                    return Optional.of(record).filter(found -> found.offset() == offset);
                }
            }
            return Optional.empty();
        } finally {
            reader.unsubscribe();
        }
    }

    private Outcome send(ConsumerRecord<byte[], byte[]> letter, long deadline) {
        Optional<DeadLetterSource> source = DeadLetterSource.of(letter.headers());
        if (source.isEmpty()) {
            return new Outcome.Refused("The dead letter does not name an input topic of Parley that it came from.");
        }
        String topic = source.get().topic();
        try {
            RecordMetadata sent = producer()
                    .send(new ProducerRecord<>(
                            topic, source.get().partition(), null, letter.key(), letter.value(), letter.headers()))
                    .get(left(deadline).toMillis(), TimeUnit.MILLISECONDS);
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

    private Consumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            Map<String, Object> settings = new HashMap<>(clients);
            settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
            settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
            settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
            settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        return consumer;
    }

    private Producer<byte[], byte[]> producer() {
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
            settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(32L << 20, 2L * recordBytes));
            producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        }
        return producer;
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    @Override
    public void close() {
        turn.lock();
        try {
            if (consumer != null) {
                consumer.close();
            }
            if (producer != null) {
                producer.close();
            }
        } finally {
            turn.unlock();
        }
    }
}
