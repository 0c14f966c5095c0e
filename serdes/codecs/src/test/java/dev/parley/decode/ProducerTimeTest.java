package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProducerTimeTest {

    private static Instant claim(byte[] value) {
        return ProducerTime.of(visitor -> visitor.accept("ce_time", value));
    }

    private static Instant claim(String value) {
        return claim(value.getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T12:00:00Z, 2026-01-31T12:00:00Z",
        "2026-01-31t12:00:00z, 2026-01-31T12:00:00Z",
        "2026-01-31T12:00:00.1Z, 2026-01-31T12:00:00.100Z",
        "2026-01-31T12:00:00.123456789+01:30, 2026-01-31T10:30:00.123Z",
        "2026-01-31T23:59:60-00:01, 2026-02-01T00:00:59Z",
        "2024-02-29T00:00:00-23:59, 2024-02-29T23:59:00Z",
        "0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z"
    })
    void anRfc3339TimeIsReadToTheMillisecond(String text, Instant expected) {
        assertThat(claim(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-01-31",
                "2026-01-31T12:00:00",
                "2026-01-31 12:00:00Z",
                "2026-02-30T12:00:00Z",
                "2026-00-01T12:00:00Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T12:60:00Z",
                "2026-01-31T12:00:61Z",
                "2026-01-31T12:00:00.Z",
                "2026-01-31T12:00:00.1234567890Z",
                "2026-01-31T12:00:00+0100",
                "2026-01-31T12:00:00+01:00Z",
                "2026-01-31T12:00:00Zzzz",
                "2026-01-31T12:00:00+24:00",
                "+026-01-31T12:00:00Z",
                "2026-01-31T12:00:00.123",
                "２０２６-01-31T12:00:00Z"
            })
    void anythingElseIsNoClaim(String text) {
        assertThat(claim(text)).isNull();
    }

    @Test
    void anAbsentOrTooLongHeaderIsNoClaim() {
        assertThat(claim((byte[]) null)).isNull();
        assertThat(claim("2026-01-31T12:00:00." + "1".repeat(1 << 20) + "Z")).isNull();
    }
}
