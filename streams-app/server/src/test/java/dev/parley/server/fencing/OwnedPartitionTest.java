package dev.parley.server.fencing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.topology.kafka.TopicReader;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
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

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final List<String> read = new ArrayList<>();
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private long begin;
    private long stableEnd;
    private long end;
    private boolean isAdminClosed;
    private RuntimeException initFailure;
    private OptionalLong oldest = OptionalLong.empty();

    private final OwnedPartition partition = new OwnedPartition(
            PARTITION,
            () -> {
                MockProducer<byte[], byte[]> producer =
                        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
                producer.initTransactionException = initFailure;
                producers.add(producer);
                return producer;
            },
            () -> new TopicReader(admin(), consumer, TIMEOUT),
            () -> oldest,
            record -> read.add(new String(record.value(), UTF_8)));

    /** An admin client that knows offsets. The timestamp of a record is a thousand times its offset. */
    private Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "listOffsets":
                            OffsetSpec spec = (OffsetSpec) ((Map<?, ?>) arguments[0]).get(PARTITION);
                            boolean committed = ((ListOffsetsOptions) arguments[1]).isolationLevel()
                                    == IsolationLevel.READ_COMMITTED;
                            ListOffsetsResultInfo found =
                                    new ListOffsetsResultInfo(offset(spec, committed), -1, Optional.empty());
                            return new ListOffsetsResult(Map.of(PARTITION, KafkaFuture.completedFuture(found)));
                        case "close":
                            isAdminClosed = true;
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.toString());
                    }
                });
    }

    private long offset(OffsetSpec spec, boolean committed) {
        if (spec instanceof OffsetSpec.EarliestSpec) {
            return begin;
        }
        if (spec instanceof OffsetSpec.LatestSpec) {
            return committed ? stableEnd : end;
        }
        long offset = (oldest.getAsLong() + 999) / 1_000;
        return offset < end ? offset : -1;
    }

    /** Appends a committed record while the partition is being read. */
    private void append(long offset, String value) {
        stableEnd = offset + 1;
        end = offset + 1;
        consumer.schedulePollTask(() -> consumer.addRecord(
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, null, value.getBytes(UTF_8))));
    }

    @Test
    void anOwnerHasFencedOthersAndReadEveryRecord() {
        append(0, "a");
        append(1, "b");
        Producer<byte[], byte[]> producer = partition.acquire();

        assertThat(producer).isSameAs(producers.get(0));
        assertThat(producers.get(0).transactionInitialized()).isTrue();
        assertThat(producers.get(0).transactionInFlight()).isFalse();
        assertThat(read).containsExactly("a", "b");
    }

    @Test
    void anOwnerKeepsItsProducerUntilItDisownsThePartition() {
        append(0, "a");
        Producer<byte[], byte[]> first = partition.acquire();
        append(1, "not read, because nobody else may write");
        assertThat(partition.acquire()).isSameAs(first);
        assertThat(read).containsExactly("a");

        partition.release();
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(partition.acquire()).isSameAs(producers.get(1));
        assertThat(read).containsExactly("a", "not read, because nobody else may write");
    }

    @Test
    void aRefreshReadsCommittedRecordsWithoutTakingThePartition() {
        append(0, "a");
        end = 5;
        partition.refresh();
        assertThat(read).containsExactly("a");
        assertThat(producers).isEmpty();
    }

    @Test
    void anOpenTransactionKeepsAnInstanceFromOwning() {
        append(0, "a");
        end = 2;

        assertThatThrownBy(partition::acquire)
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("keys-3")
                .hasMessageContaining("A transaction may be open");
        assertThat(producers.get(0).closed()).isTrue();

        append(1, "b");
        partition.acquire();
        assertThat(read).containsExactly("a", "b");
    }

    @Test
    void aFailedStartIsNoOwnership() {
        initFailure = new KafkaException("no coordinator");
        assertThatThrownBy(() -> partition.acquire()).isSameAs(initFailure);
        assertThat(producers.get(0).closed()).isTrue();

        initFailure = null;
        assertThat(partition.acquire()).isSameAs(producers.get(1));
    }

    @Test
    void recordsThatExpireMeanwhileAreSkipped() {
        append(0, "a");
        partition.refresh();
        begin = 4;
        append(4, "e");
        partition.acquire();
        assertThat(read).containsExactly("a", "e");
    }

    @Test
    void aTopicThatWasCreatedAgainIsReadFromItsStart() {
        append(0, "a");
        append(1, "b");
        partition.acquire();
        partition.release();
        append(0, "new");
        partition.acquire();
        assertThat(read).containsExactly("a", "b", "new");
    }

    @Test
    void recordsBeforeTheOldestAreNotRead() {
        oldest = OptionalLong.of(OLDEST);
        append(0, "old");
        append(1, "young");
        partition.acquire();
        assertThat(read).containsExactly("young");
    }

    @Test
    void nothingIsReadIfAllRecordsAreTooOld() {
        oldest = OptionalLong.of(5 * OLDEST);
        append(0, "old");
        partition.acquire();
        assertThat(read).isEmpty();
    }

    @Test
    void aRecordIsReadByItsOffset() {
        append(0, "a");
        append(1, "b");
        partition.refresh();
        append(1, "b");
        assertThat(partition.read(1).map(record -> new String(record.value(), UTF_8)))
                .hasValue("b");
    }

    @Test
    void closingClosesAllClients() {
        partition.acquire();
        partition.close();
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(consumer.closed()).isTrue();
        assertThat(isAdminClosed).isTrue();
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
