package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.RecordHeaders;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of headers are case-insensitive, in ASCII only. */
class RecordHeadersTest {

    @ParameterizedTest
    @CsvSource({
        "parley-sender, parley-sender, true",
        "Parley-Sender, parley-sender, true",
        "PARLEY-SENDER, parley-sender, true",
        "AZ, az, true",
        "ce_Time, ce_time, true",
        "CE?TIME, ce_time, false",
        "parley_sender, parley-sender, false",
        "'PARLEY\rSENDER', parley-sender, false",
        "parley-sende, parley-sender, false",
        "parley-senders, parley-sender, false",
        "\u212Aey, key, false",
        "[, '{', false",
        "'', key, false"
    })
    void aNameHasAnyCase(String key, String name, boolean named) {
        assertThat(RecordHeaders.isNamed(key, name)).isEqualTo(named);
    }

    @Test
    void theLastHeaderOfANameCounts() {
        Map<String, byte[]> values = new LinkedHashMap<>();
        values.put("a", new byte[] {1});
        values.put("B", new byte[] {2, 3});
        values.put("A", new byte[] {4, 5, 6});
        values.put("é", null);
        RecordHeaders headers = RecordHeaders.of(values);
        assertThat(headers.last("a")).containsExactly(4, 5, 6);
        assertThat(headers.last("b")).containsExactly(2, 3);
        assertThat(headers.last("c")).isNull();
        assertThat(headers.count()).isEqualTo(4);
        assertThat(headers.bytes()).isEqualTo(3 + "é".getBytes(UTF_8).length + 6);
        values.put("A", null);
        assertThat(headers.last("a")).isNull();
        assertThat(RecordHeaders.NONE.count()).isZero();
        assertThat(RecordHeaders.NONE.bytes()).isZero();
    }
}
