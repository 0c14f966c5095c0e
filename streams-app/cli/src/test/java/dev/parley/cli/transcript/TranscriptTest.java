package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.transcript.Transcript.BadLine;
import dev.parley.cli.transcript.Transcript.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of transcripts. */
class TranscriptTest {
    private static final int ROUNDS = 60_000;
    private static final String FULL = "{\"key\":\"k\",\"headers\":{\"parley-namespace\":\"plant\",\"x\":null},"
            + "\"wire\":\"!Ik λ\",\"topic\":\"parley.wire\",\"timestamp\":\"2026-01-31T12:00:00Z\",\"note\":{\"a\":[1]}}";

    @Test
    void aLineCarriesARecord() throws BadLine {
        Line line = parse(FULL);
        assertThat(line.key()).isEqualTo("k".getBytes(UTF_8));
        assertThat(line.header("parley-namespace")).isEqualTo("plant".getBytes(UTF_8));
        assertThat(line.headers()).containsKey("x");
        assertThat(line.header("x")).isNull();
        assertThat(line.header("absent")).isNull();
        assertThat(line.wire()).isEqualTo("!Ik λ".getBytes(UTF_8));
        assertThat(line.topic()).isEqualTo("parley.wire");
        assertThat(line.timestamp()).isEqualTo(1_769_860_800_000L);
    }

    @Test
    void theWireAloneIsALine() throws BadLine {
        Line line = parse(" {\"wire\":\"!Ik\"} ");
        assertThat(line.key()).isNull();
        assertThat(line.headers()).isEmpty();
        assertThat(line.topic()).isNull();
        assertThat(line.timestamp()).isNull();
        assertThat(parse("{\"wire\":\"!Ik\",\"key\":null,\"headers\":null,\"topic\":null,\"timestamp\":null}"))
                .usingRecursiveComparison()
                .isEqualTo(line);
    }

    @Test
    void aWireOfNullIsATombstone() throws BadLine {
        assertThat(parse("{\"wire\":null}").wire()).isNull();
        assertThat(parse("{\"wire\":\"\"}").wire()).isEmpty();
    }

    @Test
    void aKeyThatIsNullIsNotSet() throws BadLine {
        assertThat(parse("{\"wire\":\"!Ik\",\"wireBase64\":null,\"note\":null,\"expect\":null,\"expectCode\":null,"
                        + "\"expectWarnings\":null,\"expectParked\":null}"))
                .usingRecursiveComparison()
                .isEqualTo(parse("{\"wire\":\"!Ik\"}"));
        assertThat(parse("{\"wire\":null,\"wireBase64\":\"/wA=\"}").wire()).isEqualTo(new byte[] {(byte) 0xFF, 0});
    }

    @Test
    void bytesThatAreNoTextComeInBase64() throws BadLine {
        assertThat(parse("{\"wireBase64\":\"/wA=\"}").wire()).isEqualTo(new byte[] {(byte) 0xFF, 0});
    }

