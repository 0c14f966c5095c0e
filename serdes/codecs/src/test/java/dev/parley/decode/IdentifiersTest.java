package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.RecordHeaders;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits of identifiers in messages, which become keys, headers and details. */
class IdentifiersTest {
    private static final String MARK = "%NAME%";
    private static final int MAX = 4_096;

    private final MessageDecoder decoder =
            new MessageDecoder(DecodeOptions.LENIENT, WireProtocols.STANDARD, Map.of(), Diagnosis.NONE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"%NAME%\"}}",
                "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s\",\"agent\":\"%NAME%\"}}",
                "CSP/1\nFROM %NAME%\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY Q1",
                "CSP/1\nFROM A\nTO %NAME%\nCTX C0\nINTENT QUERY\n\nQUERY Q1",
                "CSP/1\nFROM A\nTO B, %NAME%, C\nCTX C0\nINTENT QUERY\n\nQUERY Q1",
                "CSP/1\nFROM A\nTO B\nCTX %NAME%\nINTENT QUERY\n\nQUERY Q1",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK %NAME%\nREQ x",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x\nOWNER %NAME%",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT ERROR\n\nERROR E1\nAT %NAME%\nCAUSE x\nNEXT y",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT FILE\n\nFILEOP F1 PATCH\nPATH x\nBASE "
                        + "%NAME%\nCONTENT\n<<<\nx\n>>>",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH %NAME%\nBASE C0\n+ DEF A = 1\nAPPLY -> C1",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE %NAME%\n+ DEF A = 1\nAPPLY -> C1",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF %NAME% = 1\nAPPLY -> C1",
                "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = 1\nAPPLY -> %NAME%",
                "{id:%NAME%}!Ik",
                "{def:%NAME%=x}!Ik",
                "@A%NAME%:!Ik",
                "A1>A%NAME%:!Ik",
                "A%NAME%: !Ik",
                "<%NAME%"
            })
    void aTooLongIdentifierIsReportedAtItsOffset(String wire) {
        boolean prefixed = wire.contains("A" + MARK);
        String longest = "x".repeat(MAX - (prefixed ? 1 : 0));
        assertThat(decode(wire.replace(MARK, longest))).isInstanceOf(RecordDecodeResult.Message.class);

        RecordDecodeResult result = decode(wire.replace(MARK, longest + "x"));

        assertThat(result).isInstanceOfSatisfying(RecordDecodeResult.Undecodable.class, fault -> {
            assertThat(fault.code()).isEqualTo(Code.IDENTIFIER_TOO_LONG);
            assertThat(fault.position()).isEqualTo(wire.indexOf(MARK) - (prefixed ? 1 : 0));
            assertThat(fault.detail()).contains("4097 bytes", "4096").hasSizeLessThan(300);
        });
    }

    @ParameterizedTest
    @ValueSource(chars = {0, 1, 0x0B, 0x0C, 0x1F, 0x7F, 0x80, 0x9F})
    void aControlCharacterIsFoundNextToLineFeedsToo(char control) {
        for (int length = 0; length < 17; length++) {
            String name = "A".repeat(length);
            for (String wire : new String[] {
                "CSP/1\nFROM " + name + control + "\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY Q1",
                "CSP/1\nFROM " + name + "B\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY " + control
            }) {
                assertThat(decode(wire))
                        .as("%d letters", length)
                        .isInstanceOfSatisfying(
                                RecordDecodeResult.Undecodable.class,
                                fault -> assertThat(fault.code()).isEqualTo(Code.IDENTIFIER_CONTROL));
            }
        }
    }

    @Test
    void theLimitCountsBytesNotCharacters() {
        assertThat(decode(session("é".repeat(2_048)))).isInstanceOf(RecordDecodeResult.Message.class);
        assertThat(decode(session("é".repeat(2_049)))).isInstanceOf(RecordDecodeResult.Undecodable.class);
    }

    /** With escapes, the message does not contain the identifier literally. */
    @Test
    void anEscapedIdentifierIsReportedAtTheStart() {
        assertThat(decode(session("\\u0078".repeat(4_097))))
                .isInstanceOfSatisfying(
                        RecordDecodeResult.Undecodable.class,
                        fault -> assertThat(fault.position()).isZero());
        assertThat(decode(session("\\u0078".repeat(4_096)))).isInstanceOf(RecordDecodeResult.Message.class);
    }

    @Test
    void valuesMayBeAsLongAsTheMessage() {
        String large = "x".repeat(100_000);
        assertThat(decode("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = " + large
                        + "\nAPPLY -> C1"))
                .isInstanceOf(RecordDecodeResult.Message.class);
        assertThat(decode("{def:a=\"" + large + "\"}!" + large)).isInstanceOf(RecordDecodeResult.Message.class);
    }

    @Test
    void aDetailDoesNotGrowWithTheMessage() {
        for (String wire : new String[] {
            "@a3|f0|c1|S0|d1|T1|" + "x".repeat(100_000),
            "CSP/1\nFROM A\n" + "K".repeat(100_000) + " x\n",
            "{\"type\":\"" + "x".repeat(100_000) + "\",\"payload\":\"000110\"}",
            "!\"" + "\\q".repeat(100_000)
        }) {
            assertThat(decode(wire))
                    .as(wire.substring(0, 20))
                    .isInstanceOfSatisfying(
                            RecordDecodeResult.Undecodable.class,
                            fault -> assertThat(fault.detail()).hasSizeLessThanOrEqualTo(1_001));
        }
    }

    private RecordDecodeResult decode(String wire) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        return decoder.decode(new WireRecord(source, "key".getBytes(UTF_8), wire.getBytes(UTF_8), RecordHeaders.NONE));
    }

    private static String session(String escaped) {
        return "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"" + escaped + "\"}}";
    }
}
