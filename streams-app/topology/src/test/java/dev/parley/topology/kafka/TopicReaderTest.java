package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicReaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("wire", 0);
    private static final TopicPartition OTHER = new TopicPartition("wire", 1);
    private static final long END = 1L << 40;

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final TopicReader reader = new TopicReader(admin(), consumer, Duration.ofMillis(100));
    private final Map<TopicPartition, Long> from = new HashMap<>(Map.of(PARTITION, 5L));

    private static Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    boolean first = ((Map<?, ?>) arguments[0])
                            .values().stream().anyMatch(OffsetSpec.EarliestSpec.class::isInstance);
                    KafkaFuture<ListOffsetsResultInfo> offset = KafkaFuture.completedFuture(
                            new ListOffsetsResultInfo(first ? 0 : END, -1, Optional.empty()));
                    return new ListOffsetsResult(Map.of(PARTITION, offset, OTHER, offset));
                });
    }

    /** Passes an aborted record with each poll. */
    private void passAborted() {
        consumer.schedulePollTask(() -> {
            consumer.seek(PARTITION, consumer.position(PARTITION) + 1);
            passAborted();
        });
    }

    private Optional<Boolean> isEmpty() {
        return reader.isEmpty(from, Map.of(PARTITION, END));
    }

    /** Otherwise, more aborted records than can be read before the timeout would be read again and again. */
    @Test
    void aRangeThatTakesLongerThanTheTimeoutIsContinued() {
        passAborted();
        assertThat(isEmpty()).isEmpty();
        long reached = from.get(PARTITION);
        assertThat(reached).isGreaterThan(5);
        assertThat(isEmpty()).isEmpty();
        assertThat(from.get(PARTITION)).isGreaterThan(reached);
    }

    @Test
    void aRangeIsNotContinuedBehindARecord() {
        consumer.schedulePollTask(() -> consumer.seek(PARTITION, 8));
        consumer.schedulePollTask(() -> consumer.addRecord(
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), 9, null, new byte[0])));
        assertThat(isEmpty()).contains(false);
        assertThat(from).containsEntry(PARTITION, 8L);
    }

    @Test
    void aPartitionIsNotContinuedAfterItsEnd() {
        passAborted();
        consumer.schedulePollTask(() ->
                consumer.addRecord(new ConsumerRecord<>(OTHER.topic(), OTHER.partition(), 12, null, new byte[0])));
        assertThat(reader.isEmpty(from, Map.of(PARTITION, END, OTHER, 10L))).isEmpty();
        assertThat(from).containsEntry(OTHER, 10L);
    }
}
