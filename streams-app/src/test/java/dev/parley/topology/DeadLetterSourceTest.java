package dev.parley.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterSourceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"parley.wire", "parley.wire.slip", "parley.wire.subit", "parley.wire.csp", "parley.wire.lambda"})
    void anInputTopicAndAPartitionAreWhereItCameFrom(String topic) {
        assertThat(DeadLetterSource.of(headers(topic, "17"))).contains(new DeadLetterSource(topic, 17));
    }

    @ParameterizedTest
    @CsvSource({
        "parley.audit.v1, 0",
        "parley.dlq.patch.v1, 0",
        "payments, 0",
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
        assertThat(DeadLetterSource.of(headers(topic, partition))).isEmpty();
    }

    @Test
    void withoutHeadersItCameFromNowhere() {
        assertThat(DeadLetterSource.of(new RecordHeaders())).isEmpty();
        assertThat(DeadLetterSource.of(headers("parley.wire", "1").add("__streams.errors.topic", null)))
                .isEmpty();
    }

    @Test
    void whatTheInputSaidOfItselfBeforeDoesNotCount() {
        Headers headers = headers("payments", "3");
        headers("parley.wire", "1").forEach(headers::add);
        assertThat(DeadLetterSource.of(headers)).contains(new DeadLetterSource("parley.wire", 1));
    }

    private static Headers headers(String topic, String partition) {
        return new RecordHeaders()
                .add("__streams.errors.topic", topic.getBytes(UTF_8))
                .add("__streams.errors.partition", partition.getBytes(UTF_8));
    }
}
