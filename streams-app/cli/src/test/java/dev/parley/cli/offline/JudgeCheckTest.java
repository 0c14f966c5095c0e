package dev.parley.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.CommandRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** {@code parley judge --check}: transcripts as tests of agents. */
class JudgeCheckTest {
    private static final String REQUEST = "\"wire\":\"@a3|f0|c1|S0|d1|T1|k1#\"";

    private static final String SECOND = "\"wire\":\"@a3|f0|c1|S0|d1|T2|k1#\"";

    @TempDir
    private Path directory;

    private static List<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("samples"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theSamplesAreAsTheyExpect(Path sample) {
        CommandRun run = CommandRun.of("judge", "--check", sample.toString());

        assertThat(run.exit()).as(run.out()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(", 0 differences");
    }

    @Test
    void aLineThatDiffersIsPrintedWithFileAndNumber() throws IOException {
        Path file = transcript(
                "{" + REQUEST + ",\"expect\":\"ACCEPTED\"}",
                "",
                "{" + SECOND + ",\"expect\":\"ACCEPTED\"}",
                "{\"wire\":\"hello\",\"expectCode\":\"SLIP_BAD_STRING\"}",
                "{\"wire\":\"hello\"}");
        CommandRun run = CommandRun.of("judge", "--check", file.toString());

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out().lines()).hasSize(2);
        assertThat(run.out())
                .contains(file + ":3: expected ACCEPTED, but was REJECTED SLIP_DUPLICATE_REQUEST")
                .contains(file + ":4: expected SLIP_BAD_STRING, but was UNDECODABLE UNKNOWN_PROTOCOL");
        assertThat(run.err()).contains("4 lines, 3 checked, 2 differences");
    }

    @Test
    void aDifferenceIsAJsonObjectToo() throws IOException {
        Path file = transcript("{" + REQUEST + ",\"expect\":\"REJECTED\",\"expectWarnings\":[\"SENDER_MISMATCH\"]}");
        CommandRun run = CommandRun.of("judge", "--check", "--json", file.toString());
        JsonNode difference = run.json().get(0);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(difference.path("line").asInt()).isEqualTo(1);
        assertThat(difference.at("/expected/verdict").asText()).isEqualTo("REJECTED");
        assertThat(difference.at("/expected/warnings/0").asText()).isEqualTo("SENDER_MISMATCH");
        assertThat(difference.path("verdict").asText()).isEqualTo("ACCEPTED");
        assertThat(difference.path("code").isNull()).isTrue();
        assertThat(run.err()).contains("1 line, 1 checked, 1 difference\n");
    }

    @Test
    void failOnRejectedIsForLinesThatExpectNothing() throws IOException {
        Path file = transcript("{\"wire\":\"hello\",\"expect\":\"UNDECODABLE\"}", "{" + REQUEST + "}");
        assertThat(CommandRun.of("judge", "--check", "--fail-on", "rejected", file.toString())
                        .exit())
                .isZero();

        Path bad = transcript("{" + REQUEST + "}", "{" + SECOND + "}");
        CommandRun run = CommandRun.of("judge", "--check", "--fail-on=rejected", bad.toString());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains(":2: expected ACCEPTED, but was REJECTED");
    }

    @Test
    void aPatchCountsByItsFinalVerdict() throws IOException {
        String second = "\"wire\":\"CSP/1\\nFROM A\\nTO B\\nCTX C1\\nINTENT PATCH\\n\\nPATCH P2\\nBASE C1\\n"
                + "+ DEF B = 2\\nAPPLY -> C2\",\"key\":\"k\"";
        String first = "\"wire\":\"CSP/1\\nFROM A\\nTO B\\nCTX C0\\nINTENT PATCH\\n\\nPATCH P1\\nBASE C0\\n"
                + "+ DEF A = 1\\nAPPLY -> C1\",\"key\":\"k\"";
        Path released = transcript(
                "{" + second + ",\"expect\":\"ACCEPTED\",\"expectParked\":true}",
                "{" + first + ",\"expect\":\"ACCEPTED\"}");
        assertThat(CommandRun.of("judge", "--check", released.toString()).out()).isEmpty();

        Path parked = transcript("{" + second + ",\"expect\":\"ACCEPTED\"}");
        assertThat(CommandRun.of("judge", "--check", parked.toString()).out())
                .contains(":1: expected ACCEPTED, but was PARKED");
        assertThat(CommandRun.of(
                                "judge",
                                "--check",
                                transcript("{" + second + ",\"expect\":\"PARKED\"}")
                                        .toString())
                        .exit())
                .isZero();
    }

    @Test
    void aSarifReportHasAResultForEachLineThatIsNotAccepted() throws IOException {
        Path file = transcript("{" + REQUEST + "}", "{" + SECOND + "}", "{\"wire\":\"hello\"}", "{" + SECOND + "}");
        CommandRun run = CommandRun.of("judge", "--format", "sarif", file.toString());
        JsonNode report = run.json().get(0);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(report.path("version").asText()).isEqualTo("2.1.0");
        JsonNode results = report.at("/runs/0/results");
        assertThat(results.findValuesAsText("ruleId"))
                .containsExactly("SLIP_DUPLICATE_REQUEST", "UNKNOWN_PROTOCOL", "SLIP_DUPLICATE_REQUEST");
        assertThat(results.findValuesAsText("startLine")).containsExactly("2", "3", "4");
        assertThat(results.findValuesAsText("level")).containsOnly("error");
        assertThat(results.findValuesAsText("uri")).containsOnly(file.toUri().toString());
        assertThat(results.at("/0/message/text").asText())
                .startsWith("Expected ACCEPTED, but was REJECTED SLIP_DUPLICATE_REQUEST")
                .contains("(docs/protocols.md 1.");
        assertThat(report.at("/runs/0/tool/driver/rules").findValuesAsText("id"))
                .containsExactly("SLIP_DUPLICATE_REQUEST", "UNKNOWN_PROTOCOL");
        assertThat(report.at("/runs/0/tool/driver/rules/0/help/text").asText()).isNotBlank();
    }

    @Test
    void aReportOfAFileWithoutDifferencesIsEmptyAndARelativePathStaysRelative() throws IOException {
        CommandRun sarif = CommandRun.of("judge", "--format", "sarif", "samples/wrong.jsonl");
        assertThat(sarif.exit()).isZero();
        assertThat(sarif.json().get(0).at("/runs/0/results")).isEmpty();
        assertThat(CommandRun.of("judge", "--format", "sarif", "--mode", "observe", "samples/wrong.jsonl")
                        .out())
                .contains("\"uri\":\"samples/wrong.jsonl\"");

        Path accepted = transcript("{" + REQUEST + ",\"expect\":\"REJECTED\"}");
        assertThat(CommandRun.of("judge", "--format", "sarif", accepted.toString())
                        .out())
                .contains("\"ruleId\":\"UNEXPECTED_VERDICT\"");
    }

    @Test
    void aJunitReportHasATestCaseForEachLine() throws Exception {
        Path file = transcript(
                "{" + REQUEST + "}",
                "",
                "{" + SECOND + "}",
                "{\"wire\":\"!I\",\"headers\":{\"parley-protocol\":\"<a\\u202e\\uFFFE&\"}}");
        CommandRun run = CommandRun.of("judge", "--format", "junit", file.toString());
        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(run.out())))
                .getDocumentElement();

