package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PollBatchTest {
    private static final int MAX_RECORDS = 10;
    private static final int MAX_BYTES = 1_000;
    private static final TopicPartition PARTITION = new TopicPartition("changelog", 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final PollBatch batch = new PollBatch(consumer::poll, MAX_RECORDS, MAX_BYTES);

    private void records(int records, int bytes) {
        records(records, bytes, new RecordHeaders());
    }

    private void records(int records, int bytes, RecordHeaders headers) {
        consumer.setMaxPollRecords(1);
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.seek(PARTITION, 0);
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
                    new byte[bytes],
                    headers,
                    Optional.empty()));
        }
    }

    private List<Long> poll() {
        ConsumerRecords<byte[], byte[]> polled = batch.poll(Duration.ZERO);
        assertThat(polled.nextOffsets().keySet()).isEqualTo(polled.partitions());
        return StreamSupport.stream(polled.spliterator(), false)
                .map(ConsumerRecord::offset)
                .toList();
    }

    @Test
    void largeRecordsOfASmallBatchComeFewAtATime() {
        records(5, 600);

        assertThat(poll()).containsExactly(0L, 1L);
        assertThat(poll()).containsExactly(2L, 3L);
        assertThat(poll()).containsExactly(4L);
        assertThat(poll()).isEmpty();
    }

    @Test
    void largeHeadersCountToo() {
        records(3, 1, new RecordHeaders(List.of(new RecordHeader("traceparent", new byte[600]))));

        assertThat(poll()).containsExactly(0L, 1L);
        assertThat(poll()).containsExactly(2L);
    }

    @Test
    void smallRecordsComeManyAtATime() {
        records(MAX_RECORDS + 1, 1);

        assertThat(poll()).hasSize(MAX_RECORDS);
        assertThat(poll()).containsExactly((long) MAX_RECORDS);
    }

    @Test
    void aRecordThatIsLargerThanABatchComesAlone() {
        records(2, MAX_BYTES + 1);

        assertThat(poll()).containsExactly(0L);
        assertThat(poll()).containsExactly(1L);
    }

    @Test
    void aFailureAfterSomeRecordsLosesNone() {
        records(1, 1);
        failAfterwards(new KafkaException("the broker refuses"));

        assertThat(poll()).containsExactly(0L);
        consumer.setPollException(new KafkaException("the broker still refuses"));
        assertThatThrownBy(this::poll).hasMessage("the broker still refuses");
    }

    @Test
    void aWakeupAfterSomeRecordsIsThrownByTheNextPoll() {
        records(1, 1);
        failAfterwards(new WakeupException());

        assertThat(poll()).containsExactly(0L);
        assertThatThrownBy(this::poll).isInstanceOf(WakeupException.class);
        assertThat(poll()).isEmpty();
    }

    /** The next poll returns records, and the one after it fails. */
    private void failAfterwards(KafkaException failure) {
        consumer.schedulePollTask(() -> consumer.schedulePollTask(() -> consumer.setPollException(failure)));
    }
}
