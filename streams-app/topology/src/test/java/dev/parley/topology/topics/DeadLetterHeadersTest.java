package dev.parley.topology.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadLetterHeadersTest {

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "parley.wire, ''",
        "parley.wire, -1",
        "parley.wire, x",
        "parley.wire, 1.0",
        "parley.wire, 9999999999",
        "parley.wire, ' 1'",
        "parley.wire, ١"
    })
    void anythingElseIsNowhereToSendTo(String topic, String partition) {
        assertThat(position(headers(topic, partition))).isEmpty();
    }

    @Test
    void withoutHeadersItCameFromNowhere() {
        assertThat(position(new RecordHeaders())).isEmpty();
        assertThat(position(headers("parley.wire", "1").add("__streams.errors.topic", null)))
                .isEmpty();
    }

    @Test
    void earlierHeadersOfTheInputDoNotCount() {
        Headers headers = headers("payments", "3");
        headers("parley.wire", "1").forEach(headers::add);
        assertThat(position(headers)).contains(new InputPosition("parley.wire", 1, 42));
    }

    @Test
    void anInputPositionNeedsTopicPartitionAndOffset() {
        Headers headers = headers("payments", "3");
        assertThat(DeadLetterHeaders.inputPosition(headers)).isEmpty();

        headers.add("__streams.errors.offset", "42".getBytes(UTF_8));
        assertThat(DeadLetterHeaders.inputPosition(headers)).contains(new InputPosition("payments", 3, 42));
    }

    private static Optional<InputPosition> position(Headers letter) {
        return DeadLetterHeaders.inputPosition(letter.add("__streams.errors.offset", "42".getBytes(UTF_8)));
    }

    private static Headers headers(String topic, String partition) {
        return new RecordHeaders()
                .add("__streams.errors.topic", topic.getBytes(UTF_8))
                .add("__streams.errors.partition", partition.getBytes(UTF_8));
    }
}
