package dev.parley.topology.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class KafkaHeadersTest {

    @Test
    void theLastHeaderOfANameInAnyCaseCounts() {
        Headers headers = new RecordHeaders()
                .add("parley-sender", "first".getBytes(UTF_8))
                .add("Parley-Sender", "second".getBytes(UTF_8))
                .add("PARLEY-SENDERS", "another".getBytes(UTF_8))
                .add("parley\u2010sender", "another".getBytes(UTF_8))
                .add("parley-\u017fender", "a long s".getBytes(UTF_8));

        assertThat(KafkaHeaders.view(headers).last("parley-sender"))
                .asString(UTF_8)
                .isEqualTo("second");
        assertThat(KafkaHeaders.text(headers, "parley-sender")).isEqualTo("second");
        headers.add("parley-sender", null);
        assertThat(KafkaHeaders.view(headers).last("parley-sender")).isNull();
        assertThat(KafkaHeaders.text(headers, "parley-namespace")).isNull();
    }
}
