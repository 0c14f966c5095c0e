package dev.parley.cli.transcript;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.CommandRun;
import dev.parley.cli.transcript.Transcript.BadLine;
import dev.parley.cli.transcript.Transcript.Line;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of mcpsnoop, with lines as its versions 0.9 and 0.18 write them. */
class SnoopLinesTest {
    private static final int ROUNDS = 20_000;
    private static final int MAX_BYTES = 1 << 20;

    /** A run over stdio, recorded with mcpsnoop 0.9.0, without long values. */
    private static final List<String> RUN = List.of(
            line(1, "meta", "\"raw\":{\"command\":[\"node\",\"index.js\"],\"cwd\":\"/tmp\"}"),
            line(
                    2,
                    "c2s",
                    "\"raw\":{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"clientInfo\":{\"name\":\"probe\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}"),
            line(3, "stderr", "\"text\":\"Starting default (STDIO) server...\""),
            line(
                    4,
                    "s2c",
                    "\"raw\":{\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":"
                            + "{\"name\":\"s\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}"),
            line(5, "c2s", "\"raw\":{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}"),
            line(
                    6,
                    "c2s",
                    "\"raw\":{\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"message\":\"\\u003cb\\u003e\"},"
                            + "\"_meta\":{\"progressToken\":1}},\"jsonrpc\":\"2.0\",\"id\":1}"),
            line(
                    7,
                    "s2c",
                    "\"raw\":{\"method\":\"notifications/progress\",\"params\":{\"progress\":1,\"progressToken\":1},"
                            + "\"jsonrpc\":\"2.0\"}"),
            line(8, "s2c", "\"raw\":{\"result\":{\"content\":[]},\"jsonrpc\":\"2.0\",\"id\":1}"),
            line(9, "c2s", "\"raw\":{\"method\":\"tools/list\",\"jsonrpc\":\"2.0\",\"id\":2}"));

