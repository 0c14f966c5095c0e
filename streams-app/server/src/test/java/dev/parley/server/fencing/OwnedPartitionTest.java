package dev.parley.server.fencing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Tests that an owner knows every record of its partition, and reads it again after a failure. */
class OwnedPartitionTest {
    private static final TopicPartition PARTITION = new TopicPartition("keys", 3);
    private static final long OLDEST = 1_000;

    private final List<String> read = new ArrayList<>();
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final TimedConsumer committed = new TimedConsumer();
    private final TimedConsumer uncommitted = new TimedConsumer();
    private RuntimeException initFailure;
    private OptionalLong oldest = OptionalLong.empty();

    private final OwnedPartition partition = new OwnedPartition(
            PARTITION,
            new OwnedPartition.Clients() {
                @Override
                public Producer<byte[], byte[]> producer() {
                    MockProducer<byte[], byte[]> producer =
                            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
                    producer.initTransactionException = initFailure;
                    producers.add(producer);
                    return producer;
                }

                @Override
                public Consumer<byte[], byte[]> consumer(boolean readsUncommitted) {
                    return readsUncommitted ? uncommitted : committed;
                }
            },
            () -> oldest,
            record -> read.add(new String(record.value(), UTF_8)));

    /** A consumer of records whose timestamp is a thousand times their offset. */
    private static final class TimedConsumer extends MockConsumer<byte[], byte[]> {
        private long end;

        TimedConsumer() {
            super("none");
            updateBeginningOffsets(Map.of(PARTITION, 0L));
            ends(0);
        }

        void ends(long offset) {
            end = offset;
            updateEndOffsets(Map.of(PARTITION, offset));
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                Map<TopicPartition, Long> times, java.time.Duration timeout) {
            Map<TopicPartition, OffsetAndTimestamp> found = new java.util.HashMap<>();
            times.forEach((of, time) -> {
                long offset = (time + 999) / 1_000;
                found.put(of, offset < end ? new OffsetAndTimestamp(offset, offset * 1_000) : null);
            });
            return found;
        }
    }

    /** Appends a committed record while the partition is being read. */
    private void append(long offset, String value) {
        committed.ends(offset + 1);
        uncommitted.ends(offset + 1);
        committed.schedulePollTask(() -> committed.addRecord(
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, null, value.getBytes(UTF_8))));
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    }

    @Test
    void anOwnerHasFencedOthersAndReadEveryRecord() {
        append(0, "a");
        append(1, "b");
        Producer<byte[], byte[]> producer = partition.acquire(soon());

        assertThat(producer).isSameAs(producers.get(0));
        assertThat(producers.get(0).transactionInitialized()).isTrue();
        assertThat(producers.get(0).transactionInFlight()).isFalse();
        assertThat(read).containsExactly("a", "b");
    }

    @Test
    void anOwnerKeepsItsProducerUntilItDisownsThePartition() {
        append(0, "a");
        Producer<byte[], byte[]> first = partition.acquire(soon());
        append(1, "not read, because nobody else may write");
        assertThat(partition.acquire(soon())).isSameAs(first);
        assertThat(read).containsExactly("a");

        partition.release();
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(partition.acquire(soon())).isSameAs(producers.get(1));
        assertThat(read).containsExactly("a", "not read, because nobody else may write");
    }

    @Test
    void aRefreshReadsCommittedRecordsWithoutTakingThePartition() {
        append(0, "a");
        uncommitted.ends(5);
        partition.refresh(soon());
        assertThat(read).containsExactly("a");
        assertThat(producers).isEmpty();
    }

    @Test
    void anOpenTransactionKeepsAnInstanceFromOwning() {
        append(0, "a");
        uncommitted.ends(2);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);

        assertThatThrownBy(() -> partition.acquire(deadline))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("offset 1 of 2")
                .hasMessageContaining("a transaction open");
        assertThat(producers.get(0).closed()).isTrue();

        append(1, "b");
        partition.acquire(soon());
        assertThat(read).containsExactly("a", "b");
    }

    @Test
    void aFailedStartIsNoOwnership() {
        initFailure = new KafkaException("no coordinator");
        assertThatThrownBy(() -> partition.acquire(soon())).isSameAs(initFailure);
        assertThat(producers.get(0).closed()).isTrue();

        initFailure = null;
        assertThat(partition.acquire(soon())).isSameAs(producers.get(1));
    }

    @Test
    void recordsThatExpireMeanwhileAreSkipped() {
        append(0, "a");
        partition.refresh(soon());
        committed.updateBeginningOffsets(Map.of(PARTITION, 4L));
        append(4, "e");
        partition.acquire(soon());
        assertThat(read).containsExactly("a", "e");
    }

    @Test
    void aTopicThatWasCreatedAgainIsReadFromItsStart() {
        append(0, "a");
        append(1, "b");
        partition.acquire(soon());
        partition.release();
        append(0, "new");
        partition.acquire(soon());
        assertThat(read).containsExactly("a", "b", "new");
    }

    @Test
    void recordsBeforeTheOldestAreNotRead() {
        oldest = OptionalLong.of(OLDEST);
        append(0, "old");
        append(1, "young");
        partition.acquire(soon());
        assertThat(read).containsExactly("young");
    }

    @Test
    void nothingIsReadIfAllRecordsAreTooOld() {
        oldest = OptionalLong.of(5 * OLDEST);
        append(0, "old");
        partition.acquire(soon());
        assertThat(read).isEmpty();
    }

    @Test
    void aRecordIsReadByItsOffset() {
        append(0, "a");
        append(1, "b");
        partition.refresh(soon());
        append(1, "b");
        assertThat(partition.read(1, soon()).map(record -> new String(record.value(), UTF_8)))
                .hasValue("b");
    }

    @Test
    void aRecordThatIsMissingTimesOut() {
        append(0, "a");
        partition.refresh(soon());
        assertThatThrownBy(() -> partition.read(7, System.nanoTime()))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("keys-3");
    }

    @Test
    void closingClosesAllClients() {
        partition.acquire(soon());
        partition.close();
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(committed.closed()).isTrue();
        assertThat(uncommitted.closed()).isTrue();
    }

    @Test
    void failuresOfSendsKeepTheirType() {
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        RecordTooLargeException tooLarge = new RecordTooLargeException("too large");
        sent.completeExceptionally(tooLarge);
        assertThatThrownBy(() -> OwnedPartition.result(sent)).isSameAs(tooLarge);
        assertThat(OwnedPartition.hasCause(new KafkaException("aborted", tooLarge), RecordTooLargeException.class))
                .isTrue();
        assertThat(OwnedPartition.hasCause(new KafkaException("other"), RecordTooLargeException.class))
                .isFalse();
        assertThat(OwnedPartition.isFenced(new ProducerFencedException("fenced")))
                .isTrue();
        assertThat(OwnedPartition.isFenced(tooLarge)).isFalse();
    }

    @Test
    void anInterruptIsAFailureOfKafka() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> OwnedPartition.result(new CompletableFuture<>()))
                .isInstanceOf(InterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
