package dev.parley.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.transcript.DelimitedReader;
import dev.parley.cli.transcript.Transcript;
import dev.parley.fuzz.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Feeds any bytes as a transcript and as messages on standard input: each line gets a result, and nothing else happens.
 */
class TranscriptFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final CommandLine PARLEY = Parley.commandLine();
    private static final int SMALL = 64;
    private static final int MAX_REPORTED = 20;
    private static final Pattern OTHER_FORMAT =
            Pattern.compile("(?:\u00EF\u00BB\u00BF)?[ \t\r\n]*\\{[ \t\r\n]*\"(?:log|session_id)\"");

    private static final String HAR = """
            {"log":{"creator":{"name":"mitmproxy"},"entries":[{"startedDateTime":"2026-11-30T12:41:23Z","time":8,"request":
            {"method":"POST","url":"http://h/mcp?v=1","headers":[{"name":"Mcp-Session-Id","value":"1"}],"bodySize":1,
            "postData":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"ping\\"}"}},"response":{"status":200,"headers":
            [],"content":{"size":1,"mimeType":"text/event-stream","text":"event: message\\ndata: {}\\n\\n"}}}]}}
            """;
    private static final String SNOOP = """
            {"session_id":"s","seq":1,"direction":"meta","transport":"stdio","raw":{}}
            {"session_id":"s","seq":3,"ts":"2026-11-30T12:41:23Z","direction":"c2s","raw":{"jsonrpc":"2.0","id":1,"method":"ping"}}
            {"session_id":"s","seq":4,"direction":"s2c","text":"x","status":200,"truncated":true}
            """;

    static Stream<Named<byte[]>> samples() {
        Stream<Named<byte[]>> others =
                Stream.of(Named.of("HAR", HAR.getBytes(UTF_8)), Named.of("mcpsnoop", SNOOP.getBytes(UTF_8)));
        return Stream.concat(Seeds.lines(), others);
    }

    @MethodSource("samples")
    @FuzzTest
    void everyLineGetsAResult(byte[] input) throws IOException {
        List<byte[]> lines = split(input, '\n');
        requireLines(input, lines);
        requireDecoded(input, lines.size());
        if (OTHER_FORMAT.matcher(new String(input, ISO_8859_1)).lookingAt()) {
            requireReported(input);
            return;
        }
        Set<Integer> bad = new TreeSet<>();
        Set<Integer> good = new TreeSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length > 0) {
                (isTranscript(lines.get(i)) ? good : bad).add(i + 1);
            }
        }
        requireJudged(input, good, bad);
    }

    /** Requires that a HAR file or a log of mcpsnoop is read, or that each error is one line. */
    private static void requireReported(byte[] input) {
        Run run = Run.fed(input, "judge", "-");
        require(run.exit() == 0 || run.exit() == 2 && !run.err().isEmpty(), "unexpected exit status " + run.exit());
        require(run.err().lines().allMatch(line -> line.startsWith("-:")), "must be about the file: " + run.err());
        run.json().forEach(verdict -> require(verdict.path("verdict").isTextual(), "a verdict must have a name"));
    }

    /** Splits the input into lines, in the simplest way. */
    private static List<byte[]> split(byte[] input, char delimiter) {
        List<byte[]> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < input.length; at++) {
            if (input[at] == delimiter) {
                lines.add(withoutReturn(input, from, at));
                from = at + 1;
            }
        }
        if (from < input.length) {
            lines.add(withoutReturn(input, from, input.length));
        }
        return lines;
    }

    private static byte[] withoutReturn(byte[] input, int from, int to) {
        return Arrays.copyOfRange(input, from, to > from && input[to - 1] == '\r' ? to - 1 : to);
    }

    /**
     * Requires that the reader returns the same lines, whatever pieces the stream comes in, and a prefix beyond the
     * limit for a long one.
     */
    private static void requireLines(byte[] input, List<byte[]> lines) throws IOException {
        DelimitedReader small = new DelimitedReader(new InPieces(input), false, SMALL);
        for (byte[] line : lines) {
            byte[] read = small.next();
            require(read != null, "the reader must read to the end");
            boolean whole = Arrays.equals(read, line);
            boolean beginning = line.length > SMALL
                    && read.length > SMALL
                    && read.length <= SMALL + 2
                    && Arrays.equals(read, Arrays.copyOf(line, read.length));
            require(whole || beginning, "the reader must not change a line");
        }
        require(small.next() == null, "the reader must stop at the end");
    }

    /** Whether the line is a line of a transcript, which must then have the same meaning after writing it again. */
    private static boolean isTranscript(byte[] line) throws IOException {
        try {
            Transcript.Line read = Transcript.parse(line);
            require(read.timestamp() == null || read.timestamp() >= 0, "a time must not be before 1970");
            byte[] written = JSON.writeValueAsBytes(asJson(read));
            Transcript.Line again = Transcript.parse(written);
            require(
                    Arrays.equals(again.wire(), read.wire())
                            && Arrays.equals(again.key(), read.key())
                            && again.headers().equals(read.headers())
                            && String.valueOf(again.topic()).equals(String.valueOf(read.topic()))
                            && String.valueOf(again.timestamp()).equals(String.valueOf(read.timestamp())),
                    "a line must have the same meaning after writing it again");
            return true;
        } catch (Transcript.BadLine e) {
            require(isSentence(e.getMessage()), "the error of an invalid line must be one line: " + e.getMessage());
            return false;
        }
    }

    private static boolean isSentence(String text) {
        return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
    }

    private static ObjectNode asJson(Transcript.Line line) {
        ObjectNode json = JSON.createObjectNode();
        json.put("key", line.key() == null ? null : new String(line.key(), UTF_8));
        ObjectNode headers = json.putObject("headers");
        line.headers().forEach(headers::put);
        json.put("wireBase64", line.wire());
        json.put("topic", line.topic());
        json.put("timestamp", line.timestamp());
        return json;
    }

    private static void requireJudged(byte[] input, Set<Integer> good, Set<Integer> bad) {
        Run run = Run.fed(input, "judge", "-");
        require(
                run.exit() == (bad.isEmpty() ? 0 : 2),
                "unexpected exit status of judge: " + run.exit() + ": " + run.err());
        Set<Integer> judged = new TreeSet<>();
        for (JsonNode verdict : run.json()) {
            require(verdict.path("verdict").isTextual(), "a verdict must have a name");
            judged.add(verdict.path("line").intValue());
        }
        require(judged.equals(good), "judge returned results for " + judged + ", not " + good);
        List<String> errors = run.err().lines().toList();
        int reported = Math.min(bad.size(), MAX_REPORTED);
        List<Integer> refused = new ArrayList<>();
        errors.subList(0, Math.min(reported, errors.size())).forEach(line -> {
            require(line.startsWith("-:"), "must be an error about a line: " + line);
            refused.add(Integer.valueOf(line.substring(2, line.indexOf(':', 2))));
        });
        require(
                refused.equals(bad.stream().limit(reported).toList()),
                "judge reported errors for " + refused + ", not " + bad);
        List<String> more = errors.subList(reported, errors.size());
        List<String> remarks = input.length == 0 ? List.of("-: the transcript has no lines") : List.of();
        require(
                bad.size() == reported
                        ? more.equals(remarks)
                        : more.size() == 1 && more.get(0).startsWith("-: " + (bad.size() - reported) + " more error"),
                "judge must count the other errors: " + more);
    }

    private static void requireDecoded(byte[] input, int lines) {
        Run run = Run.fed(input, "decode");
        List<JsonNode> answers = run.json();
        boolean none = answers.stream().noneMatch(answer -> answer.path("ok").booleanValue());
        String remark = lines == 0 ? "standard input has no messages" : "no line of standard input is a message";
        require(
                run.exit() <= 1 && (run.err().isEmpty() || none && run.err().startsWith("parley decode: " + remark)),
                "decode must not report errors: " + run.err());
        require(
                answers.size() == lines,
                "decode returned results for " + answers.size() + " of " + lines + " messages");
        boolean all = answers.stream().allMatch(answer -> answer.path("ok").booleanValue());
        require((run.exit() == 0) == all, "the exit status must show whether every message decoded");
    }

    private static void require(boolean holds, String promise) {
        if (!holds) {
            throw new AssertionError(promise);
        }
    }

    /** A stream that returns only a few bytes per call. */
    private static final class InPieces extends InputStream {
        private final ByteArrayInputStream in;

        InPieces(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return in.read(target, offset, Math.min(length, 7));
        }
    }

    /** Result of one command in this process. */
    private record Run(int exit, String out, String err) {

        static Run fed(byte[] input, String... arguments) {
            InputStream inBefore = System.in;
            PrintStream outBefore = System.out;
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            StringWriter err = new StringWriter();
            try (PrintStream captured = new PrintStream(out, false, UTF_8)) {
                System.setIn(new ByteArrayInputStream(input));
                System.setOut(captured);
                PARLEY.setErr(new PrintWriter(err, true));
                int exit = PARLEY.execute(arguments);
                captured.flush();
                return new Run(exit, out.toString(UTF_8), err.toString());
            } finally {
                System.setIn(inBefore);
                System.setOut(outBefore);
            }
        }

        List<JsonNode> json() {
            List<JsonNode> objects = new ArrayList<>();
            out.lines().forEach(line -> {
                try {
                    objects.add(JSON.readTree(line));
                } catch (JsonProcessingException e) {
                    throw new AssertionError("not JSON: " + line, e);
                }
            });
            return objects;
        }
    }
}
