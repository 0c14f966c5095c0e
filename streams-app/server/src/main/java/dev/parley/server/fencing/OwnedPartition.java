package dev.parley.server.fencing;

import dev.parley.audit.InputPosition;
import dev.parley.logging.LogThrottle;
import dev.parley.topology.kafka.SizeBoundedConsumer;
import dev.parley.topology.kafka.StreamsSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
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
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
 * <p>Deadlines are times of {@link System#nanoTime}. Not thread-safe; connects on first use.
 */
public final class OwnedPartition implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedPartition.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int FETCH_BYTES = 1 << 20;
    private static final int MIN_PAUSE_MS = 10;
    private static final int MAX_PAUSE_MS = 100;

    private final TopicPartition partition;
    private final Clients clients;
    private final Supplier<OptionalLong> oldest;
    private final java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader;
    private Producer<byte[], byte[]> producer;
    private Consumer<byte[], byte[]> consumer;
    private Consumer<byte[], byte[]> uncommitted;
    private long next = -1;
    private final LogThrottle failures = new LogThrottle();

    /** Creates Kafka clients. */
    interface Clients {
        /** A transactional producer. */
        Producer<byte[], byte[]> producer();

        /** A consumer without a group. */
        Consumer<byte[], byte[]> consumer(boolean readsUncommitted);
    }

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
     * @param reader receives each committed record once, except that a topic that was created again is read again
     */
    public OwnedPartition(
            TopicPartition partition,
            Map<String, Object> clients,
            Transactions transactions,
            Supplier<OptionalLong> oldest,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        this(partition, new KafkaClients(Map.copyOf(clients), transactions), oldest, reader);
    }

    OwnedPartition(
            TopicPartition partition,
            Clients clients,
            Supplier<OptionalLong> oldest,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        this.partition = partition;
        this.clients = clients;
        this.oldest = oldest;
        this.reader = reader;
    }

    /**
     * Makes an attempt to write. After a failure it releases the partition: the next attempt, mostly by this instance,
     * acquires it again and so reads what was committed.
     *
     * @param attempt writes with the producer of the owner, which has no open transaction before and after it
     */
    public <T> T write(long deadline, Function<Producer<byte[], byte[]>, T> attempt) {
        try {
            return attempt.apply(acquire(deadline));
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
    Producer<byte[], byte[]> acquire(long deadline) {
        if (producer == null) {
            try {
                producer = clients.producer();
                producer.initTransactions();
                readTo(end(uncommitted(), deadline), deadline);
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
     */
    public void pause(RuntimeException failure) throws InterruptedException {
        if (isFenced(failure)) {
            LOG.debug("Another instance acquired {}; acquiring it again", partition);
        } else {
            failures.log(repeated -> LOG.warn(
                    "Cannot write to {}; retrying: {} ({} more since the last line)", partition, failure, repeated));
        }
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(MIN_PAUSE_MS, MAX_PAUSE_MS));
    }

    /** Whether a failure says that another instance acquired the partition. */
    static boolean isFenced(Throwable failure) {
        return failure instanceof ProducerFencedException || failure instanceof InvalidProducerEpochException;
    }

    /** Reads new committed records up to the first open transaction, without acquiring the partition. */
    public void refresh(long deadline) {
        readTo(end(consumer(), deadline), deadline);
    }

    /** Reads a committed record; empty if there is none at this offset. */
    public Optional<ConsumerRecord<byte[], byte[]>> read(long offset, long deadline) {
        Consumer<byte[], byte[]> committed = consumer();
        committed.seek(partition, offset);
        while (committed.position(partition, remaining(deadline)) <= offset) {
            for (ConsumerRecord<byte[], byte[]> record : committed.poll(remaining(deadline))) {
                return Optional.of(record).filter(found -> found.offset() == offset);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new TimeoutException("Reading " + partition + " timed out.");
            }
        }
        return Optional.empty();
    }

    private long end(Consumer<byte[], byte[]> of, long deadline) {
        return of.endOffsets(List.of(partition), remaining(deadline)).get(partition);
    }

    /** Reads up to an end, and waits for the end of open transactions before it. */
    private void readTo(long end, long deadline) {
        Consumer<byte[], byte[]> committed = consumer();
        if (next < 0 || next > end) {
            // At the start, or after the topic was created again.
            next = first(end, deadline);
        }
        if (next >= end) {
            return;
        }
        committed.seek(partition, next);
        while (next < end) {
            try {
                committed.poll(POLL).forEach(reader);
                next = committed.position(partition, remaining(deadline));
            } catch (OffsetOutOfRangeException e) {
                // The records expired.
                next = first(end, deadline);
                committed.seek(partition, next);
            }
            if (next < end && System.nanoTime() - deadline >= 0) {
                throw new TimeoutException("Reading " + partition + " timed out at offset " + next + " of " + end
                        + "; a producer may have left a transaction open.");
            }
        }
    }

    private long first(long end, long deadline) {
        OptionalLong time = oldest.get();
        if (time.isEmpty()) {
            return consumer()
                    .beginningOffsets(List.of(partition), remaining(deadline))
                    .get(partition);
        }
        OffsetAndTimestamp first = consumer()
                .offsetsForTimes(Map.of(partition, time.getAsLong()), remaining(deadline))
                .get(partition);
        return first == null ? end : first.offset();
    }

    private Consumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            consumer = clients.consumer(false);
            consumer.assign(List.of(partition));
        }
        return consumer;
    }

    /** Knows the end of the partition behind open transactions. */
    private Consumer<byte[], byte[]> uncommitted() {
        if (uncommitted == null) {
            uncommitted = clients.consumer(true);
        }
        return uncommitted;
    }

    /** Time until a deadline; at least 1 ms. */
    public static Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
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
        try {
            if (consumer != null) {
                consumer.close();
            }
        } finally {
            if (uncommitted != null) {
                uncommitted.close();
            }
        }
    }

    private record KafkaClients(Map<String, Object> settings, Transactions transactions) implements Clients {
        @Override
        public Producer<byte[], byte[]> producer() {
            int millis = (int) transactions.timeout().toMillis();
            Map<String, Object> transactional = StreamsSettings.acknowledgedWriter(
                    settings, transactions.timeout(), millis, transactions.recordBytes(), transactions.bufferBytes());
            transactional.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactions.id());
            transactional.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis);
            return new KafkaProducer<>(transactional, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Consumer<byte[], byte[]> consumer(boolean readsUncommitted) {
            Map<String, Object> reading = new HashMap<>(StreamsSettings.committedReader(settings));
            reading.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
            if (readsUncommitted) {
                reading.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
            }
            return new SizeBoundedConsumer(reading);
        }
    }
}
