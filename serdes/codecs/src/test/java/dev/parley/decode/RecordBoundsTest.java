package dev.parley.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the limits of the parts of a record at their exact sizes. */
class RecordBoundsTest {
    private static final Source SOURCE = new Source("parley.wire", 0, 7L, Instant.EPOCH, null);
    private static final Limits LIMITS = Limits.DEFAULT;

    @Test
    void aRecordWithinItsLimitsIsNotExceeded() {
        assertThat(RecordBounds.isExceeded(record(null, null, Map.of()), LIMITS))
                .isFalse();
        byte[] largestValue = new byte[LIMITS.messageBytes()];
        byte[] largestKey = new byte[RecordBounds.MAX_KEY_BYTES];
        assertThat(RecordBounds.isExceeded(record(largestKey, largestValue, headers(RecordBounds.MAX_HEADERS)), LIMITS))
                .isFalse();
    }

    @Test
    void eachPartAloneExceedsItsLimit() {
        assertThat(RecordBounds.isExceeded(record(null, new byte[LIMITS.messageBytes() + 1], Map.of()), LIMITS))
                .isTrue();
        assertThat(RecordBounds.isExceeded(record(new byte[RecordBounds.MAX_KEY_BYTES + 1], null, Map.of()), LIMITS))
                .isTrue();
        assertThat(RecordBounds.isExceeded(record(null, null, headers(RecordBounds.MAX_HEADERS + 1)), LIMITS))
                .isTrue();
    }

    @Test
    void headersAreLimitedByTheirSizeWithKeys() {
        int value = (int) RecordBounds.MAX_HEADER_BYTES - "größe".length() - 2;
        assertThat(RecordBounds.areHeadersAllowed(RecordHeaders.of(Map.of("größe", new byte[value]))))
                .isTrue();
        assertThat(RecordBounds.areHeadersAllowed(RecordHeaders.of(Map.of("größe", new byte[value + 1]))))
                .isFalse();
        Map<String, byte[]> absent = new HashMap<>();
        absent.put("absent", null);
        assertThat(RecordHeaders.of(absent).bytes()).isEqualTo(6);
        assertThat(RecordHeaders.of(absent).count()).isEqualTo(1);
        assertThat(RecordHeaders.NONE.count()).isZero();
    }

    @Test
    void theErrorNamesThePartThatIsTooLarge() {
        assertThat(RecordBounds.error(record(null, null, Map.of()))).isNull();
        assertThat(RecordBounds.error(record(new byte[RecordBounds.MAX_KEY_BYTES + 1], null, Map.of())))
                .returns(Code.KEY_TOO_LARGE, RecordDecodeResult.Undecodable::code);
        assertThat(RecordBounds.error(record(null, null, headers(RecordBounds.MAX_HEADERS + 1))))
                .returns(Code.HEADERS_TOO_LARGE, RecordDecodeResult.Undecodable::code);
    }

    private static Map<String, byte[]> headers(int count) {
        Map<String, byte[]> headers = new HashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put("h" + i, new byte[0]);
        }
        return headers;
    }

    private static WireRecord record(byte[] key, byte[] value, Map<String, byte[]> headers) {
        return new WireRecord(SOURCE, key, value, RecordHeaders.of(headers));
    }
}
