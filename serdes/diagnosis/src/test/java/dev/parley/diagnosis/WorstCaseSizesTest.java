package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Measures how much larger a decoded message can be than its bytes, without limits on fields and operations.
 * ParleyConfig#outputRecordBytes relies on it: output records take twelve times a message.
 */
class WorstCaseSizesTest {
    private static final int BYTES = 1 << 20;
    private static final int FACTOR = 8;
    private static final long MARGIN = 64 << 10;
    private static final int SEARCHED_BYTES = 1_200;
    private static final long SEARCHED_MARGIN = 300;
    private static final DecodeOptions OPTIONS = new DecodeOptions(
            Profile.LENIENT, new Limits(BYTES, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE));
    private static final String CSP = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT ";

    static Stream<Arguments> worst() {
        return Stream.of(
                wire("Λ tokens", "!", "a ", ""),
                wire("Λ symbols", "!", "→", ""),
                wire("Λ tokens without spaces", "!", "+a", ""),
                wire("Λ statements", "", "!;", "!"),
                wire("Λ empty data", "", "[]", ""),
                wire("Λ errors", "", "!er:xx;", "!"),
                wire("Λ contexts", "", "{a:b}", "!Ik"),
                wire("Λ empty contexts", "", "{}", "!Ik"),
                wire("Λ definitions", "{", "def:a=b,", "v:1}!Ik"),
                wire("Λ addressees", "@A", ",B", ":!Ik"),
                wire("Λ relay", "A", ">B", ":!Ik"),
                wire("Λ strings", "!", "\"a\" ", ""),
                wire("Λ data", "", "[a]", ""),
                wire("SLIP unknown fields", "@a3|f0|c1|S0|d1|T1", "|z1", "#"),
                wire("SLIP empty tokens", "@a3|f0|c1|S0|d1|T1", "|", "|k1#"),
                wire("SLIP tag", "@a3|f0|c1|S0|d1|T1|t\"", "x", "\"#"),
                wire("SUBIT forms", "{\"type\":\"TRACE\",\"payload\":\"", "111111", "\"}"),
                wire("SUBIT spaced forms", "{\"type\":\"TRACE\",\"payload\":\"000000", " 111111", "\"}"),
                numbered(
                        "SUBIT meta",
                        "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"a\":1",
                        ",\"%s\":1",
                        "}}"),
                numbered("SUBIT extras", "{\"type\":\"STATE\",\"payload\":\"000110\"", ",\"%s\":\"\"", "}"),
                wire(
                        "SUBIT JSON text",
                        "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"a\":[\"",
                        "\u2028",
                        "\"]}}"),
                wire("SUBIT DEL", "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"a\":[\"", "\u007f", "\"]}}"),
                wire(
                        "SUBIT session of DEL",
                        "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"a\":\"",
                        "\u007f",
                        "\"}}"),
                wire("CSP recipients", "CSP/1\nFROM A\nTO A", ",B", "\nCTX C0\nINTENT QUERY\n\nQUERY Q1"),
                numbered("CSP keys", CSP + "QUERY\n\nQUERY Q1", "\n%s", "\n"),
                wire("CSP lines", CSP + "PLAN\n\nPLAN P1", "\nA", "\n"),
                wire("CSP definitions outside a patch", CSP + "PLAN\n\nPLAN P1", "\nDEF A", "\n"),
                numbered("CSP operations", CSP + "PATCH\n\nPATCH P1\nBASE C0", "\n- DEF %s", "\nAPPLY -> C1"),
                numbered("CSP additions", CSP + "PATCH\n\nPATCH P1\nBASE C0", "\n+ DEF %s =", "\nAPPLY -> C1"),
                numbered("CSP header keys", "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT QUERY\nX", "\nX%s", "\n\nQUERY Q1"));
    }

    private static Arguments wire(String name, String start, String repeated, String end) {
        int room = BYTES - start.getBytes(UTF_8).length - end.getBytes(UTF_8).length;
        return Arguments.of(name, start + repeated.repeat(room / repeated.getBytes(UTF_8).length) + end);
    }

    private static Arguments numbered(String name, String start, String repeated, String end) {
        StringBuilder wire = new StringBuilder(BYTES).append(start);
        for (int i = 0; wire.length() + repeated.length() + end.length() + 8 < BYTES; i++) {
            wire.append(repeated.formatted(letters(i)));
        }
        return Arguments.of(name, wire + end);
    }

    /** The shortest names in upper-case letters. */
    private static String letters(int number) {
        StringBuilder name = new StringBuilder();
        for (int rest = number; rest >= 0; rest = rest / 26 - 1) {
            name.append((char) ('A' + rest % 26));
        }
        return name.toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("worst")
    void aDecodedMessageIsAtMostEightTimesItsBytes(String name, String wire) throws IOException {
        byte[] bytes = wire.getBytes(UTF_8);
        assertThat(bytes.length).isLessThanOrEqualTo(BYTES);
        RecordDecodeResult result = decode(name.substring(0, name.indexOf(' ')), bytes);
        assertThat(result).as(name).isInstanceOf(RecordDecodeResult.Message.class);
        assertThat(size(((RecordDecodeResult.Message) result).message()))
                .as(name)
                .isLessThan(FACTOR * bytes.length + MARGIN);
    }

    /** All units of up to three significant characters of a protocol, repeated. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "LAMBDA, ^^, ^a1\";?!.~><#@{}[]()|:+-*/=_^, ^^",
                "LAMBDA, !, ^a1\";?!.~><#@{}[]()|:+-*/=_^, ^^",
                "SLIP, @a3|f0|c1|S0|d1|T1|, ^|z1\"k^, ^#^"
            })
    void noRepeatedUnitMakesARecordMoreThanEightTimesAsLarge(String protocol, String start, String alphabet, String end)
            throws IOException {
        for (int length = 1; length <= 3; length++) {
            for (int number = 0; number < Math.pow(alphabet.length(), length); number++) {
                StringBuilder unit = new StringBuilder();
                for (int i = 0, rest = number; i < length; i++, rest /= alphabet.length()) {
                    unit.append(alphabet.charAt(rest % alphabet.length()));
                }
                byte[] bytes = (start + unit.toString().repeat(SEARCHED_BYTES / length) + end).getBytes(UTF_8);
                if (decode(protocol, bytes) instanceof RecordDecodeResult.Message decoded) {
                    assertThat(size(decoded.message()))
                            .as("%s %s", protocol, unit)
                            .isLessThan(FACTOR * bytes.length + SEARCHED_MARGIN);
                }
            }
        }
    }

    private static RecordDecodeResult decode(String protocol, byte[] bytes) {
        return ValueDiagnosis.decoder(OPTIONS, Map.of())
                .decode(new WireRecord(
                        new Source("parley.wire", 0, 0L, Instant.EPOCH, null),
                        "k".getBytes(UTF_8),
                        bytes,
                        RecordHeaders.of(Map.of(RecordHeaders.PROTOCOL, protocol.getBytes(UTF_8)))));
    }

    private static long size(AgentMessage message) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new SpecificDatumWriter<>(AgentMessage.class).write(message, encoder);
        encoder.flush();
        return out.size();
    }
}
