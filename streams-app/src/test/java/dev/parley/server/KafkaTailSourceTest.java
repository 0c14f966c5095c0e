package dev.parley.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class KafkaTailSourceTest {
    private static final TopicPartition PARTITION = new TopicPartition("parley.audit.v1", 0);

    private static MockConsumer<byte[], byte[]> consumer(int records, int bytes) {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
        consumer.setMaxPollRecords(1);
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.seek(PARTITION, 0);
        byte[] value = new byte[bytes];
        for (int offset = 0; offset < records; offset++) {
            consumer.addRecord(new ConsumerRecord<>(
                    PARTITION.topic(),
                    PARTITION.partition(),
                    offset,
                    0,
                    TimestampType.CREATE_TIME,
                    0,
                    bytes,
                    null,
                    value,
                    new RecordHeaders(),
                    Optional.empty()));
        }
        return consumer;
    }

    private static List<Long> drained(MockConsumer<byte[], byte[]> consumer) {
        List<Long> offsets = new ArrayList<>();
        KafkaTailSource.drain(consumer, Duration.ZERO, polled -> offsets.add(polled.offset()));
        return offsets;
    }

    @Test
    void largeRecordsOfASmallBatchComeFewAtATime() {
        MockConsumer<byte[], byte[]> consumer = consumer(5, 600 << 10);

        assertThat(drained(consumer)).containsExactly(0L, 1L);
        assertThat(drained(consumer)).containsExactly(2L, 3L);
        assertThat(drained(consumer)).containsExactly(4L);
        assertThat(drained(consumer)).isEmpty();
    }

    @Test
    void smallRecordsComeManyAtATime() {
        MockConsumer<byte[], byte[]> consumer = consumer(KafkaTailSource.MAX_RECORDS + 1, 100);

        assertThat(drained(consumer)).hasSize(KafkaTailSource.MAX_RECORDS);
        assertThat(drained(consumer)).containsExactly((long) KafkaTailSource.MAX_RECORDS);
    }
}
