package dev.parley.topology.kafka;

import static org.apache.kafka.common.record.TimestampType.CREATE_TIME;
import static org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.TopicNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClampingTimestampExtractorTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long MINUTE = 60_000L;
    private static final long UNKNOWN = -1;

    private static long broker(TimestampType type, long timestamp, long partitionTime) {
        return new ClampingTimestampExtractor(false).extract(consumed(type, timestamp), partitionTime, NOW);
    }

    private static long producer(long timestamp, long partitionTime) {
        return new ClampingTimestampExtractor(true).extract(consumed(CREATE_TIME, timestamp), partitionTime, NOW);
    }

    /** The timestamp of a record of that type as Kafka Streams is given it. */
    private static long consumed(TimestampType type, long timestamp) {
        return only(new ProducerTimestampInterceptor().onConsume(records(TopicNames.DEFAULT.wire(), type, timestamp)))
                .timestamp();
    }

    private static ConsumerRecord<byte[], byte[]> only(ConsumerRecords<byte[], byte[]> records) {
        assertThat(records.count()).isEqualTo(1);
        return records.iterator().next();
    }

    private static ConsumerRecords<byte[], byte[]> records(String topic, TimestampType type, long timestamp) {
        TopicPartition partition = new TopicPartition(topic, 3);
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                topic,
                3,
                42L,
                timestamp,
                type,
                1,
                2,
                new byte[] {1},
                new byte[] {2, 3},
                new RecordHeaders().add("x", new byte[] {4}),
                Optional.of(7));
        return new ConsumerRecords<>(
                Map.of(partition, List.of(record)), Map.of(partition, new OffsetAndMetadata(43, Optional.of(7), "")));
    }

    @Test
    void onlyTheTimestampOfInputWithProducerTimeIsMarked() {
        ConsumerRecords<byte[], byte[]> brokers = records(TopicNames.DEFAULT.wire(), LOG_APPEND_TIME, 5);
        assertThat(new ProducerTimestampInterceptor().onConsume(brokers)).isSameAs(brokers);
        ConsumerRecords<byte[], byte[]> internal = records("parley-by-conversation-repartition", CREATE_TIME, 5);
        assertThat(new ProducerTimestampInterceptor().onConsume(internal)).isSameAs(internal);

        ConsumerRecords<byte[], byte[]> claims = records(TopicNames.DEFAULT.redaction(), CREATE_TIME, 5);
        ConsumerRecords<byte[], byte[]> marked = new ProducerTimestampInterceptor().onConsume(claims);
        assertThat(marked.nextOffsets()).isEqualTo(claims.nextOffsets());
        assertThat(only(marked))
                .usingRecursiveComparison()
                .ignoringFields("timestamp")
                .isEqualTo(only(claims));
    }

    @Test
    void producerTimeInATopicOfTheInputPolicyIsMarked() {
        ConsumerRecords<byte[], byte[]> claims = records("team-a.wire", CREATE_TIME, 5);
        assertThat(only(new ProducerTimestampInterceptor().onConsume(claims)).timestamp())
                .isEqualTo(ProducerTimestampInterceptor.marked(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, NOW - MINUTE, NOW, NOW + MINUTE, NOW + 60 * MINUTE})
    void brokerTimeIsUnchanged(long timestamp) {
        assertThat(broker(LOG_APPEND_TIME, timestamp, NOW)).isEqualTo(timestamp);
        assertThat(broker(LOG_APPEND_TIME, timestamp, UNKNOWN)).isEqualTo(timestamp);
    }

    @Test
    void timeThatBrokersRejectInOutputsBecomesThePresent() {
        assertThat(broker(LOG_APPEND_TIME, NOW + 60 * MINUTE + 1, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(LOG_APPEND_TIME, Long.MAX_VALUE, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, NOW, Long.MAX_VALUE)).isEqualTo(NOW);
    }

    @Test
    void producerTimeIsBetweenPartitionTimeAndThePresent() {
        assertThat(broker(CREATE_TIME, 1_000, NOW - MINUTE)).isEqualTo(NOW - MINUTE);
        assertThat(broker(CREATE_TIME, NOW - 1, NOW - MINUTE)).isEqualTo(NOW - 1);
        assertThat(broker(CREATE_TIME, NOW + 55 * MINUTE, NOW - MINUTE)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, Long.MAX_VALUE, NOW - MINUTE)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, -1, NOW - MINUTE)).isEqualTo(NOW);
    }

    @Test
    void firstProducerTimeOfAPartitionIsThePresent() {
        assertThat(broker(CREATE_TIME, 1_000, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, NOW + MINUTE, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(TimestampType.NO_TIMESTAMP_TYPE, -1, UNKNOWN)).isEqualTo(NOW);
    }

    @Test
    void trustedProducerTimeCountsUpToThePresent() {
        assertThat(producer(1_000, NOW)).isEqualTo(1_000);
        assertThat(producer(NOW + MINUTE, UNKNOWN)).isEqualTo(NOW);
        assertThat(producer(-1, NOW - MINUTE)).isEqualTo(NOW);
    }
}
