package dev.parley.cli.offline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.CommandRun;
import dev.parley.cli.Parley;
import dev.parley.codec.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that need no broker, from their arguments to their exit status. */
class OfflineCommandsTest {
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"auth\"#";
    private static final String CSP_TRANSCRIPT = "samples/csp-refactoring.jsonl";

    @TempDir
    private Path directory;

    // decode

    @Test
    void decodePrintsTheMessageWithWarningsViolationsAndCanonicalForm() {
        CommandRun run = CommandRun.fed(SLIP + "\n", "decode");
        assertThat(run.exit()).isZero();
        assertThat(run.err()).isEmpty();
        JsonNode line = run.json().get(0);
        assertThat(line.get("line").intValue()).isEqualTo(1);
        assertThat(names(line))
                .containsExactly("line", "ok", "protocol", "message", "warnings", "violations", "canonical", "gloss");
        assertThat(line.get("ok").booleanValue()).isTrue();
        assertThat(line.get("protocol").textValue()).isEqualTo("SLIP");
        assertThat(line.get("message").get("act").textValue()).isEqualTo("REQUEST");
        assertThat(line.get("message").get("tag").textValue()).isEqualTo("auth");
        assertThat(line.get("message").has("score")).isFalse();
        assertThat(line.get("warnings")).isEmpty();
        assertThat(line.get("violations")).isEmpty();
        assertThat(line.get("canonical").textValue()).isEqualTo(SLIP);
        assertThat(line.get("gloss").textValue())
                .startsWith("Agent 0 (coordinator) asks agent 1 (planner) to do task 1");
    }

    @Test
    void judgeExpandsTheDefinitionsInForceInGlosses() {
        CommandRun run = CommandRun.fed("""
                {"key":"c","headers":{"parley-sender":"A"},"wire":"{def:ta=\\"build Lambda skill\\"}"}
                {"key":"c","headers":{"parley-sender":"B"},"wire":"<ctx"}
                {"key":"c","headers":{"parley-sender":"A"},"wire":"!I*d/ta"}
                {"key":"ctx","wire":"CSP/1\\nFROM MAIN\\nTO EXP\\nCTX C0\\nINTENT PATCH\\n\\nPATCH P1\\nBASE C0\\n+ DEF SRC = src/\\nAPPLY -> C1"}
                {"key":"ctx","wire":"CSP/1\\nFROM MAIN\\nTO EXP\\nCTX C1\\nINTENT TASK\\n\\nTASK T1\\nREQ find it\\nIN SRC\\nOUT X\\nOWNER EXP\\nPRIORITY P1"}
                {"key":"ctx","wire":"CSP/2"}
                """, "judge", "-");
        assertThat(run.json())
                .extracting(line -> line.get("gloss").textValue())
                .containsExactly(
                        "I define ta as \"build Lambda skill\".",
                        "Context accepted.",
                        "We do ta (build Lambda skill).",
                        "MAIN patches C0 to C1 (P1) for EXP: adds SRC = src/",
                        "MAIN gives EXP task T1: find it in SRC (src/)",
                        null);
    }

