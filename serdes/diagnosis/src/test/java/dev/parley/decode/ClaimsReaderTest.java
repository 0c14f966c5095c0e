package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Claims;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.diagnosis.ValueDiagnosis;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An undecodable record claims the names of its value, then those of its headers, its key and its label. */
class ClaimsReaderTest {
    private static final Diagnosis DIAGNOSIS = new ValueDiagnosis(WireProtocols.STANDARD, DecodeOptions.LENIENT);
    private static final byte[] NO_UTF8 = {'x', (byte) 0xFF};

    private final Map<String, byte[]> headers = new HashMap<>();
    private byte[] key = "key".getBytes(UTF_8);

    private Claims claims(WireProtocol<?> protocol, String text) {
        byte[] value = text == null ? null : text.getBytes(UTF_8);
        WireRecord record = new WireRecord(
                new Source("parley.wire", 0, 0L, Instant.EPOCH, null), key, value, RecordHeaders.of(headers));
        return ClaimsReader.claims(record, protocol, value, DIAGNOSIS);
    }

    private void header(String name, String value) {
        headers.put(name, value.getBytes(UTF_8));
    }

    @Test
    void theNamesInTheValueTakePrecedence() {
        header(RecordHeaders.NAMESPACE, "n");
        header(RecordHeaders.CONVERSATION, "header");
        header(RecordHeaders.SENDER, "A");
        assertThat(claims(WireProtocols.SLIP, "@a3|c7|S1|")).isEqualTo(new Claims("SLIP", "n", "7", "1"));
        assertThat(claims(WireProtocols.SLIP, "@a3")).isEqualTo(new Claims("SLIP", "n", "header", "A"));
        assertThat(claims(WireProtocols.LAMBDA, "B: x")).isEqualTo(new Claims("LAMBDA", "n", "header", "A"));
        assertThat(claims(null, "@a3|c7|S1|")).isEqualTo(new Claims("UNKNOWN", "n", "header", "A"));
        assertThat(claims(WireProtocols.SLIP, null)).isEqualTo(new Claims("SLIP", "n", "header", "A"));
    }

    @Test
    void withoutHeadersKeyAndLabelCount() {
        assertThat(claims(WireProtocols.LAMBDA, "B: x")).isEqualTo(new Claims("LAMBDA", "default", "key", "B"));
        assertThat(claims(WireProtocols.SLIP, "@a3")).isEqualTo(new Claims("SLIP", "default", "key", null));
        header(RecordHeaders.NAMESPACE, "");
        header(RecordHeaders.CONVERSATION, "");
        header(RecordHeaders.SENDER, "");
        assertThat(claims(WireProtocols.LAMBDA, "B: x")).isEqualTo(new Claims("LAMBDA", "default", "key", "B"));
        key = null;
        assertThat(claims(null, "x")).isEqualTo(new Claims("UNKNOWN", "default", null, null));
        key = new byte[0];
        assertThat(claims(null, "x")).isEqualTo(new Claims("UNKNOWN", "default", null, null));
    }

    @Test
    void anInvalidNameIsNotAClaim() {
        headers.put(RecordHeaders.NAMESPACE, NO_UTF8);
        headers.put(RecordHeaders.CONVERSATION, NO_UTF8);
        headers.put(RecordHeaders.SENDER, NO_UTF8);
        assertThat(claims(null, "x")).isEqualTo(new Claims("UNKNOWN", null, "key", null));
        key = NO_UTF8;
        assertThat(claims(WireProtocols.CSP, "CSP/1\nFROM A\u0001")).isEqualTo(new Claims("CSP", null, null, null));
        header(RecordHeaders.SENDER, "B");
        assertThat(claims(WireProtocols.CSP, "CSP/1\nFROM A\u0001")).isEqualTo(new Claims("CSP", null, null, "B"));
        assertThat(claims(WireProtocols.CSP, "CSP/1\nFROM " + "A".repeat(4_097)).getSender())
                .isEqualTo("B");
        key = new byte[65_537];
        assertThat(claims(null, "x").getConversation()).isNull();
    }
}
