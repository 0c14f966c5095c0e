package dev.parley.topology;

import static org.apache.kafka.common.record.TimestampType.CREATE_TIME;
import static org.apache.kafka.common.record.TimestampType.LOG_APPEND_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTimeTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long MINUTE = 60_000L;
    private static final long UNKNOWN = -1;

    private static long broker(TimestampType type, long timestamp, long partitionTime) {
        return new RecordTime(false).extract(type, timestamp, partitionTime, NOW);
    }

    private static long producer(long timestamp, long partitionTime) {
        return new RecordTime(true).extract(CREATE_TIME, timestamp, partitionTime, NOW);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, NOW - MINUTE, NOW, NOW + MINUTE, NOW + 60 * MINUTE})
    void theBrokersTimeIsTakenAsItIs(long timestamp) {
        assertThat(broker(LOG_APPEND_TIME, timestamp, NOW)).isEqualTo(timestamp);
        assertThat(broker(LOG_APPEND_TIME, timestamp, UNKNOWN)).isEqualTo(timestamp);
    }

    @Test
    void aTimeThatBrokersWouldRefuseInOutputsIsThePresent() {
        assertThat(broker(LOG_APPEND_TIME, NOW + 60 * MINUTE + 1, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(LOG_APPEND_TIME, Long.MAX_VALUE, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, NOW, Long.MAX_VALUE)).isEqualTo(NOW);
    }

    @Test
    void aProducersTimeIsBetweenThatOfThePartitionAndThePresent() {
        assertThat(broker(CREATE_TIME, 1_000, NOW - MINUTE)).isEqualTo(NOW - MINUTE);
        assertThat(broker(CREATE_TIME, NOW - 1, NOW - MINUTE)).isEqualTo(NOW - 1);
        assertThat(broker(CREATE_TIME, NOW + 55 * MINUTE, NOW - MINUTE)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, Long.MAX_VALUE, NOW - MINUTE)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, -1, NOW - MINUTE)).isEqualTo(NOW - MINUTE);
    }

    @Test
    void theFirstProducersTimeOfAPartitionIsThePresent() {
        assertThat(broker(CREATE_TIME, 1_000, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(CREATE_TIME, NOW + MINUTE, UNKNOWN)).isEqualTo(NOW);
        assertThat(broker(TimestampType.NO_TIMESTAMP_TYPE, -1, UNKNOWN)).isEqualTo(NOW);
    }

    @Test
    void aTrustedProducersTimeCountsUpToThePresent() {
        assertThat(producer(1_000, NOW)).isEqualTo(1_000);
        assertThat(producer(NOW + MINUTE, UNKNOWN)).isEqualTo(NOW);
        assertThat(producer(-1, NOW - MINUTE)).isEqualTo(NOW - MINUTE);
        assertThat(producer(-1, UNKNOWN)).isEqualTo(NOW);
    }
}
