package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryFormatTest {

    @ParameterizedTest
    @CsvSource({
        "00 00000007 0C 68656C6C6F21, schema registry (schema ID 7); send its text with StringSerializer",
        "00 0000000000000007 68656C6C6F, (schema ID 7)",
        "01 0F8FAD5BD9CB469FA16570867728950E 68656C6C6F, (schema 0f8fad5b-d9cb-469f-a165-70867728950e)",
        "03 00 0F8FAD5BD9CB469FA16570867728950E 68656C6C6F, (schema 0f8fad5b-d9cb-469f-a165-70867728950e)",
        "81 A4 74657874 A2 6869, MessagePack",
        "A5 68656C6C6F, MessagePack",
        "D9 05 68656C6C6F, MessagePack",
        "A1 64 74657874 62 6869, CBOR",
        "D9D9F7 64 74657874, CBOR",
        "0A 05 68656C6C6F, Protocol Buffers",
        "0A 05 68656C6C6F 12 02 6869, Protocol Buffers",
        "ACED0005 74 0005 68656C6C6F, serialized Java object",
        "80 04 95 0900000000000000 8C 05 68656C6C6F 94 2E, pickle",
        "80 03 58 05000000 68656C6C6F 71 00 2E, pickle",
        "82 534E415050 5900 0000000100000001, compressed",
        "FF060000 734E61507059, compressed",
        "04224D18 6440A7, compressed",
        "1F8B0800, compressed"
    })
    void theWriterIsNamed(String hex, String detail) {
        RecordDecodeResult result = decode(bytes(hex));
        assertThat(result).isInstanceOfSatisfying(RecordDecodeResult.Undecodable.class, error -> {
            assertThat(error.code()).isEqualTo(Code.UNKNOWN_PROTOCOL);
            assertThat(error.detail()).contains(detail).doesNotContain("UTF-16");
        });
    }

    /** The message inside is named, too: its bytes are what to send. */
    @ParameterizedTest
    @CsvSource({"00 00000007 26, '', schema ID 7", "0A 13, '', Protocol Buffers", "B3, '', MessagePack"})
    void aMessageInsideHasItsWriter(String before, String after, String detail) {
        String hex = before + HexFormat.of().formatHex("@a3|f0|c1|S0|d1|T1#".getBytes(UTF_8)) + after;
        RecordDecodeResult result = decode(bytes(hex));
        assertThat(result).isInstanceOfSatisfying(RecordDecodeResult.Undecodable.class, error -> {
            assertThat(error.code()).isEqualTo(Code.WRAPPED_MESSAGE);
            assertThat(error.inner()).hasSize(1);
            assertThat(error.detail()).contains(detail);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "0000",
                "00000000",
                "0000000000",
                "00 FFFFFFFF 68656C6C6F",
                "01 0000000000000000",
                "01 00000000000000000000000000000000 68",
                "03 00",
                "0A",
                "0A 0A",
                "0A 48656C6C6F",
                "80",
                "81",
                "81 A4 7465",
                "A1",
                "A1 64 74650078 62",
                "C3A9",
                "68656C6C6F"
            })
    void otherBytesHaveNoFormat(String hex) {
        assertThat(BinaryFormat.detail(bytes(hex))).isNull();
    }

    /** Two bytes of other data may look like a character of UTF-16. */
    @ParameterizedTest
    @ValueSource(strings = {"08 00 10 00 18 01", "0041 0001", "4100 0000", "4100 FFFF"})
    void bytesThatAreNoTextAreNotUtf16(String hex) {
        assertThat(Encoding.of(bytes(hex))).isNull();
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static RecordDecodeResult decode(byte[] value) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        return ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of())
                .decode(new WireRecord(source, "k".getBytes(UTF_8), value, RecordHeaders.NONE));
    }
}
