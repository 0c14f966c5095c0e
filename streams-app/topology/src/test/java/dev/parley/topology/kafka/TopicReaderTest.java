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

    /** Searches again until a search has passed an offset: a slow machine may not poll before the timeout. */
    private void searchBeyond(TopicPartition partition, long offset, Map<TopicPartition, Long> to) {
        for (int i = 0; i < 50 && from.getOrDefault(partition, 0L) <= offset; i++) {
            assertThat(reader.isEmpty(from, to)).isEmpty();
        }
        assertThat(from.get(partition)).isGreaterThan(offset);
    }

    /** Otherwise, more aborted records than can be read before the timeout would be read again and again. */
    @Test
    void aRangeThatTakesLongerThanTheTimeoutIsContinued() {
        passAborted();
        searchBeyond(PARTITION, 5, Map.of(PARTITION, END));
        searchBeyond(PARTITION, from.get(PARTITION), Map.of(PARTITION, END));
    }

    @Test
    void aRangeIsNotContinuedBehindARecord() {
        consumer.schedulePollTask(() -> consumer.seek(PARTITION, 8));
        consumer.schedulePollTask(() -> consumer.addRecord(
                new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), 9, null, new byte[0])));
        Optional<Boolean> empty = Optional.empty();
        for (int i = 0; i < 50 && empty.isEmpty(); i++) {
            empty = reader.isEmpty(from, Map.of(PARTITION, END));
        }
        assertThat(empty).contains(false);
        assertThat(from).containsEntry(PARTITION, 8L);
    }

    @Test
    void aPartitionIsNotContinuedAfterItsEnd() {
        passAborted();
        consumer.schedulePollTask(() ->
                consumer.addRecord(new ConsumerRecord<>(OTHER.topic(), OTHER.partition(), 12, null, new byte[0])));
        searchBeyond(OTHER, 0, Map.of(PARTITION, END, OTHER, 10L));
        assertThat(from).containsEntry(OTHER, 10L);
    }
}