    @Test
    void aVocabularyFileAddsWordsToGlosses() throws IOException {
        Path words = Files.writeString(directory.resolve("words.txt"), "se thing secret\n");
        assertThat(CommandRun.fed("!Ik/se\n", "decode", "--vocabulary", words.toString())
                        .json()
                        .get(0)
                        .get("gloss")
                        .textValue())
                .isEqualTo("I know about the secret.");

        Files.writeString(words, "se nuon secret\n");
        CommandRun refused = CommandRun.fed("!Ik/se\n", "decode", "--vocabulary", words.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("words.txt:1: the class must be one of entity");
    }

    @Test
    void historyHasTheGlossOfEachMessage() throws IOException {
        Path transcript = Files.writeString(directory.resolve("t.jsonl"), """
                {"key":"c","headers":{"parley-sender":"A"},"wire":"{def:ta=\\"build Lambda skill\\"}"}
                {"key":"c","headers":{"parley-sender":"B"},"wire":"{def:qq=\\"x\\"}!I*d/ta"}
                """);
        CommandRun run = CommandRun.of(
                "history", transcript.toString(), "c", "--protocol", "lambda", "--entry", "definition/qq");
        assertThat(run.json().get(0).get("gloss").textValue())
                .isEqualTo("I define qq as \"x\". We do ta (build Lambda skill).");
    }

    @Test
    void decodePrintsAFaultWithItsPlaceAndLeavesWithOne() {
        CommandRun run = CommandRun.fed("@a3|f9|c1|S0|d1|T1#", "decode");
        assertThat(run.exit()).isEqualTo(1);
        JsonNode line = run.json().get(0);
        assertThat(line.get("line").intValue()).isEqualTo(1);
        assertThat(names(line)).containsExactly("line", "ok", "protocol", "code", "offset", "detail");
        assertThat(line.get("ok").booleanValue()).isFalse();
        assertThat(line.get("protocol").textValue()).isEqualTo("SLIP");
        assertThat(line.get("code").textValue()).isEqualTo("SLIP_UNKNOWN_FRAME");
        assertThat(line.get("offset").intValue()).isEqualTo(4);
        assertThat(line.get("detail").textValue()).isNotBlank();
    }

    @Test
    void decodeGoesOnAfterAFaultAndKeepsTheOrder() {
        CommandRun run = CommandRun.fed("hello\n" + SLIP + "\r\n!Ik/co[n12]\n", "decode");
        assertThat(run.exit()).isEqualTo(1);
        List<JsonNode> lines = run.json();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0).get("code").textValue()).isEqualTo("UNKNOWN_PROTOCOL");
        assertThat(lines.get(0).get("detail").textValue()).contains("parley-protocol");
        assertThat(lines.get(1).get("canonical").textValue()).isEqualTo(SLIP);
        assertThat(lines.get(2).get("violations").get(0).textValue()).isEqualTo("LAMBDA_CHECKSUM");
    }

    @Test
    void decodeReadsSeveralFilesAndStandardInput() throws IOException {
        Path one = Files.writeString(directory.resolve("one"), SLIP);
        Path two = Files.writeString(directory.resolve("two"), "!Ik");
        CommandRun run = CommandRun.fed("?X\n", "decode", one.toString(), "-", two.toString());
        assertThat(run.exit()).isZero();
        assertThat(run.json())
                .extracting(line -> line.get("canonical").textValue())
                .containsExactly(SLIP, "?X", "!Ik");
    }

    @Test
    void decodeOfAMessageInSeveralLinesNamesTheOptionForIt() {
        CommandRun run = CommandRun.fed("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY Q1\n", "decode");
        assertThat(run.exit()).isOne();
        assertThat(run.err())
                .contains("no line of standard input is a message; with -0, a message may have several lines");
        assertThat(CommandRun.fed("hello", "decode").err()).isEmpty();
        assertThat(CommandRun.fed("hello\0hello", "decode", "-0").err()).isEmpty();
        assertThat(CommandRun.fed(SLIP + "\nhello", "decode").err()).isEmpty();
    }

    @Test
    void decodeTakesMessagesWithLineBreaksBetweenNuls() {
        String csp = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY Q1";
        CommandRun run = CommandRun.fed(csp + "\0" + SLIP, "decode", "-0");
        assertThat(run.exit()).isZero();
        assertThat(run.json().get(0).get("canonical").textValue()).isEqualTo(csp);
        assertThat(run.json()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"lenient,0", "strict,1"})
    void decodeReadsByTheProfile(String profile, int exit) {
        CommandRun run = CommandRun.fed("@a03|f0|c1|S0|d1|T1#", "decode", "--profile", profile);
        assertThat(run.exit()).isEqualTo(exit);
        assertThat(run.out()).contains("SLIP_NONCANONICAL_INT");
    }

    @ParameterizedTest
    @CsvSource({"slip,SLIP_NO_START", "NSLIP,SLIP_NO_START", "csp,CSP_NOT_CSP", "subit,SUBIT_NOT_JSON"})
    void decodeReadsAsTheProtocolItIsTold(String protocol, String code) {
        CommandRun run = CommandRun.fed("!Ik", "decode", "--protocol", protocol);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.json().get(0).get("code").textValue()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "\r", "\r\r", "\rx"})
    void decodeRefusesAMessageBeyondTheLimitWithoutKeepingIt(String more) {
        String limit = "!a/" + "a".repeat((1 << 20) - 3);
        CommandRun run = CommandRun.fed(limit + "\n" + limit + more + "y\n!Ik", "decode");
        assertThat(run.exit()).isEqualTo(1);
        List<JsonNode> lines = run.json();
        assertThat(lines).extracting(line -> line.get("ok").booleanValue()).containsExactly(true, false, true);
        assertThat(lines.get(1).get("code").textValue()).isEqualTo("MESSAGE_TOO_LARGE");
        assertThat(lines.get(1).get("offset").intValue()).isEqualTo(1 << 20);
    }

    @Test
    void decodeOfNothingPrintsARemark() {
        assertThat(CommandRun.fed("", "decode"))
                .isEqualTo(new CommandRun(0, "", "parley decode: standard input has no messages\n"));
    }

    @Test
    @SuppressWarnings("InputStreamSlowMultibyteRead")
    void decodeOfManyLinesStreamsThem() {
        int lines = 200_000;
        byte[] line = (SLIP + "\n").getBytes(UTF_8);
        InputStream in = new InputStream() {
            private long left = (long) lines * line.length;

            @Override
            public int read() {
                return left == 0 ? -1 : line[(int) ((line.length - left-- % line.length) % line.length)];
            }
        };
        long[] ends = new long[1];
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) {
                ends[0] += b == '\n' ? 1 : 0;
            }
        };
        assertThat(CommandRun.run(in, out, new StringWriter(), "decode")).isZero();
        assertThat(ends[0]).isEqualTo(lines);
    }

    // judge

    @Test
    void judgeUsesTheSettingsOfTheDeployment() throws IOException {
        Path file = transcript(
                "{\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\",\"timestamp\":0}",
                "{\"wire\":\"@a3|f0|c1|S0|d1|T1|k2#\",\"timestamp\":2000}");
        assertThat(CommandRun.of("judge", file.toString()).out()).contains("SLIP_TURN_REUSED");
        assertThat(CommandRun.of("judge", "--set", "dialogue.idle.ms=1000", file.toString())
                        .out())
                .doesNotContain("SLIP_TURN_REUSED");
        assertThat(CommandRun.of("judge", "--set", "dialogue.mode=observe", file.toString())
                        .out())
                .contains("FLAGGED");
        assertThat(CommandRun.of("judge", "--set", "dialogue.mode=observe", "--mode", "enforce", file.toString())
                        .out())
                .contains("REJECTED");
    }

    @Test
    void judgePrintsAVerdictForEachLine() throws IOException {
        Path file = transcript(
                "{\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\"}",
                "{\"wire\":\"@a3|f0|c1|S0|d1|T2|k1#\",\"headers\":{\"parley-sender\":\"9\"}}",
                "",
                "{\"wire\":\"hello\"}",
                "{\"wire\":null}");
        CommandRun run = CommandRun.of("judge", file.toString());
        assertThat(run.exit()).isZero();
        List<JsonNode> lines = run.json();
        assertThat(lines).extracting(line -> line.get("line").intValue()).containsExactly(1, 2, 4, 5);
        JsonNode accepted = lines.get(0);
        assertThat(accepted.get("conversation").textValue()).isEqualTo("1");
        assertThat(accepted.get("protocol").textValue()).isEqualTo("SLIP");
        assertThat(accepted.get("verdict").textValue()).isEqualTo("ACCEPTED");
        assertThat(accepted.get("code").isNull()).isTrue();
        assertThat(accepted.has("claims")).isFalse();
        assertThat(accepted.get("warnings")).isEmpty();
        assertThat(accepted.get("rule").get("text").textValue()).contains("NEW", "REQUEST");
        JsonNode rejected = lines.get(1);
        assertThat(rejected.get("verdict").textValue()).isEqualTo("REJECTED");
        assertThat(rejected.get("code").textValue()).isEqualTo("SLIP_DUPLICATE_REQUEST");
        assertThat(rejected.get("warnings").get(0).textValue()).isEqualTo("SENDER_MISMATCH");
        assertThat(rejected.get("rule").get("section").textValue()).isNotBlank();
        JsonNode undecodable = lines.get(2);
        assertThat(undecodable.get("verdict").textValue()).isEqualTo("UNDECODABLE");
        assertThat(undecodable.get("code").textValue()).isEqualTo("UNKNOWN_PROTOCOL");
        assertThat(undecodable.get("conversation").isNull()).isTrue();
        assertThat(undecodable.get("rule").isNull()).isTrue();
        assertThat(undecodable.get("claims").hasNonNull("conversation")).isFalse();
        assertThat(undecodable.get("offset").intValue()).isZero();
        assertThat(lines.get(3).get("code").textValue()).isEqualTo("NULL_VALUE");
    }

    @Test
    void judgePrintsWhatAnUndecodableRecordClaims() throws IOException {
        Path file = transcript("{\"wire\":\"@aX|f0|c5|S0|d1|T1|k1#\",\"headers\":{\"parley-namespace\":\"mine\"}}");
        JsonNode line = CommandRun.of("judge", file.toString()).json().get(0);
        assertThat(line.get("verdict").textValue()).isEqualTo("UNDECODABLE");
        assertThat(line.get("conversation").isNull()).isTrue();
        assertThat(line.at("/claims/namespace").textValue()).isEqualTo("mine");
        assertThat(line.at("/claims/conversation").textValue()).isEqualTo("5");
    }

    @Test
    void everyVerdictOfJudgeHasTheSameKeys() throws IOException {
        Path file =
                transcript("{\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\"}", "{\"wire\":\"hello\"}", patch("P2", "C1", "C2"));
        for (JsonNode line : CommandRun.of("judge", file.toString()).json()) {
            assertThat(names(line)).contains("line", "conversation", "verdict", "code", "warnings", "rule");
        }
    }

    @Test
    void judgeFlagsInObserveMode() throws IOException {
        Path file = transcript("{\"wire\":\"@a8|f3|c1|S0|d1|T1|k1#\"}");
        assertThat(CommandRun.of("judge", "--mode", "observe", file.toString())
                        .json()
                        .get(0)
                        .get("verdict")
                        .textValue())
                .isEqualTo("FLAGGED");
        assertThat(CommandRun.of("judge", "--mode=enforce", file.toString())
                        .json()
                        .get(0)
                        .get("verdict")
                        .textValue())
                .isEqualTo("REJECTED");
    }

    @Test
    void judgeReadsByTheProfile() throws IOException {
        Path file = transcript("{\"wire\":\"@a03|f0|c1|S0|d1|T1|k1#\"}");
        assertThat(CommandRun.of("judge", "--profile", "strict", file.toString())
                        .json()
                        .get(0)
                        .get("verdict")
                        .textValue())
                .isEqualTo("UNDECODABLE");
    }

    @Test
    void aParkedPatchIsPrintedAgainWithItsLineWhenItIsDecided() throws IOException {
        Path file = transcript(patch("P2", "C1", "C2"), patch("P1", "C0", "C1"), patch("P9", "C8", "C9"));
        CommandRun run = CommandRun.of("judge", file.toString());
        assertThat(run.exit()).isZero();
        assertThat(run.json()).extracting(line -> line.get("line").intValue()).containsExactly(1, 2, 1, 3);
        assertThat(run.json())
                .extracting(line -> line.get("verdict").textValue())
                .containsExactly("PARKED", "ACCEPTED", "ACCEPTED", "PARKED");
        assertThat(run.json().get(0).get("code").isNull()).isTrue();
        assertThat(run.json().get(0).get("warnings")).isEmpty();
    }

    @Test
    void judgeTakesTheProtocolOfTheTopicAndTheTimeOfTheLineBefore() throws IOException {
        Path file = transcript(
                "{\"wire\":\"!Ik\",\"topic\":\"parley.wire.slip\"}",
                "{\"wire\":"
                        + json("CSP/1\n"
                                + "FROM A\n"
                                + "TO B\n"
                                + "CTX C1\n"
                                + "INTENT PATCH\n\n"
                                + "PATCH P2\n"
                                + "BASE C1\n"
                                + "+ DEF X = 1\n"
                                + "APPLY -> C2")
                        + ",\"key\":\"k\",\"timestamp\":1000}",
                "{\"wire\":\"!Ik\",\"key\":\"k\"}",
                "{\"wire\":\"!Ik\",\"key\":\"k\",\"timestamp\":3601000}",
                "{\"wire\":\"!Ik\",\"key\":\"k\"}");
        List<JsonNode> lines = CommandRun.of("judge", file.toString()).json();
        assertThat(lines.get(0).get("code").textValue()).isEqualTo("SLIP_NO_START");
        assertThat(lines).extracting(line -> line.get("line").intValue()).containsExactly(1, 2, 3, 4, 2, 5);
        assertThat(lines.get(4).get("code").textValue()).isEqualTo("CSP_UNKNOWN_BASE");
    }

    @Test
    void judgeNamesTheLineThatIsNoneAndGoesOn() throws IOException {
        Path file = transcript("{\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\"}", "{\"key\":1}", "{\"wire\":\"hello\"}");
        CommandRun run = CommandRun.of("judge", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.json()).hasSize(2);
        assertThat(run.err()).isEqualToIgnoringNewLines(file + ":2: the object has no key wire");
    }

    @Test
    void judgeReadsStandardInput() {
        CommandRun run = CommandRun.fed("{\"wire\":\"hello\"}", "judge", "-");
        assertThat(run.exit()).isZero();
        assertThat(run.json()).hasSize(1);
    }

    // state, blame, diff, history, tree

    @Test
    void stateIsAnObjectWithWhatItIsAsOf() throws IOException {
        Path file = transcript(
                patch("P1", "C0", "C1", "+ DEF B = 2", "+ DEF A = src/ \\\" λ"),
                patch("P2", "C1", "C2", "- DEF B", "~ DEF A := new"));
        CommandRun first = CommandRun.of("state", file.toString(), "ctx", "--at", "checkpoint:C1");
        assertThat(first.exit()).isZero();
        assertThat(first.err()).isEmpty();
        assertThat(first.out().lines()).singleElement().asString().contains("{\"A\":\"src/ \\\" λ\",\"B\":\"2\"}");
        assertThat(first.json().get(0).at("/asOf/id").textValue()).isEqualTo("C1");
        assertThat(definitions("state", file.toString(), "ctx")).isEqualTo("{\"A\":\"new\"}");
        assertThat(definitions("state", file.toString(), "ctx", "--at", "sequence:0"))
                .startsWith("{\"A\":\"src/");
        assertThat(definitions("state", file.toString(), "ctx", "--at", "offset:parley.wire/0/0"))
                .isEqualTo("{}");
    }

    private static String definitions(String... arguments) {
        return CommandRun.of(arguments).json().get(0).path("definitions").toString();
    }

    @Test
    void stateOfTheSamplesIsOfEveryKind() {
        assertThat(CommandRun.of("state", CSP_TRANSCRIPT, "auth-refactor", "--at", "checkpoint:C1")
                        .json()
                        .get(0)
                        .at("/definitions/SRC")
                        .textValue())
                .isEqualTo("src/");
        assertThat(CommandRun.of("state", "samples/slip-release.jsonl", "1", "--protocol", "slip", "--at", "turn:4")
                        .json()
                        .get(0)
                        .at("/tasks/1/tag")
                        .textValue())
                .isEqualTo("plan_v1");
        assertThat(CommandRun.of("state", "samples/subit-cycles.jsonl", "crew-12", "--protocol", "subit")
                        .json()
                        .get(0)
                        .path("kind")
                        .textValue())
                .isEqualTo("forms");
    }

    @Test
    void stateOfAnAgentIsOverAllConversationsOfItsNamespace() throws IOException {
        Path file = transcript(
                patch("P1", "C0", "C1", "+ DEF A = 1"),
                patch("P1", "C0", "C1", "+ DEF B = 2").replace("\"ctx\"", "\"other\""),
                patch("P1", "C0", "C1", "+ DEF C = 3")
                        .replaceFirst("\\{", "{\"headers\":{\"parley-namespace\":\"plant\"},"),
                "{\"key\":\"talk\",\"headers\":{\"parley-sender\":\"A\"},\"wire\":\"{def:ta=\\\"x\\\"}!Ik/co\"}",
                "{\"key\":\"talk\",\"wire\":\"hello\"}");

        CommandRun run = CommandRun.of("state", file.toString(), "--agent", "A");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.json())
                .extracting(line -> line.path("conversation").textValue() + " "
                        + line.path("entries").findValuesAsText("entry"))
                .containsExactly(
                        "ctx [checkpoint/C0, checkpoint/C1, definition/A]",
                        "other [checkpoint/C0, checkpoint/C1, definition/B]",
                        "talk [definition/ta]");
        assertThat(CommandRun.of("state", file.toString(), "--agent", "A", "--namespace", "plant")
                        .json())
                .singleElement()
                .satisfies(line ->
                        assertThat(line.at("/entries/2/entry").textValue()).isEqualTo("definition/C"));
        assertThat(CommandRun.of("state", file.toString(), "--agent", "A", "--at", "1969-12-31T23:59:59Z", "--table")
                        .out()
                        .lines())
                .hasSizeLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "09:00:00, ''",
        "09:01:00, C1",
        "09:05:00, C1 C2",
        // A patch to C4 is parked, until C3 is made at 09:06:02.
        "09:06:00, C1 C2",
        "09:06:03, C1 C2 C3 C4",
    })
    void stateOfAnAgentOfTheSampleGrowsWithTime(String time, String checkpoints) {
        CommandRun run =
                CommandRun.of("state", CSP_TRANSCRIPT, "--agent", "CODER", "--at", "time:2026-11-12T" + time + "Z");

        assertThat(run.json().stream()
                        .filter(line -> line.path("conversation").textValue().equals("auth-refactor"))
                        .flatMap(line -> line.path("entries").findValuesAsText("entry").stream())
                        .filter(entry -> entry.startsWith("checkpoint/"))
                        .map(entry -> entry.replace("checkpoint/", ""))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(checkpoints);
    }

    @Test
    void withoutATranscriptARunningParleyIsAsked() {
        for (String command :
                List.of("state x", "state --agent A", "blame x", "diff x --from C1", "history x --entry e", "tree x")) {
            List<String> words = new ArrayList<>(List.of(command.split(" ")));
            words.addAll(List.of("--url", "http://127.0.0.1:1"));
            CommandRun run = CommandRun.of(words.toArray(String[]::new));

            assertThat(run.exit()).as(command).isEqualTo(1);
            assertThat(run.err()).as(command).contains("connection refused", "parley run", "PARLEY_URL");
        }
    }

    @Test
    void aMomentInTheFutureAndAnEmptyTranscriptAreRemarked() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(CommandRun.of("state", file.toString(), "ctx", "--at", "2999-01-01")
                        .err())
                .contains("--at is in the future (2999-");
        assertThat(CommandRun.of("state", file.toString(), "ctx").err()).isEmpty();
        assertThat(CommandRun.of("judge", transcript().toString()).err()).contains("the transcript has no lines");
        assertThat(CommandRun.fed("", "decode").err()).contains("standard input has no messages");
    }

    @ParameterizedTest
    @CsvSource({
        "FILE ctx --agent X, name at most a transcript",
        "FILE --agent X --at checkpoint:C1, --at must be a time",
        "FILE --agent X --at noon, --at must be a time",
        "FILE, name the conversation after the transcript",
        "ctx --url http://127.0.0.1:1 --agent X, no conversation",
        "'', name a transcript and a conversation",
    })
    void theArgumentsOfStateAreThoseOfAConversationOrOfAnAgent(String arguments, String error) {
        List<String> words = new ArrayList<>(List.of("state"));
        words.addAll(List.of(arguments.replace("FILE", CSP_TRANSCRIPT).strip().split(" +")));
        words.removeIf(String::isEmpty);
        CommandRun run = CommandRun.of(words.toArray(String[]::new));

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(error);
    }

    @Test
    void aMomentThatThereIsNotIsAnError() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "~ DEF A := 1"));
        CommandRun run = CommandRun.of("state", file.toString(), "ctx", "--at", "checkpoint:C1");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("ctx", "C1", "MOMENT must be latest, ", "; parley tree lists the checkpoints.\n");
        assertThat(CommandRun.of("state", file.toString(), "ctx", "--at", "12").err())
                .contains("--at must be latest");
        assertThat(CommandRun.of("state", file.toString(), "nowhere").err())
                .contains("no CSP conversation nowhere. Check --namespace and --protocol; parley judge " + file
                        + " lists the conversations.");
        assertThat(CommandRun.of("tree", CSP_TRANSCRIPT, "1", "--protocol", "slip")
                        .err())
                .contains("SLIP conversations have no checkpoints")
                .doesNotContain("MOMENT");
    }

    @Test
    void stateKnowsNamespacesApart() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF A = 1")
                .replaceFirst("\\{", "{\"headers\":{\"parley-namespace\":\"plant\"},"));
        assertThat(CommandRun.of("state", file.toString(), "ctx").exit()).isEqualTo(1);
        assertThat(definitions("state", "--namespace", "plant", file.toString(), "ctx"))
                .isEqualTo("{\"A\":\"1\"}");
    }

    @Test
    void stateLeavesWithTwoWhenALineIsNone() throws IOException {
        Path file = transcript("{", patch("P1", "C0", "C1", "+ DEF A = 1"));
        CommandRun run = CommandRun.of("state", file.toString(), "ctx");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).contains("{\"A\":\"1\"}");
        assertThat(run.err()).startsWith(file + ":1: not JSON");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "state FILE ctx",
                "state FILE ctx --at checkpoint:C9",
                "blame FILE ctx",
                "blame FILE ctx --entry B",
                "diff FILE ctx --from C1",
                "history FILE ctx --entry A",
                "tree FILE ctx"
            })
    void aStateThatInvalidLinesMayContainLeavesWithTwo(String command) throws IOException {
        for (List<String> more : List.<List<String>>of(List.of(), List.of(patch("P1", "C0", "C2", "+ DEF C = 1")))) {
            List<String> lines = new ArrayList<>(List.of("{"));
            lines.addAll(more);
            Path file = transcript(lines.toArray(String[]::new));
            assertThat(CommandRun.of(command.replace("FILE", file.toString()).split(" "))
                            .exit())
                    .isEqualTo(2);
        }
    }

    @Test
    void blameDiffHistoryAndTreeAreALineForEachThing() throws IOException {
        Path file = transcript(
                patch("P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 2"),
                patch("P2", "C1", "C2", "~ DEF A := 3"),
                patch("P3", "C1", "C3", "- DEF B", "+ DEF D = 4"));
        assertThat(texts(CommandRun.of("blame", file.toString(), "ctx", "--at", "checkpoint:C2"), "/by/patch"))
                .containsExactly("P2", "P1");
        assertThat(texts(CommandRun.of("blame", file.toString(), "ctx", "--entry", "D"), "/by/source/offset"))
                .containsExactly("3");
        assertThat(CommandRun.of("diff", file.toString(), "ctx", "--from", "checkpoint:C2", "--to", "checkpoint:C3")
                        .out())
                .isEqualTo("""
                    {"change":"added","entry":"D","value":"4"}
                    {"change":"changed","entry":"A","old":"3","new":"1"}
                    {"change":"removed","entry":"B","value":"2"}
                    """);
        assertThat(texts(
                        CommandRun.of("history", file.toString(), "ctx", "--entry", "A", "--at", "checkpoint:C2"),
                        "/value"))
                .containsExactly("3", "1");
        assertThat(texts(CommandRun.of("tree", file.toString(), "ctx"), "/id")).containsExactly("C0", "C1", "C2", "C3");
        assertThat(texts(CommandRun.of("tree", file.toString(), "ctx", "--heads"), "/id"))
                .containsExactly("C2", "C3");
        assertThat(CommandRun.of("tree", file.toString(), "nowhere").exit()).isEqualTo(1);
    }

    private static List<String> texts(CommandRun run, String pointer) {
        assertThat(run.exit()).as(run.err()).isZero();
        return run.json().stream().map(line -> line.at(pointer).asText()).toList();
    }

    @Test
    void tablesAreForPeopleAndJsonLinesForPrograms() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF A = 1"), "{\"wire\":\"hello\"}");
        assertThat(CommandRun.fed(SLIP + "\nhello\n", "decode", "--table").out())
                .startsWith("LINE  PROTOCOL  RESULT")
                .containsPattern("(?m)^1 +SLIP +ok +")
                .containsPattern("(?m)^2 +UNKNOWN +error +UNKNOWN_PROTOCOL +the bytes have the structure of no");
        assertThat(CommandRun.of("judge", "--table", file.toString()).out())
                .containsPattern("(?m)^1 +CSP\\|ctx +ACCEPTED")
                .containsPattern("(?m)^2 +UNKNOWN +UNDECODABLE +UNKNOWN_PROTOCOL");
        assertThat(CommandRun.of("state", "--table", file.toString(), "ctx").out())
                .startsWith("CSP conversation ctx at latest")
                .contains("DEFINITIONS  VALUE\nA            1\n");
        assertThat(CommandRun.of("blame", "--table", file.toString(), "ctx").out())
                .containsPattern("(?m)^A +1 +\\S+ +C1 +parley.wire-0@1 ");
        for (String command : List.of("judge", "state", "blame", "tree")) {
            String[] arguments = command.equals("judge")
                    ? new String[] {command, "--json", "--table", file.toString()}
                    : new String[] {command, "--json", "--table", file.toString(), "ctx"};
            assertThat(CommandRun.of(arguments).json()).as(command).isNotEmpty();
        }
    }

    @Test
    void aTableWithoutRowsSaysSoUnlessTheCommandFails() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF A = 1"));
        List<String> diff = List.of("diff", file.toString(), "ctx", "--from", "C1", "--to", "C1");

        assertThat(CommandRun.of(
                        Stream.concat(diff.stream(), Stream.of("--table")).toArray(String[]::new)))
                .isEqualTo(new CommandRun(0, "", "No rows.\n"));
        assertThat(CommandRun.of(diff.toArray(String[]::new))).isEqualTo(new CommandRun(0, "", ""));
        assertThat(CommandRun.of("tree", file.toString(), "nowhere", "--table").err())
                .doesNotContain("No rows.");
        assertThat(CommandRun.of("tree", file.toString(), "ctx", "--table").err())
                .isEmpty();
    }

    @Test
    void aStateWithoutEntriesSaysSo() throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(CommandRun.of("state", "--table", file.toString(), "ctx", "--at", "checkpoint:C0")
                        .out())
                .contains("No definitions.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"history", "blame"})
    void anEntryThatThereIsNotIsAnErrorWithASuggestion(String command) throws IOException {
        Path file = transcript(patch("P1", "C0", "C1", "+ DEF TOKEN_TTL = 1"));
        CommandRun run = CommandRun.of(command, file.toString(), "ctx", "--entry", "TOKEN_TL");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("unknown entry TOKEN_TL as of latest; did you mean TOKEN_TTL?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"decode", "judge"})
    void aFileThatCannotBeReadIsNamedWithTheReason(String command) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "").resolve("below");
        CommandRun run = CommandRun.of(command, file.toString());

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("cannot read " + file + ": Not a directory");
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheReason() {
        CommandRun run = CommandRun.of(
                "keygen", "--out", directory.resolve("no/such/key").toString());

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("no directory " + directory.resolve("no/such") + "; create it");
    }

    // explain

    @Test
    void explainSaysWhatACodeMeansShowsAMessageAndSaysWhatToDo() {
        CommandRun run = CommandRun.of("explain", "slip_bad_string");
        assertThat(run.exit()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("SLIP_BAD_STRING: decode error\n  A string is unterminated")
                .contains("\n    @a3|f0|c3|S0|d1|T1|t\"a\"b\"#\n  UNDECODABLE SLIP_BAD_STRING at byte 22\n")
                .contains("\nWhat to do: Close the string;")
                .contains("\nRule: docs/protocols.md, 1.2 S3\n");
    }

    @ParameterizedTest
    @CsvSource({
        "CSP_ADD_EXISTS, A name is added that is there.",
        "CSP_PATCH_ID_REUSED, A patch id that was applied comes with another target.",
        "SLIP_TURN_GAP, A turn that skips one.",
        "LAMBDA_CHECKSUM, The checksum does not fit the message."
    })
    void explainShowsAnExampleOfTheCodeItselfAndNotOfTheOrderOfRules(String code, String title) {
        assertThat(CommandRun.of("explain", code).out()).contains("\nExample: " + title + "\n");
    }

    @Test
    void explainWithoutACodeListsAllOfThem() {
        StringWriter printed = new StringWriter();
        ExplainCommand.printTable(new PrintWriter(printed), 80, false);

        assertThat(CommandRun.of("explain").out()).isEqualTo(printed.toString()).startsWith("CODE ");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void theListOfCodesFitsAndBreaksOnlyTheLongestCode(int width) {
        StringWriter printed = new StringWriter();
        ExplainCommand.printTable(new PrintWriter(printed), width, false);

        assertThat(printed.toString().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        Set<String> words = Set.copyOf(Arrays.asList(printed.toString().split("\\s+", -1)));
        assertThat(Stream.of(Code.values())
                        .flatMap(code -> Stream.concat(
                                Stream.of(code.name()), Stream.of(code.meaning().split(" ", -1))))
                        .filter(word -> !words.contains(word)))
                .isSubsetOf("LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST");
        assertThat(printed.toString()).containsPattern("LAMBDA_HANDSHAKE_REPLY_WITHOUT_(REQUEST|[^\n]*\nREQUEST)");
    }

    @Test
    void explainTellsWhoSpokeWhereTheMessageDoesNot() {
        assertThat(CommandRun.of("explain", "LAMBDA_SELF_ACK").out())
                .contains("  parley-sender: A\n    !Ik\n  ACCEPTED\n")
                .contains("  parley-sender: A\n    <\n  REJECTED LAMBDA_SELF_ACK\n");
    }

    // conformance

    @Test
    void conformanceRunsTheKitInTheJarAndCoversEveryCode() {
        CommandRun run = CommandRun.of("conformance", "--json");
        assertThat(run.exit()).isZero();
        assertThat(run.json()).allMatch(line -> line.path("failed").asInt() == 0 && !line.has("differences"));
        List<JsonNode> coverage =
                run.json().stream().filter(line -> line.has("covered")).toList();
        assertThat(coverage).hasSize(6).allMatch(line -> line.get("missing").isEmpty());
    }

    @Test
    void conformancePrintsATable() {
        CommandRun run = CommandRun.of("conformance", "--table", "--profile", "strict", "conformance/decode");
        assertThat(run.exit()).isZero();
        assertThat(run.out().lines().findFirst().orElseThrow()).matches("PROTOCOL +KIND +VECTORS +FAILED +CODES");
        assertThat(run.out())
                .containsPattern("SLIP +DECODE +\\d+ +0 ")
                .contains("Outside the kit: CONVERSATION_MOVED, CSP_UNEXPECTED");
    }

    @Test
    void conformanceNamesEachVectorThatDoesNotPassAndWhatWasOtherwise() throws IOException {
        Path vectors = Files.writeString(directory.resolve("mine.jsonl"), """
            {"id":"right","title":"Right.","protocol":"slip","wire":"@","expect":{"code":"SLIP_UNTERMINATED","offset":1}}
            {"id":"place","title":"Wrong place.","protocol":"slip","wire":"@","expect":{"code":"SLIP_UNTERMINATED","offset":0}}
            {"id":"field","title":"Wrong field.","protocol":"lambda","wire":"!I","expect":{"message":{"kind":"FLOOR"},"warnings":["LAMBDA_ORDER"]}}
            {"id":"talk","title":"Wrong verdict.","messages":[{"key":"k","wire":"!I","expect":"REJECTED","expectState":"IDLE"}],"checkpoints":[{"context":"k","id":"C1","state":{}}]}
            """);
        CommandRun run = CommandRun.of("conformance", vectors.toString());
        assertThat(run.exit()).isEqualTo(1);
        List<JsonNode> failures =
                run.json().stream().filter(line -> line.has("differences")).toList();
        assertThat(failures)
                .extracting(line -> line.get("id").textValue())
                .containsExactly("place", "place", "field", "field", "talk");
        assertThat(failures.get(0).get("differences").get(0).textValue()).isEqualTo("offset: expected 0, but got 1");
        assertThat(failures.get(2).get("differences")).hasSize(2);
        assertThat(failures.get(2).get("differences").toString()).contains("message: .address expected nothing");
        assertThat(failures.get(4).get("differences")).hasSize(3);
        CommandRun table = CommandRun.of("conformance", "--table", vectors.toString());
        assertThat(table.exit()).isEqualTo(1);
        assertThat(table.out()).contains("place (STRICT): Wrong place.").containsPattern("SLIP +DECODE +2 +1 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "[];an object with id and title",
                "{\"id\":\"a\",\"title\":\"b\",\"wire\":\"x\"};'expect'",
                "{\"id\":\"a\",\"title\":\"b\",\"protocol\":\"smtp\",\"wire\":\"x\",\"expect\":{}};name of a protocol",
                "{\"id\":\"a\",\"title\":\"b\",\"protocol\":\"slip\",\"wire\":{\"repeat\":\"x\"},\"expect\":{}};repeat"
                        + " with times",
                "{\"id\":\"a\",\"title\":\"b\",\"protocol\":\"slip\",\"wire\":\"\",\"expect\":{\"code\":\"X\"}};Unknown"
                        + " code X",
                "{\"id\":\"a\",\"title\":\"b\",\"protocol\":\"slip\",\"wire\":\"\",\"settings\":{\"x\":1},\"expect\":{}};unknown"
                        + " setting x",
                "{\"id\":\"a\",\"title\":\"b\",\"messages\":[{\"wire\":\"x\"}]};wire and expect",
                "{\"id\":;invalid JSON",
            })
    void aLineThatIsNoVectorIsAnErrorThatSaysWhere(String line, String reason) throws IOException {
        Path vectors = Files.writeString(directory.resolve("mine.jsonl"), "\n" + line + "\n");
        CommandRun run = CommandRun.of("conformance", vectors.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("mine.jsonl:2: ").contains(reason);
    }

    // the command line itself

    private static Stream<String> commands() {
        return Stream.concat(Stream.of(""), Parley.commandLine().getSubcommands().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpOfEveryCommandShowsAnExample(String command) {
        String[] arguments = command.isEmpty() ? new String[] {"--help"} : new String[] {command, "--help"};
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("Usage: parley", "Example");
        assertThat(run.out()).containsPattern("(?m)^  (parley|.*\\| parley) " + command);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void versionPrintsOneLine() {
        CommandRun run = CommandRun.of("--version");
        assertThat(run.exit()).isZero();
        assertThat(run.out().lines()).singleElement().asString().startsWith("parley ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';Missing required subcommand",
                "decide;decide",
                "decode --profile loose;lenient or strict",
                "decode --protocol smtp;mcp, slip, subit, csp or lambda",
                "decode --nonsense;--nonsense",
                "decode nowhere.txt;nowhere.txt",
                "judge;FILE",
                "judge --mode watch x;enforce or observe",
                "judge --profile loose x;lenient or strict",
                "judge nowhere.jsonl;no file nowhere.jsonl",
                "judge ..;is a directory",
                "explain SLIP_BAD_STRIN;SLIP_BAD_STRING",
                "explain nonsense;unknown code NONSENSE; parley explain lists the codes",
                "explain SLIP_NOTHING;unknown code SLIP_NOTHING; parley explain lists the codes",
                "explain slip_turn;unknown code SLIP_TURN; these begin with it: SLIP_TURN_",
                "conformance --profile loose;lenient or strict",
                "conformance nowhere.jsonl;no file nowhere.jsonl",
                "conformance docs;docs has no vectors",
                "verify ..;.. is a directory; name a file",
                "verify nowhere.jsonl;no file nowhere.jsonl",
                "verify /dev/null;must be a regular file",
                "verify pom.xml --key ..;--key ..: is a directory",
                "verify pom.xml --key nosuch.vkey;--key: there is no such file, and the verifier key must be a name",
                "verify pom.xml --key docs/cli.md;--key docs/cli.md: the verifier key must be a name",
                "prove --check pom.xml --key nosuch.vkey;--key: there is no such file",
                "redact --chain mine/slip/5 --sequence 0 --reason x;--chain must be namespace|PROTOCOL|conversation",
                "redact --chain mine|slip|5 --sequence 0 --reason x;--chain must be namespace|PROTOCOL|conversation",
                "export --chain mine/slip/5;--chain must be namespace|PROTOCOL|conversation",
                "prove --conversation mine|slip|5 --sequence 0;--conversation must be NAMESPACE/PROTOCOL/CONVERSATION",
                "dlq show foo;ID must be topic/partition/offset",
                "dlq show a/b/c;ID must be topic/partition/offset",
                "tail --after x;--after must be the member event of a JSON line",
                "run --config ..;cannot read ..: is a directory",
                "run --set bogus;Value for option '--set'",
                "run --set bogus=1;Unknown configuration key bogus; docs/configuration.md lists the keys",
                "state samples/csp-refactoring.jsonl;name the conversation after the transcript",
                "export --out e.avro;the suffix must be .jsonl or .parquet",
                "export --out samples;samples is a directory; name a file in it",
                "export --out nodir/x;no directory nodir; create it",
                "evidence pom.xml --out nodir/x;no directory nodir; create it",
                "keygen --out nodir/x;no directory nodir; create it",
                "state --url http://127.0.0.1:1 x y;name a transcript and a conversation",
                "state nowhere.jsonl ctx;no file nowhere.jsonl",
                "state x y --protocol smtp;mcp, slip, subit, csp or lambda",
                "diff x y;--from",
                "state x y --at -1w;--at must be latest",
                "export --from -1w;must be a time, such as",
                "export --to C4;must be a time, such as",
                "sql README.md;README.md is a file; the query comes first, then the export",
                "sql README.md SELECT;README.md is a file; the query comes first, then the export",
                "dlq redrive --all --dry-run --from -1w;must be a time, such as",
                "history x y;--entry",
                "ingest;FILE",
                "ingest --set bogus=1 x;bogus",
                "run --set dialogue.mode=watch;enforce, observe",
                "run --config nowhere.properties;nowhere.properties",
                "run --set pipeline.threads=0;pipeline.threads"
            })
    void aWrongCommandLineLeavesWithTwoAndSaysWhatIsAllowed(String arguments, String says) {
        CommandRun run = CommandRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err().lines().findFirst().orElse("")).contains(says);
    }

    private Path transcript(String... lines) throws IOException {
        return Files.write(directory.resolve("transcript.jsonl"), Arrays.asList(lines));
    }

    private static String patch(String id, String base, String target, String... operations) {
        String wire = "CSP/1\nFROM A\nTO B\nCTX " + base + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base
                + (operations.length == 0 ? "\n+ DEF " + id + " = 1" : "\n" + String.join("\n", operations))
                + "\nAPPLY -> " + target;
        return "{\"key\":\"ctx\",\"wire\":" + json(wire) + "}";
    }

    /** A JSON text of what has no quotes but escaped ones. */
    private static String json(String text) {
        return '"' + text.replace("\n", "\\n") + '"';
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        for (Iterator<String> all = object.fieldNames(); all.hasNext(); ) {
            names.add(all.next());
        }
        return names;
    }
}