    @Test
    void aRunOverStdioStartsWithItsFirstMessage() throws BadLine {
        List<Line> lines = parse(RUN);
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0)).as("meta").isNull();
        assertThat(lines.get(2)).as("stderr").isNull();
        assertThat(lines.get(1).headers())
                .isEqualTo(Map.of(
                        "parley-protocol", "mcp", "parley-direction", "client-to-server", "parley-capture", "start"));
        assertThat(lines.get(3).headers())
                .isEqualTo(Map.of("parley-protocol", "mcp", "parley-direction", "server-to-client"));
        assertThat(lines.get(1).key()).isEqualTo("everything-24115".getBytes(UTF_8));
        assertThat(lines.get(1).timestamp()).isEqualTo(1_796_031_274_417L);
        assertThat(lines.get(4).wire())
                .isEqualTo("{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}".getBytes(UTF_8));
    }

    @Test
    void judgeNamesTheLinesOfTheLog() {
        CommandRun run = CommandRun.fed(String.join("\n", RUN), "judge", "-");
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isZero();
        assertThat(run.json()).extracting(line -> line.get("line").intValue()).containsExactly(2, 4, 5, 6, 7, 8, 9);
        assertThat(run.json()).allMatch(line -> line.get("verdict").textValue().equals("ACCEPTED"));

        String reused = line(10, "c2s", "\"raw\":{\"method\":\"ping\",\"jsonrpc\":\"2.0\",\"id\":2}");
        CommandRun violation = CommandRun.fed(String.join("\n", RUN) + "\n" + reused, "judge", "-");
        assertThat(violation.json().get(7).get("code").textValue()).isEqualTo("MCP_ID_REUSED");
    }

    /** mcpsnoop drops messages under load, and its numbers show it; a log may also be filtered. */
    @Test
    void noSelectionOfLinesCausesAViolation() {
        for (int chosen = 1; chosen < 1 << RUN.size(); chosen++) {
            StringBuilder log = new StringBuilder();
            for (int i = 0; i < RUN.size(); i++) {
                log.append((chosen >> i & 1) == 1 ? RUN.get(i) + "\n" : "");
            }
            assertThat(CommandRun.fed(log.toString(), "judge", "-").json())
                    .as(log.toString())
                    .allMatch(line -> line.get("verdict").textValue().equals("ACCEPTED"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "0",
                "-1.50e+3",
                "true",
                "null",
                "\"\"",
                "\"a\\u0041\\\"}ä€😀\"",
                "{\"a\":1.0,\"a\":[{\"b\":[]},\"}\"]}",
                "[1,[2,{\"x\":\"]\"}]]"
            })
    void theMessageHasTheBytesOfTheLine(String raw) throws BadLine {
        for (String space : List.of("", " ", "\t ")) {
            String line = line(1, "c2s", "\"raw\":" + space + raw + space);
            assertThat(parse(List.of(line)).get(0).wire()).as(line).isEqualTo(raw.getBytes(UTF_8));
        }
        String large = "{\"a\":\"" + "ä".repeat(100_000) + "\",\"b\":" + raw + "}";
        assertThat(parse(List.of(line(1, "c2s", "\"raw\":" + large))).get(0).wire())
                .isEqualTo(large.getBytes(UTF_8));
    }

    @Test
    void aLineThatIsNotJsonIsAMessage() throws BadLine {
        Line line =
                parse(List.of(line(1, "s2c", "\"text\":\"Listening…\\u0007\""))).get(0);
        assertThat(line.wire()).isEqualTo("Listening…\u0007".getBytes(UTF_8));
        assertThat(parse(List.of(line(1, "s2c", "\"status\":202"))).get(0).wire())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'1m,2,3,4','-,start,-,-'",
        "'1m,3,4','-,gap,-'",
        "'1m,2,4,5','-,start,gap,-'",
        "'1m,2,4e,5','-,start,-,gap'",
        "'1m,2e,3e,4','-,-,-,start'",
        "'1m,2,4,3,5','-,start,gap,-,-'",
        "'5,6,8','-,-,gap'",
        "'1m,2,3,1m,2,3','-,start,-,-,start,-'",
        "'1m,1m,2','-,-,start'",
        "'1m,2x,3,4','-,-,start,-'",
        "'1m,2,4x,5,6','-,start,-,gap,-'",
        "'1m,2x,4,5','-,-,gap,-'"
    })
    void aJumpOfTheNumbersIsAGap(String numbers, String marks) throws BadLine {
        List<String> lines = new ArrayList<>();
        for (String number : numbers.split(",")) {
            String direction = number.endsWith("m") ? "meta" : number.endsWith("e") ? "stderr" : "c2s";
            String raw = number.endsWith("x")
                    ? "\"text\":\"Listening\""
                    : "\"raw\":{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
            lines.add(line(Integer.parseInt(number.replaceAll("\\D", "")), direction, raw));
        }
        List<String> found = new ArrayList<>();
        for (Line line : parse(lines)) {
            String mark = line == null ? null : line.headers().get("parley-capture");
            found.add(mark == null ? "-" : mark);
        }
        assertThat(String.join(",", found)).isEqualTo(marks);
    }

    @Test
    void eachRunHasItsOwnNumbersAndKey() throws BadLine {
        String other = line(1, "meta", "\"raw\":{}").replace("24115", "7");
        String message = line(2, "c2s", "\"raw\":{\"jsonrpc\":\"2.0\"}").replace("24115", "7");
        List<Line> lines = parse(List.of(RUN.get(0), other, RUN.get(1), message));
        assertThat(lines.get(2).headers()).containsEntry("parley-capture", "start");
        assertThat(lines.get(3).headers()).containsEntry("parley-capture", "start");
        assertThat(lines.get(3).key()).isEqualTo("everything-7".getBytes(UTF_8));
    }

    @Test
    void aRunOverHttpHasNoStartAndItsRecordsHaveNoExchange() throws BadLine {
        String request = "\"raw\":{},\"mcp_method\":\"tools/call\",\"mcp_name\":\"echo\",\"mcp_protocol_version\":"
                + "\"2026-07-28\",\"mcp_param_headers\":[{\"name\":\"Mcp-Param-A\",\"value\":\"x\"}],\"conn_id\":\"[::1]:9\"";
        List<Line> lines = parse(List.of(
                line(1, "meta", "\"raw\":{}").replace("stdio", "http"),
                line(2, "c2s", request).replace("stdio", "http"),
                line(3, "s2c", "\"conn_id\":\"[::1]:9\",\"status\":202").replace("stdio", "http"),
                line(4, "s2c", "\"text\":\"{\",\"truncated\":true,\"status\":200")
                        .replace("stdio", "http")));
        assertThat(lines.get(1).headers())
                .isEqualTo(Map.of(
                        "parley-protocol",
                        "mcp",
                        "parley-direction",
                        "client-to-server",
                        "mcp-method",
                        "tools/call",
                        "mcp-name",
                        "echo",
                        "mcp-protocol-version",
                        "2026-07-28"));
        assertThat(lines.get(2).headers())
                .containsEntry("parley-http-status", "202")
                .doesNotContainKey("parley-capture");
        assertThat(lines.get(2).wire()).isNull();
        assertThat(lines.get(3).headers()).containsEntry("parley-capture", "gap");
        assertThat(lines.get(3).wire()).as("a message that mcpsnoop has cut").isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[];expected a JSON object as mcpsnoop writes it",
                "{};direction must be c2s, s2c, stderr or meta, but was ''",
                "{\"direction\":\"up\"};but was 'up'",
                "{\"direction\":[1]};but was '[1]'",
                "{\"direction\":\"c2s\"};seq must be an integer >= 0, but was ''",
                "{\"direction\":\"c2s\",\"seq\":-1};but was '-1'",
                "{\"direction\":\"c2s\",\"seq\":99999999999999999999};but was '99999999999999999999'",
                "{\"direction\":\"c2s\",\"seq\":1,\"ts\":\"now\"};ts must be ISO 8601",
                "{\"direction\":\"c2s\",\"seq\":1,\"ts\":\"0001-01-01T00:00:00Z\"};ts must not be before 1970",
                "{\"direction\":\"c2s\",\"seq\":1,\"raw\":};not JSON: Unexpected character",
                "{\"direction\":\"c2s\",\"seq\":1,\"raw\":{;not JSON: Unexpected end-of-input",
                "{\"direction\":\"c2s\",\"seq\":1}{};unexpected content after the object",
                "{\"direction\":\"c2s\",\"seq\":1,\"text\":\"\u00FF\"};the line must be UTF-8"
            })
    void aLineThatIsNoneSaysWhy(String line, String says) {
        byte[] bytes = line.getBytes(line.contains("\u00FF") ? ISO_8859_1 : UTF_8);
        assertThatThrownBy(() -> new SnoopLines().parse(bytes, MAX_BYTES))
                .isInstanceOf(BadLine.class)
                .hasMessageContaining(says)
                .hasMessageNotContaining("[Source");
    }

    @Test
    void aLineIsBounded() {
        byte[] line = RUN.get(1).getBytes(UTF_8);
        assertThatThrownBy(() -> new SnoopLines().parse(line, line.length - 1))
                .isInstanceOf(BadLine.class)
                .hasMessage("the line must have at most " + (line.length - 1) + " bytes");
    }

    @Test
    void aWrongLineIsNamedAndTheOthersAreRead() throws IOException {
        StringWriter err = new StringWriter();
        List<Long> numbers = new ArrayList<>();
        String log = RUN.get(0) + "\n" + RUN.get(1) + "\n\n{\"wire\":\"x\"}\n" + RUN.get(3);
        assertThat(Transcript.read(
                        new ByteArrayInputStream(log.getBytes(UTF_8)),
                        null,
                        Transcript.MAX_LINE_BYTES,
                        "f:",
                        new PrintWriter(err),
                        (number, line) -> numbers.add(number)))
                .isFalse();
        assertThat(numbers).containsExactly(2L, 5L);
        assertThat(err.toString()).isEqualTo("f:4: direction must be c2s, s2c, stderr or meta, but was ''\n");
    }

    @Test
    void anyLineIsReadOrRefused() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] bits = "{}[]\":,\\u0d8 nulltrue-1.5e9\0".getBytes(UTF_8);
        SnoopLines lines = new SnoopLines();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] line = RUN.get(random.nextInt(RUN.size())).getBytes(UTF_8);
            for (int i = random.nextInt(4); i > 0; i--) {
                line[random.nextInt(line.length)] =
                        random.nextBoolean() ? bits[random.nextInt(bits.length)] : (byte) random.nextInt(256);
            }
            try {
                lines.parse(line, MAX_BYTES);
            } catch (BadLine e) {
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException e) {
                throw new AssertionError("parley.seed=" + seed + " line " + new String(line, ISO_8859_1), e);
            }
        }
    }

    private static String line(int number, String direction, String more) {
        return "{\"session_id\":\"everything-24115\",\"server_label\":\"everything\",\"seq\":" + number
                + ",\"ts\":\"2026-11-30T12:34:34.417703234+03:00\",\"direction\":\"" + direction
                + "\",\"transport\":\"stdio\"," + more + "}";
    }

    private static List<Line> parse(List<String> log) throws BadLine {
        SnoopLines parser = new SnoopLines();
        List<Line> lines = new ArrayList<>();
        for (String line : log) {
            lines.add(parser.parse(line.getBytes(UTF_8), MAX_BYTES));
        }
        return lines;
    }
}