        assertThat(run.exit()).isEqualTo(1);
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(IntStream.range(0, cases.getLength()).mapToObj(i -> ((Element) cases.item(i)).getAttribute("name")))
                .containsExactly("line 1", "line 3", "line 4");
        NodeList failures = suite.getElementsByTagName("failure");
        assertThat(((Element) failures.item(0)).getAttribute("type")).isEqualTo("SLIP_DUPLICATE_REQUEST");
        assertThat(((Element) failures.item(1)).getAttribute("message")).contains("'<a\\u202E", "&'");
    }

    @Test
    void aCheckThatChecksNothingIsAWrongCommandLine() throws IOException {
        Path file = transcript("{" + REQUEST + "}");

        assertThat(CommandRun.of("judge", "--check", file.toString()).exit()).isEqualTo(2);
        assertThat(CommandRun.of("judge", "--check", file.toString()).err()).contains("no line", "--fail-on rejected");
        assertThat(CommandRun.of("judge", "--fail-on", "rejected", file.toString())
                        .err())
                .contains("--fail-on requires --check");
        assertThat(CommandRun.of("judge", "--check", "--fail-on", "warning", file.toString())
                        .err())
                .contains("--fail-on must be rejected");
    }

    @Test
    void aLineThatIsNoneCountsMoreThanADifference() throws IOException {
        Path file =
                transcript("{" + REQUEST + ",\"expects\":\"ACCEPTED\"}", "{" + REQUEST + ",\"expect\":\"REJECTED\"}");
        CommandRun run = CommandRun.of("judge", "--check", file.toString());

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(":1: unknown key 'expects'; did you mean expect?");
    }

    @Test
    void hostileTextInADifferenceIsEscaped() throws IOException {
        Path file = transcript(
                "{\"wire\":\"!I\",\"headers\":{\"parley-protocol\":\"a\\u001b[2K\\u202e\"},\"expect\":\"ACCEPTED\"}");
        CommandRun run = CommandRun.of("judge", "--check", file.toString());

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("parley-protocol").doesNotContain("\u001b", "\u202e");
    }

    @Test
    void aMessageOfTenMegabytesIsTooLargeAsThePipelineSays() throws IOException {
        Path file = transcript("{\"wire\":\"!" + "a".repeat(10 << 20) + "\",\"expectCode\":\"MESSAGE_TOO_LARGE\"}");
        CommandRun run = CommandRun.of("judge", "--check", file.toString());

        assertThat(run.exit()).as(run.out() + run.err()).isZero();
    }

    private Path transcript(String... lines) throws IOException {
        return Files.writeString(directory.resolve("t.jsonl"), String.join("\n", lines) + "\n");
    }
}
