package dev.parley.server.fencing;

import dev.parley.audit.InputPosition;
import dev.parley.logging.LogThrottle;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition that one instance of a deployment writes at a time, and whose records the writer knows.
 *
 * <p>All instances use the same transactional ID for the partition. To acquire it, an instance starts its producer,
 * which ends the transaction of the previous owner and fences it, and then reads the partition to its end. It thus
 * knows every record, and no other instance can add one until it has fenced this one. After a failure, such as a commit
 * without an answer, the owner must release the partition: acquiring it again shows what was committed.
 *
 * <p>Not thread-safe; connects on first use.
 */
public final class OwnedPartition implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedPartition.class);
    private static final int MIN_PAUSE_MS = 10;
    private static final int MAX_PAUSE_MS = 100;

    private final TopicPartition partition;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Supplier<TopicReader> readers;
    private final Supplier<OptionalLong> oldest;
    private final Consumer<ConsumerRecord<byte[], byte[]>> each;
    private Producer<byte[], byte[]> producer;
    private TopicReader reader;
    private long next = -1;
    private final LogThrottle failures = new LogThrottle();

    /**
     * The owner's transactions.
     *
     * @param id transactional ID, which is the same on all instances
     * @param timeout maximum time for the brokers; after a crash, readers wait for the end of a transaction this long
     * @param recordBytes maximum size of a record
     * @param bufferBytes size of the producer's buffer
     */
    public record Transactions(String id, Duration timeout, int recordBytes, long bufferBytes) {}

    /**
     * A partition of a topic.
     *
     * @param clients settings of all Kafka clients
     * @param oldest returns the time of the oldest record to read, in milliseconds since 1970; empty to read all
     * @param each receives each committed record once, except that a topic that was created again is read again
     */
    public OwnedPartition(
            TopicPartition partition,
            Map<String, Object> clients,
            Transactions transactions,
            Supplier<OptionalLong> oldest,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        this(
                partition,
                () -> producer(clients, transactions),
                () -> new TopicReader(clients, transactions.timeout()),
                oldest,
                each);
    }

    OwnedPartition(
            TopicPartition partition,
            Supplier<Producer<byte[], byte[]>> producers,
            Supplier<TopicReader> readers,
            Supplier<OptionalLong> oldest,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        this.partition = partition;
        this.producers = producers;
        this.readers = readers;
        this.oldest = oldest;
        this.each = each;
    }

    private static Producer<byte[], byte[]> producer(Map<String, Object> clients, Transactions transactions) {
        int millis = (int) transactions.timeout().toMillis();
        Map<String, Object> settings = StreamsSettings.acknowledgedWriter(
                clients, transactions.timeout(), millis, transactions.recordBytes(), transactions.bufferBytes());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactions.id());
        settings.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis);
        return new KafkaProducer<>(settings);
    }

    /**
     * Makes an attempt to write. After a failure it releases the partition: the next attempt, mostly by this instance,
     * acquires it again and so reads what was committed.
     *
     * @param attempt writes with the producer of the owner, which has no open transaction before and after it
     */
    public <T> T write(Function<Producer<byte[], byte[]>, T> attempt) {
        try {
            return attempt.apply(acquire());
        } catch (RuntimeException | Error e) {
            if (hasCause(e, AuthorizationException.class)) {
                abort(e);
            }
            release();
            throw e;
        }
    }

    /** Without permission there may be no next owner soon, whose start would end the transaction. */
    private void abort(Throwable failure) {
        try {
            if (producer != null) {
                producer.abortTransaction();
            }
        } catch (KafkaException | IllegalStateException again) {
            failure.addSuppressed(again);
        }
    }

    /**
     * Acquires the partition, unless this instance owns it or has not noticed the loss. All records are read when it
     * returns.
     *
     * @return the producer of the owner, without a transaction
     */
    Producer<byte[], byte[]> acquire() {
        if (producer == null) {
            try {
                producer = producers.get();
                producer.initTransactions();
                // With open transactions, whose end it waits for.
                readTo(reader().ends(List.of(partition)));
                LOG.debug("Acquired {}", partition);
            } catch (RuntimeException e) {
                release();
                throw e;
            }
        }
        return producer;
    }

    /** Releases the partition, so that the next {@link #write} acquires it again. */
    void release() {
        Producer<byte[], byte[]> closing = producer;
        producer = null;
        if (closing != null) {
            try {
                closing.close(Duration.ZERO);
            } catch (KafkaException e) {
                // The start of the next owner ends the transaction anyway.
                LOG.debug("Closing the producer of {} failed", partition, e);
            }
        }
    }

    /**
     * Waits before another attempt after a failure, and logs the failure unless it is expected. Two instances that
     * fence each other wait for different times.
     *
     * @throws InterruptException if the thread is interrupted
     */
    public void pause(RuntimeException failure) {
        if (isFenced(failure)) {
            LOG.debug("Another instance acquired {}; acquiring it again", partition);
        } else {
            failures.log(repeated -> LOG.warn(
                    "Cannot write to {}; retrying: {} ({} more since the last line)", partition, failure, repeated));
        }
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(MIN_PAUSE_MS, MAX_PAUSE_MS));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Whether a failure says that another instance acquired the partition. */
    static boolean isFenced(Throwable failure) {
        return failure instanceof ProducerFencedException || failure instanceof InvalidProducerEpochException;
    }

    /** Reads new committed records up to the first open transaction, without acquiring the partition. */
    public void refresh() {
        readTo(reader().stableEnds(List.of(partition)));
    }

    /** Reads a committed record; empty if there is none at this offset, which is less than the end. */
    public Optional<ConsumerRecord<byte[], byte[]>> read(long offset) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        reader().read(Map.of(partition, offset), Map.of(partition, offset + 1), found::add);
        return found.stream().findFirst();
    }

    private void readTo(Map<TopicPartition, Long> ends) {
        long end = ends.get(partition);
        long begin = reader().begins(List.of(partition)).get(partition);
        if (next < 0 || next > end) {
            // At the start, or after the topic was created again.
            OptionalLong time = oldest.get();
            next = time.isEmpty()
                    ? begin
                    : reader().at(List.of(partition), time.getAsLong()).get(partition);
        }
        // Some records may have expired.
        reader().read(Map.of(partition, Math.max(begin, next)), ends, record -> {
            each.accept(record);
            next = record.offset() + 1;
        });
        next = end;
    }

    private TopicReader reader() {
        if (reader == null) {
            reader = readers.get();
        }
        return reader;
    }

    /** The result of a send after a flush. */
    public static RecordMetadata result(Future<RecordMetadata> sent) {
        try {
            return sent.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** The position of a record that was written. */
    public static InputPosition position(RecordMetadata written) {
        return new InputPosition(written.topic(), written.partition(), written.offset());
    }

    /** Whether a failure or one of its causes is of a type. */
    public static boolean hasCause(Throwable failure, Class<? extends KafkaException> type) {
        return type.isInstance(failure) || failure.getCause() != null && hasCause(failure.getCause(), type);
    }

    @Override
    public void close() {
        release();
        if (reader != null) {
            reader.close();
        }
    }
}
