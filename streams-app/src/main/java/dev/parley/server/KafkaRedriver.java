package dev.parley.server;

import dev.parley.audit.InputPartition;
import dev.parley.query.api.Redriver;
import dev.parley.query.api.SendResult;
import dev.parley.topology.setup.DeadLetterHeaders;
import dev.parley.topology.setup.StreamsSettings;
import dev.parley.topology.setup.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads one committed dead letter, and sends it to the input topic and partition that it names, idempotently and
 * acknowledged by all replicas. Handles one dead letter at a time; creates the clients on first use.
 */
public final class KafkaRedriver implements Redriver, AutoCloseable {
    private final Map<String, Object> clients;
    private final List<String> inputs;
    private final SynchronousProducer producer;
    private final Duration timeout;
    private final ReentrantLock turn = new ReentrantLock(true);
    private Consumer<byte[], byte[]> consumer;

    /**
     * A redriver.
     *
     * @param clients settings of all Kafka clients
     * @param inputs topics to which dead letters may be returned
     * @param recordBytes maximum size of a record, in bytes
     * @param timeout approximate maximum time of one call
     */
    public KafkaRedriver(Map<String, Object> clients, List<String> inputs, int recordBytes, Duration timeout) {
        this.inputs = List.copyOf(inputs);
        this.clients = Map.copyOf(clients);
        this.producer = new SynchronousProducer(clients, recordBytes, timeout);
        this.timeout = timeout;
    }

    @Override
    public SendResult redrive(String topic, int partition, long offset) {
        return redrive(topic, partition, offset, record -> {});
    }

    /**
     * Redrives as {@link #redrive(String, int, long)} does.
     *
     * @param deadLetter takes the dead letter before it is sent
     */
    public SendResult redrive(
            String topic,
            int partition,
            long offset,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> deadLetter) {
        if (!Topics.isDeadLetterTopic(topic)) {
            return new SendResult.Refused("Topic " + topic + " does not hold Parley's dead letters.");
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            if (!turn.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return new SendResult.Unavailable("Other redrives are in progress; this dead letter was not sent.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new SendResult.Unavailable("The instance is stopping; the dead letter was not sent.");
        }
        try {
            Optional<ConsumerRecord<byte[], byte[]>> letter =
                    read(new TopicPartition(topic, partition), offset, deadline);
            letter.ifPresent(deadLetter);
            return letter.isEmpty()
                    ? new SendResult.Unknown("There is no dead letter at " + topic + "-" + partition + "@" + offset
                            + ". It may have expired.")
                    : send(letter.get(), deadline);
        } catch (OffsetOutOfRangeException e) {
            return new SendResult.Unknown(
                    "The dead letter at " + topic + "-" + partition + "@" + offset + " has expired.");
        } catch (KafkaException e) {
            return new SendResult.Unavailable(
                    "The dead letter could not be read, so it was not sent: " + e.getMessage());
        } finally {
            turn.unlock();
        }
    }

    private Optional<ConsumerRecord<byte[], byte[]>> read(TopicPartition partition, long offset, long deadline) {
        Consumer<byte[], byte[]> reader = consumer();
        if (partition.partition()
                >= reader.partitionsFor(partition.topic(), remaining(deadline)).size()) {
            return Optional.empty();
        }
        long first =
                reader.beginningOffsets(List.of(partition), remaining(deadline)).get(partition);
        long end = reader.endOffsets(List.of(partition), remaining(deadline)).get(partition);
        if (offset < first || offset >= end) {
            return Optional.empty();
        }
        reader.assign(List.of(partition));
        try {
            reader.seek(partition, offset);
            // An offset without a record, such as the end of a transaction, advances the position without a record.
            while (reader.position(partition, remaining(deadline)) <= offset) {
                for (ConsumerRecord<byte[], byte[]> record : reader.poll(remaining(deadline))) {
                    return Optional.of(record).filter(found -> found.offset() == offset);
                }
            }
            return Optional.empty();
        } finally {
            reader.unsubscribe();
        }
    }

    private SendResult send(ConsumerRecord<byte[], byte[]> letter, long deadline) {
        Optional<InputPartition> source = DeadLetterHeaders.inputPartition(letter.headers(), inputs);
        if (source.isEmpty()) {
            return new SendResult.Refused("The headers of the dead letter do not name an input topic of Parley.");
        }
        if (DeadLetterHeaders.isOmitted(letter.headers())) {
            return new SendResult.Refused("The dead letter has no value, because its record was too large."
                    + " The header __streams.errors.message has a command that fetches the record from its input"
                    + " topic. Raise limits.message.bytes or reduce the message, and send it again.");
        }
        String topic = source.get().topic();
        return producer.send(
                new ProducerRecord<>(
                        topic,
                        source.get().partition(),
                        null,
                        letter.key(),
                        letter.value(),
                        DeadLetterHeaders.forRedrive(letter.headers())),
                remaining(deadline));
    }

    private Consumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            Map<String, Object> settings = StreamsSettings.committedReader(clients);
            settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }
        return consumer;
    }

    private static Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    @Override
    public void close() {
        turn.lock();
        try {
            if (consumer != null) {
                consumer.close();
            }
            producer.close();
        } finally {
            turn.unlock();
        }
    }
}