    @Test
    void aSurrogatePairIsOneCharacter() throws BadLine {
        assertThat(parse("{\"wire\":\"\\ud83d\\ude00\"}").wire()).isEqualTo("\uD83D\uDE00".getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1700000000000,1700000000000",
        "'\"1970-01-01T00:00:01.5Z\"',1500",
        "'\"1970-01-01T01:00:00+01:00\"',0"
    })
    void aTimestampIsMillisecondsOrIso8601(String json, long millis) throws BadLine {
        assertThat(parse("{\"wire\":\"x\",\"timestamp\":" + json + "}").timestamp())
                .isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';expected a JSON object",
                "'  ';expected a JSON object",
                "[];expected a JSON object",
                "null;expected a JSON object",
                "\"x\";expected a JSON object",
                "7;expected a JSON object",
                "@a3|f0#;not JSON",
                "{;not JSON",
                "{\"wire\";not JSON",
                "{\"wire\":;not JSON",
                "{\"wire\":\"x;not JSON",
                "{\"wire\":\"x\";not JSON",
                "{\"wire\":\"x\",};not JSON",
                "{\"wire\":\"\\q\"};not JSON",
                "{};no key wire",
                "{\"Wire\":\"x\"};unknown key 'Wire'; did you mean wire?",
                "{\"wire\":\"x\"}{};unexpected content after the object",
                "{\"wire\":\"x\"} 7;unexpected content after the object",
                "{\"wire\":\"x\"} x;not JSON",
                "{\"wire\":\"x\",\"wire\":\"y\"};not JSON: Duplicate field 'wire'",
                "{\"wire\":\"x\",\"wireBase64\":\"eA==\"};wire and wireBase64",
                "{\"wireBase64\":null,\"wire\":null};wire and wireBase64",
                "Λ;not JSON: Unrecognized token 'Λ'",
                "{\"wire\":Λ};not JSON: Unrecognized token 'Λ'",
                "{\"wire\":\"x\";expected close marker for Object, at character 12",
                "{\"wire\":\"x\"];not JSON: Unexpected close marker ']': expected '}', at character",
                "{\"wire\":5};wire must be a string",
                "{\"wire\":true};wire must be a string",
                "{\"wire\":\"x\",\"key\":1};key must be a string",
                "{\"wire\":\"x\",\"topic\":false};topic must be a string",
                "{\"wire\":\"x\",\"headers\":{\"h\":1}};headers.h must be a string",
                "{\"wireBase64\":1};wireBase64 must be a string",
                "{\"wire\":\"x\",\"expect\":1};expect must be a string",
                "{\"wire\":{}};wire must be a string",
                "{\"wire\":[]};wire must be a string",
                "{\"wire\":\"\\ud800\"};wire",
                "{\"wire\":\"a\\udc00b\"};wire",
                "{\"wire\":\"x\",\"key\":\"\\ud800\"};key",
                "{\"wire\":\"x\",\"headers\":{\"h\":\"\\ud800\"}};headers.h",
                "{\"wireBase64\":\"@@\"};wireBase64 must be Base64",
                "{\"wireBase64\":\"a\"};wireBase64 must be Base64",
                "{\"wire\":\"x\",\"key\":[]};key must be a string",
                "{\"wire\":\"x\",\"key\":{}};key must be a string",
                "{\"wire\":\"x\",\"topic\":[]};topic must be a string",
                "{\"wire\":\"x\",\"headers\":[]};headers must be an object",
                "{\"wire\":\"x\",\"headers\":\"h\"};headers must be an object",
                "{\"wire\":\"x\",\"headers\":{\"h\":[]}};headers.h must be a string",
                "{\"wire\":\"x\",\"headers\":{\"h\":\"1\",\"h\":\"2\"}};not JSON: Duplicate field 'h'",
                "{\"wire\":\"x\",\"timestamp\":\"yesterday\"};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":\"2026-01-31T12:00:00\"};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":\"\"};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":1.5};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":true};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":{}};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":-1};must not be before 1970",
                "{\"wire\":\"x\",\"timestamp\":\"1969-12-31T23:59:59Z\"};must not be before 1970",
                "{\"wire\":\"x\",\"timestamp\":\"+999999999-12-31T23:59:59Z\"};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":99999999999999999999};timestamp must be ISO 8601",
                "{\"wire\":\"x\",\"timestamp\":\"1\\n2\"};but was '1\\u000A2'",
                "{\"wire\":\"x\",\"headers\":{\"a\\rb\":[]}};headers.a\\u000Db must be a string",
                "{\"wire\":\"x\",\"a\\rb\":1,\"a\\rb\":1};not JSON: Duplicate field 'a\\u000Db'"
            })
    void aLineThatIsNoneSaysWhyInOneSentence(String line, String says) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(BadLine.class)
                .hasMessageContaining(says)
                .hasMessageNotContaining("[Source")
                .message()
                .matches(message -> message.chars().noneMatch(Character::isISOControl), "stays on one line");
    }

    @Test
    void aLineThatIsNotUtf8IsCalledThat() {
        byte[] line = "{\"wire\":\"\u00e9\"}".getBytes(ISO_8859_1);
        assertThatThrownBy(() -> Transcript.parse(line))
                .isInstanceOf(BadLine.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void aByteOrderMarkIsSkipped() throws BadLine {
        assertThat(parse("\uFEFF{\"wire\":\"!Ik\"}").wire()).isEqualTo("!Ik".getBytes(UTF_8));
    }

    @Test
    void aLineBeyondTheLimitIsNotCalledTruncated() throws IOException {
        StringWriter errors = new StringWriter();
        byte[] lines = ("{\"wire\":\"" + "x".repeat(100) + "\"}\n{\"wire\":\"y\"}").getBytes(UTF_8);
        List<Long> read = new ArrayList<>();
        assertThat(Transcript.read(
                        new ByteArrayInputStream(lines),
                        null,
                        50,
                        "f:",
                        new PrintWriter(errors),
                        (n, line) -> read.add(n)))
                .isFalse();
        assertThat(errors.toString().strip()).isEqualTo("f:1: the line must have at most 50 bytes");
        assertThat(read).containsExactly(2L);
    }

    @Test
    void aFileOfOtherLinesIsNotReportedLineByLine() throws IOException {
        StringWriter errors = new StringWriter();
        byte[] lines = "| a |\n".repeat(1_000).getBytes(UTF_8);
        assertThat(Transcript.read(
                        new ByteArrayInputStream(lines), null, 50, "f:", new PrintWriter(errors), (n, line) -> {}))
                .isFalse();
        assertThat(errors.toString().lines()).hasSize(21).endsWith("f: 980 more errors");
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1_100, 100_000})
    void aRemarkMayNestButNotWithoutEnd(int depth) throws BadLine {
        String line = "{\"wire\":\"x\",\"note\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
        if (depth < 1_000) {
            assertThat(parse(line).wire()).isNotNull();
        } else {
            assertThatThrownBy(() -> parse(line)).isInstanceOf(BadLine.class).hasMessageContaining("not JSON");
        }
    }

    @Test
    void anyLineIsReadOrRefused() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bits = "{}[]\":,\\u0d8 nulltrue-1.5e9\0".getBytes(UTF_8);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] line = FULL.getBytes(UTF_8);
            int from = random.nextInt(8) == 0 ? random.nextInt(line.length) : 0;
            int to = random.nextInt(8) == 0 ? from + random.nextInt(line.length - from) : line.length;
            line = Arrays.copyOfRange(line, from, to);
            for (int i = random.nextInt(4); i > 0 && line.length > 0; i--) {
                line[random.nextInt(line.length)] =
                        random.nextBoolean() ? bits[random.nextInt(bits.length)] : (byte) random.nextInt(256);
            }
            String what = "parley.seed=" + seed + " line " + HexFormat.of().formatHex(line);
            try {
                assertThat(Transcript.parse(line).headers()).as(what).isNotNull();
            } catch (BadLine e) {
                assertThat(e.getMessage())
                        .as(what)
                        .isNotBlank()
                        .matches(message -> message.chars().noneMatch(Character::isISOControl));
            } catch (RuntimeException e) {
                throw new AssertionError(what, e);
            }
        }
    }

    private static Line parse(String line) throws BadLine {
        return Transcript.parse(line.getBytes(UTF_8));
    }
}
