package dev.parley.diagnosis;

import static dev.parley.codec.csp.CspSamples.ERROR;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static dev.parley.codec.csp.CspSamples.head;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.LinearTime;
import dev.parley.codec.csp.CspCodec;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts at messages are recognized, and their decode errors name the byte and the cause. */
class CspNearMissTest {
    private static final CspCodec CODEC = new CspCodec();
    private static final String END = "\0";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "csp/1\nFROM A",
                "CSP 1",
                "CSP1",
                "CSP-1\nFROM A",
                "Csp:1 FROM A",
                "CSP v1",
                "CSP/V1\nFROM A",
                "# CSP/1",
                "> **CSP/1**",
                "'CSP/1\\nFROM A'",
                "\"CSP/1\nFROM A\"",
                "b\"CSP/1\"",
                "{\"a\":[\"CSP/1\"]}",
                "{\"version\":\"CSP/1\"",
                "{\"CSP\":\"1\",\"FROM\":\"ann\",\"TO\":\"bob\",\"CTX\":\"C0\"}",
                "{ \"INTENT\" : \"TASK\", \"TO\" : \"a\", \"FROM\" : \"b\"",
                "FROM A\nTO B\nCTX C0",
                "FROM A\nTO B\nINTENT TASK",
                "from: A\nto: B\nintent",
                "- **FROM** A\r\n- **TO** B\r\n- **CTX** C0",
                "FROM=A\nTO=B\nCTX=C0",
                "CSP /1",
                "CSP / 1\nFROM A",
                "1. CSP/1\n2. FROM A",
                "TASK T1\nREQ x",
                "PATCH P1\r\nBASE C0",
                "ERROR\nAT"
            })
    void anAttemptIsRecognized(String text) {
        assertThat(CspAttempt.resembles(text.getBytes(UTF_8), 0)).isTrue();
        assertThat(CspAttempt.resembles(("\n" + text).getBytes(UTF_8), 1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C",
                "CSP",
                "CSP/",
                "CSP v",
                "CSP2",
                "CSP_1",
                "CSP/10 rooms",
                "CSP1a",
                "CSP//1",
                "ACSP/1",
                "b",
                "bb'CSP/1'",
                "b CSP/1",
                "'csp'",
                "'CSP",
                "{\"version\":\"CSP/2\"}",
                "{\"version\":\"CSP/1",
                "{\"text\":\"see CSP/1\"}",
                "[\"CSP/1\"]",
                "{\"CSP\":\"default-src 'self'\"}",
                "{\"FROM\":\"a\",\"TO\":\"b\",\"CTX\":\"c\",\"TEXT\":\"CSP/1\\nFROM a\"}",
                "{\"FROM\":\"ann\",\"TO\":\"bob\"}",
                "{\"TO\":\"bob\",\"CTX\":\"C0\",\"INTENT\":\"x\"}",
                "{\"from\":\"ann\",\"to\":\"bob\",\"intent\":\"x\"}",
                "{\"a\":\"FROM\",\"b\":\"TO\",\"c\":\"CTX\"}",
                "{\"FROM",
                "# {\"CSP/1\"}",
                "-",
                "FROM A",
                "FROM A\nTO B",
                "FROM A\nTO B\nSUBJECT C",
                "FROM A\n\nTO B\nCTX C0",
                "FROM A\nTOO B\nCTX C0",
                "TO B\nFROM A\nCTX C0",
                "FROM.A\nTO.B\nCTX.C0",
                "TASK T1",
                "TASK T1\nAT T2",
                "TASKS T1\nREQ x",
                "ERROR x\nAT: y",
                "ERROR x\nATTENTION y",
                "PLAN P1\nREQ x",
                "Task T1\nREQ x",
                "1 CSP/1"
            })
    void otherTextIsNoAttempt(String text) {
        assertThat(CspAttempt.resembles(text.getBytes(UTF_8), 0)).isFalse();
        assertThat(CspAttempt.resembles(("\n" + text).getBytes(UTF_8), 1)).isFalse();
    }

    @Test
    void theCostOfALineIsLinear() {
        LinearTime.check(
                "marks before keys",
                size -> LinearTime.repeated("CSP/1\nFROM A\n" + "-".repeat(size / 2) + "x", " TO ", "", size),
                wire -> CspNearMissTest.decode(wire));
    }

    record Miss(String wire, Code code, int offset, String detail) {
        @Override
        public String toString() {
            return '"' + wire.replace("\n", "\\n") + '"';
        }
    }

    /** The error at the first place of a text in a message, or at its end. */
    private static Miss miss(String wire, String at, Code code, String detail) {
        int index = wire.indexOf(at);
        String before = index < 0 ? wire : wire.substring(0, index);
        return new Miss(wire, code, before.getBytes(UTF_8).length, detail);
    }

    private static Miss header(String wire, String at, String detail) {
        return miss(wire, at, Code.CSP_MISSING_HEADER, detail);
    }

    static Stream<Miss> misses() {
        return Stream.of(
                // The first line.
                miss("\uFEFF \n csp/1\nFROM A", "csp", Code.CSP_NOT_CSP, "Line 1 must be exactly CSP/1."),
                miss("CSP1\nFROM A", "CSP1", Code.CSP_NOT_CSP, "Line 1 must be exactly CSP/1."),
                miss(
                        " \n# CSP/1\nFROM A",
                        "#",
                        Code.CSP_NOT_CSP,
                        "Line 1: CSP/1 must be at the start of the line, without other characters."),
                miss("> FROM: A", ">", Code.CSP_NOT_CSP, "Line 1 must be CSP/1; FROM follows it."),
                miss("CSP/1 \tFROM A", "FROM", Code.CSP_NOT_CSP, "Line 1: FROM must be on a line of its own."),
                miss("CSP/1 x\nFROM A; B!", "x", Code.CSP_NOT_CSP, "The first line must contain only CSP/1."),
                miss("CSP/1 x;\nFROM A", "CSP", Code.CSP_TEMPLATE, "This is a prompt template of a dialect."),
                miss("CSP/1 x!", "CSP", Code.CSP_TEMPLATE, "This is a prompt template of a dialect."),
                miss("CSP/1\\nFROM A", "\\", Code.CSP_NOT_CSP, "A backslash follows CSP/1. Send line feeds"),
                miss("\n CSP/1\\r\\nFROM A", "\\", Code.CSP_NOT_CSP, "A backslash follows CSP/1. Send line feeds"),
                miss("CSP/1\\r", "\\", Code.CSP_NOT_CSP, "The first line must contain only CSP/1."),
                miss("CSP/1<br>\nFROM A", "<", Code.CSP_NOT_CSP, "The first line must contain only CSP/1."),
                miss("CSP/2\\nFROM A", "CSP", Code.CSP_VERSION, "The version must be CSP/1."),
                miss("\"CSP/1\"", "\"", Code.CSP_NOT_CSP, "This is a string literal."),
                miss(" {\"a\":\"CSP/1\"}", "{", Code.CSP_NOT_CSP, "This is a JSON object."),
                miss("hello", "hello", Code.CSP_NOT_CSP, "The first line of a message must be CSP/1."),
                miss(" ", END, Code.CSP_NOT_CSP, "The message must start with a line CSP/1, but is empty."),
                // Keys of the header.
                header(TASK.replace("FROM", "  From"), "  From", "Line 2: white space precedes FROM."),
                header(TASK.replace("FROM", "\tFROM"), "\tFROM", "Line 2: white space precedes FROM."),
                header(TASK.replace("TO ", "> TO "), "> TO", "Line 3: other characters precede TO."),
                header(TASK.replace("TO ", "**TO** "), "**TO", "Line 3: other characters precede TO."),
                header(TASK.replace("CTX", "ctx"), "ctx", "Line 4: CTX must be in upper case."),
                header(TASK.replace("CTX C0", "CTX:C0"), ":", "Line 4: a colon follows CTX."),
                header(TASK.replace("CTX C0", "CTX =C0"), "=C0", "Line 4: an equals sign follows CTX."),
                header(TASK.replace("CTX C0", "CTX:"), ":", "Line 4: a colon follows CTX."),
                header("\n\n" + TASK.replace("INTENT", "Intent"), "Intent", "Line 5: INTENT must be in upper case."),
                header(
                        TASK.replace("CSP/1\n", "CSP/1\n \t\n"),
                        " \t",
                        "Line 2 is blank. The header must have no blank line before its last key."),
                header(
                        TASK.replace("CTX", "\n\nCTX"),
                        "\n\nCTX",
                        "Line 4 is blank. The header must have no blank line before its last key."),
                header(TASK.replace("CTX C0\n", ""), END, "The header must contain CTX."),
                header(TASK.replace("CTX C0\n", "\nCTXT C0\n"), END, "The header must contain CTX."),
                header("CSP/1\nFROM A\nTO B\nCTX C0\n\n", END, "The header must contain INTENT."),
                // A key on the line of another, or in another word.
                header(TASK.replace("\nTO", " TO"), "TO", "Line 2: TO must be on a line of its own."),
                header(TASK.replace("\nTO", "\tTO:"), "TO", "Line 2: TO must be on a line of its own."),
                header(TASK.replace("\nINTENT", " INTENT"), "INTENT", "Line 4: INTENT must be on a line of its own."),
                header(TASK.replace("CTX", "CONTEXT"), "CONTEXT", "Line 4: CONTEXT must be CTX."),
                header(TASK.replace("CTX", "Context:"), "Context", "Line 4: CONTEXT must be CTX."),
                header(TASK.replace("FROM", "SENDER"), "SENDER", "Line 2: SENDER must be FROM."),
                header(TASK.replace("TO ", "RECIPIENT "), "RECIPIENT", "Line 3: RECIPIENT must be TO."),
                header(TASK.replace("INTENT", "TYPE"), "TYPE", "Line 5: TYPE must be INTENT."),
                header("CSP/1\nNOTE x TO y\nFROM A", END, "The header must contain TO."),
                header("CSP/1\nFROM A\nSENDER B\nTO C", END, "The header must contain CTX."),
                // Keys of the block.
                miss(
                        TASK.replace("REQ ", "- REQ "),
                        "- REQ",
                        Code.CSP_MALFORMED,
                        "REQ must be in upper case at the start"),
                miss(TASK.replace("REQ ", "REQ: "), ": ", Code.CSP_MALFORMED, "REQ must be in upper case at the start"),
                miss(TASK.replace("REQ ", "REQ= "), "= ", Code.CSP_MALFORMED, "REQ must be in upper case at the start"),
                miss(
                        TASK.replace("REQ ", "Req: "),
                        "Req",
                        Code.CSP_MALFORMED,
                        "REQ must be in upper case at the start"),
                // Without a value to continue, a word in lower case is a key.
                miss(TASK.replace("REQ ", "req "), "req", Code.CSP_MALFORMED, "REQ must be in upper case at the start"),
                miss(ERROR.replace("AT ", "AT: "), ": ", Code.CSP_MALFORMED, "AT must be in upper case at the start"),
                miss(ERROR.replace("AT ", "AT : "), ": ", Code.CSP_MALFORMED, "AT must be in upper case at the start"),
                miss(ERROR.replace("AT ", "2) AT "), "2)", Code.CSP_MALFORMED, "AT must be in upper case at the start"),
                miss(TASK.replace("IN ", "IN: "), ": ", Code.CSP_MALFORMED, "IN must be in upper case at the start"),
                miss(TASK.replace("IN ", "in "), "in SRC", Code.CSP_MALFORMED, "IN must be in upper case at the start"),
                // A line before it that is nearly a key, but continues a value, is no cause.
                miss(
                        TASK.replace("auth", "\n  IN: a\n").replace("OUT ", "OUT: "),
                        ": FILE",
                        Code.CSP_MALFORMED,
                        "OUT must be in upper case at the start"),
                miss(
                        RESULT.replace("PRODUCED ", "PRODUCED: "),
                        ": ",
                        Code.CSP_MALFORMED,
                        "PRODUCED must be in upper case at the start"),
                miss(
                        RESULT.replace("PRODUCED ", "produced "),
                        "produced",
                        Code.CSP_MALFORMED,
                        "PRODUCED must be in upper case at the start"),
                miss(
                        RESULT.replace("\nPRODUCED ", " PRODUCED "),
                        "PRODUCED",
                        Code.CSP_MALFORMED,
                        "PRODUCED must be in upper case at the start of a line of its own"),
                miss(
                        TASK.substring(TASK.indexOf("TASK T")),
                        "TASK",
                        Code.CSP_NOT_CSP,
                        "The header is missing: CSP/1, FROM, TO, CTX, INTENT and a blank line must precede the block."),
                miss("1. CSP/1\n2. FROM A", "1", Code.CSP_NOT_CSP, "Line 1: CSP/1 must be at the start of the line"),
                miss("CSP /1\nFROM A", "CSP", Code.CSP_NOT_CSP, "Line 1 must be exactly CSP/1."),
                miss(
                        RESULT.replace("STATUS OK", "STATUS : OK"),
                        ": OK",
                        Code.CSP_MALFORMED,
                        "STATUS must be in upper case at the start"),
                miss(
                        RESULT.replace("STATUS OK", "STATUS\t=OK"),
                        "=OK",
                        Code.CSP_MALFORMED,
                        "STATUS must be in upper case at the start"),
                miss(
                        RESULT.replace("STATUS OK", "  STATUS OK"),
                        "  STATUS",
                        Code.CSP_MALFORMED,
                        "STATUS must be in upper case at the start"),
                // DATA may have any content.
                miss(
                        head("RESULT") + "RESULT T1\nPRODUCED x\nDATA y\n  STATUS: OK",
                        END,
                        Code.CSP_STATUS,
                        "A RESULT must have a STATUS: OK, PARTIAL or FAIL."),
                miss(
                        PATCH.replace("BASE ", "BASE: "),
                        ": ",
                        Code.CSP_MALFORMED,
                        "BASE must be in upper case at the start"),
                miss(
                        PATCH.replace("BASE ", "  BASE "),
                        "  BASE",
                        Code.CSP_MALFORMED,
                        "BASE must be in upper case at the start"),
                miss(
                        TASK.replace("\nTASK T001", "\nTASK: T001"),
                        "TASK:",
                        Code.CSP_BODY_MISMATCH,
                        "The body must start with the word TASK"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("misses")
    void theErrorNamesTheByteAndTheCause(Miss miss) {
        byte[] wire = miss.wire().getBytes(UTF_8);
        assertThat(decode(wire)).isInstanceOfSatisfying(Malformed.class, error -> {
            assertThat(error.detail()).startsWith(miss.detail());
            assertThat(error.code()).isEqualTo(miss.code());
            assertThat(error.offset()).isEqualTo(miss.offset());
        });
    }

    private static DecodeResult<?> decode(byte[] wire) {
        DecodeResult<?> result = CODEC.decode(wire, DecodeOptions.LENIENT);
        return result instanceof Malformed<?> error ? ValueDiagnosis.explain(wire, Protocol.CSP, error) : result;
    }
}
