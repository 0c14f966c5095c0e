package dev.parley.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaTailSourceTest {

    /** So that the bytes of an answer are counted after each record. */
    @Test
    void readersPollOneRecordAtATime() {
        assertThat(KafkaTailSource.consumerSettings(Map.of("max.poll.records", "1000")))
                .containsEntry("max.poll.records", 1);
    }

    /** A tail follows the topic, and an idle one should send few requests. */
    @Test
    void readersLetTheBrokerWaitForNewRecords() {
        assertThat(KafkaTailSource.consumerSettings(Map.of())).containsEntry("fetch.max.wait.ms", 500);
        assertThat(KafkaTailSource.consumerSettings(Map.of("fetch.max.wait.ms", "900")))
                .containsEntry("fetch.max.wait.ms", "900");
    }
}
