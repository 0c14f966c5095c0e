package dev.parley.codec.csp;

import static dev.parley.codec.csp.CspSamples.ERROR;
import static dev.parley.codec.csp.CspSamples.FILE;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static dev.parley.codec.csp.CspSamples.head;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every code that the decoder raises, with the place of the fault. A bar (¦) in a wire text marks the offset and is not part of it. */
class CspFaultsTest {
    private static final String PATCH_HEAD = head("PATCH") + "PATCH P1\nBASE C0\n";
    private static final String PATCH_END = "\nAPPLY -> C1";

    private final CspCodec codec = new CspCodec();

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void aFaultIsFoundInBothProfilesWhereItStands(Code code, String marked) {
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            Malformed<CspMessage> fault = malformed(marked, options);
            assertThat(fault.code()).as(fault.detail()).isEqualTo(code);
            assertThat(fault.offset()).as(fault.detail()).isEqualTo(offset(marked));
        }
    }

    static Stream<Arguments> aFaultIsFoundInBothProfilesWhereItStands() {
        return Stream.of(
                // The first line
                fault(Code.CSP_NOT_CSP, "¦"),
                fault(Code.CSP_NOT_CSP, " \n¦"),
                fault(Code.CSP_NOT_CSP, "¦hello"),
                fault(Code.CSP_NOT_CSP, "\n ¦csp/1\nFROM A"),
                fault(Code.CSP_NOT_CSP, "¦CSP 1"),
                fault(Code.CSP_NOT_CSP, "CSP/1 ¦now\nFROM A"),
                fault(Code.CSP_VERSION, "¦CSP/2\nFROM A"),
                fault(Code.CSP_VERSION, "¦CSP/"),
                fault(Code.CSP_VERSION, "¦CSP/10"),
                fault(Code.CSP_VERSION, "¦CSP/1.1\nFROM A"),
                fault(Code.CSP_TEMPLATE, "¦CSP/1;!prose;DATA ONLY\nRESULT{STATUS,DATA[file:line]}\nTASK REQ:<req>"),
                fault(Code.CSP_TEMPLATE, "¦CSP/1;"),
                // The header
                fault(Code.CSP_MISSING_HEADER, "CSP/1¦"),
                fault(Code.CSP_MISSING_HEADER, "CSP/1\n\n" + TASK.substring(6) + "¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("FROM MAIN\n", "") + "¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("TO CODE_EXP\n", "") + "¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("CTX C0\n", "") + "\n¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("INTENT TASK\n", "") + "¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("FROM MAIN", "¦FROM")),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("CTX C0", "¦CTX \t")),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("INTENT TASK", "¦INTENT")),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("TO CODE_EXP", "TO ¦, ,")),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("FROM", "from") + "¦"),
                fault(Code.CSP_MISSING_HEADER, TASK.replace("\nTO", "\n TO") + "¦"),
                fault(Code.CSP_MALFORMED, TASK.replace("\nTO", "\n  ¦on\nTO")),
                fault(Code.CSP_UNKNOWN_INTENT, TASK.replace("INTENT TASK", "INTENT ¦task")),
                fault(Code.CSP_UNKNOWN_INTENT, TASK.replace("INTENT TASK", "INTENT  ¦UNKNOWN")),
                fault(Code.CSP_UNKNOWN_INTENT, FILE.replace("INTENT FILE", "INTENT ¦FILEOP")),
                fault(Code.CSP_DUPLICATE_KEY, TASK.replace("\nCTX", "\n¦FROM MAIN\nCTX")),
                fault(Code.CSP_DUPLICATE_KEY, TASK.replace("\nCTX", "\nX a\n¦X b\nCTX")),
                // The block
                fault(Code.CSP_BODY_MISMATCH, head("TASK") + "¦"),
                fault(Code.CSP_BODY_MISMATCH, head("PLAN").strip() + "¦"),
                fault(Code.CSP_BODY_MISMATCH, head("TASK") + "DEF A = b¦"),
                fault(Code.CSP_BODY_MISMATCH, head("QUERY") + "¦TASK T1\nREQ x"),
                fault(Code.CSP_BODY_MISMATCH, head("FILE") + "¦FILE F1 PATCH"),
                fault(Code.CSP_BODY_MISMATCH, head("PATCH") + "¦FILEOP F1 PATCH\nCONTENT\n<<<\n>>>"),
                fault(Code.CSP_BODY_MISMATCH, head("TASK") + "  ¦please find it"),
                fault(Code.CSP_BODY_MISMATCH, head("TASK") + "¦REQ find it\nTASK T1"),
                fault(Code.CSP_BODY_MISMATCH, head("PATCH") + "¦DEF A = b\nPATCH P1\nBASE C0\n- DEF A\nAPPLY -> C1"),
                fault(Code.CSP_MULTIPLE_BODIES, TASK + "\n\n¦TASK T002\nREQ more"),
                fault(Code.CSP_MULTIPLE_BODIES, TASK.replace("\nIN SRC", "\n¦RESULT T002 and more\nIN SRC")),
                fault(Code.CSP_MULTIPLE_BODIES, ERROR + "\n¦FILEOP F1 PATCH"),
                fault(Code.CSP_MULTIPLE_BODIES, PATCH + "\n¦MEM M1"),
                fault(Code.CSP_MULTIPLE_BODIES, head("PLAN") + "PLAN PL1\nSTEP x\n¦QUERY Q1"),
                fault(Code.CSP_MULTIPLE_BODIES, head("PLAN") + "PLAN PL1\nSTEP x\n¦PLAN"),
                fault(Code.CSP_DUPLICATE_KEY, TASK.replace("\nIN SRC", "\n¦REQ again\nIN SRC")),
                fault(Code.CSP_DUPLICATE_KEY, TASK + "\n¦REQ"),
                fault(Code.CSP_DUPLICATE_KEY, TASK.replace("\nIN SRC", "\nNOTE a\n¦NOTE b\nIN SRC")),
                fault(Code.CSP_DUPLICATE_KEY, PATCH + "\n¦APPLY -> C2"),
                fault(Code.CSP_MISSING_ID, TASK.replace("TASK T001", "TASK") + "¦"),
                fault(Code.CSP_MISSING_ID, FILE.replace("FILEOP F001 PATCH", "FILEOP") + "¦"),
                fault(Code.CSP_MISSING_REQ, TASK.replace("REQ find auth middleware\n", "") + "¦"),
                fault(Code.CSP_MISSING_REQ, TASK.replace("REQ find auth middleware", "¦REQ")),
                fault(Code.CSP_STATUS, RESULT.replace("STATUS OK\n", "") + "¦"),
                fault(Code.CSP_STATUS, RESULT.replace("STATUS OK", "STATUS ¦ok")),
                fault(Code.CSP_STATUS, RESULT.replace("STATUS OK", "¦STATUS")),
                fault(Code.CSP_STATUS, RESULT.replace("STATUS OK", "STATUS ¦OK\n  nearly")),
                // Patches
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+DEF A = b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+ DEF" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+ DEF A" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+ DEF A=b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+ DEF = b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦~ DEF A :b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦+ DEF A B = c" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦- DEF A = b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦- DEF" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦DEF A = b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "+ DEF A = b\n  ¦and more" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "  ¦+ DEF A = b" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "¦base C1" + PATCH_END),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "- DEF A\n¦APPLY C1"),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "- DEF A\n¦APPLY ->"),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "- DEF A\n¦APPLY ->C1"),
                fault(Code.CSP_PATCH_LINE, PATCH_HEAD + "- DEF A\n¦APPLY -> C1 C2"),
                fault(Code.CSP_PATCH_TARGET, PATCH_HEAD + "+ ¦LAWS L1 = b" + PATCH_END),
                fault(Code.CSP_PATCH_TARGET, PATCH_HEAD + "~ ¦TASK T1 := b" + PATCH_END),
                fault(Code.CSP_PATCH_TARGET, PATCH_HEAD + "-  ¦FILE" + PATCH_END),
                fault(Code.CSP_PATCH_TARGET, PATCH_HEAD + "- ¦def A" + PATCH_END),
                fault(Code.CSP_PATCH_TARGET, PATCH_HEAD + "¦LAWS" + PATCH_END),
                fault(Code.CSP_PATCH_INCOMPLETE, PATCH_HEAD + "- DEF A¦"),
                fault(Code.CSP_PATCH_INCOMPLETE, PATCH.replace("BASE C0\n", "") + "¦"),
                fault(Code.CSP_PATCH_INCOMPLETE, PATCH.replace("BASE C0", "¦BASE")),
                // Heredocs
                fault(Code.CSP_HEREDOC, FILE.replace("CONTENT\n<<<", "CONTENT\n¦<")),
                fault(Code.CSP_HEREDOC, FILE.replace("CONTENT\n<<<", "CONTENT ¦text")),
                fault(Code.CSP_HEREDOC, FILE.replace("\n>>>", "").replace("<<<", "¦<<<")),
                fault(Code.CSP_HEREDOC, FILE.replace("\n>>>", "\n>>> ").replace("<<<", "¦<<<")),
                fault(Code.CSP_HEREDOC, FILE.substring(0, FILE.indexOf("\n<<<")) + "\n\n¦"),
                fault(Code.CSP_HEREDOC, FILE.substring(0, FILE.indexOf("\nCONTENT")) + "¦"),
                fault(Code.CSP_HEREDOC, FILE + "\n\n ¦PATH again"),
                fault(Code.CSP_HEREDOC, FILE + "\n¦>>>"),
                fault(Code.CSP_HEREDOC, FILE.replace("\nPATH src/file.ts", "") + "\n¦PATH src/file.ts"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void aDepartureFromFormIsAWarningOrUnderStrictAFault(Code code, String marked) {
        assertThat(decoded(marked).warnings()).containsExactly(code);

        Malformed<CspMessage> fault = malformed(marked, DecodeOptions.STRICT);
        assertThat(fault.code()).as(fault.detail()).isEqualTo(code);
        assertThat(fault.offset()).as(fault.detail()).isEqualTo(offset(marked));
    }

    static Stream<Arguments> aDepartureFromFormIsAWarningOrUnderStrictAFault() {
        return Stream.of(
                fault(Code.BYTE_ORDER_MARK, "¦\uFEFF" + TASK),
                fault(Code.CSP_NO_BLANK_LINE, TASK.replace("\n\n", "\n¦")),
                fault(Code.CSP_UNKNOWN_KEY, TASK.replace("\nTO", "\n¦VIA gate\nTO")),
                fault(Code.CSP_UNKNOWN_KEY, TASK.replace("\nIN SRC", "\n¦STATUS OK\nIN SRC")),
                fault(Code.CSP_UNKNOWN_KEY, TASK + "\n¦RESULT"),
                fault(Code.CSP_UNKNOWN_KEY, TASK + "\n¦DATA TASK T2\nTASK T3"),
                fault(Code.CSP_UNKNOWN_KEY, TASK.replace("T001", "T001 ¦now")),
                fault(Code.CSP_UNKNOWN_KEY, FILE.replace("F001 PATCH", "F001 PATCH ¦now")),
                fault(Code.CSP_UNKNOWN_KEY, PATCH + "\n¦WHY x"),
                fault(Code.CSP_MISSING_FIELD, TASK.replace("IN SRC,LIB\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, TASK.replace("OUT FILE_REFS\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, TASK.replace("OWNER CODE_EXP\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, TASK.replace("\nPRIORITY P1", "") + "\n¦"),
                fault(Code.CSP_MISSING_FIELD, RESULT.replace("PRODUCED FILE_REFS_001\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, RESULT.substring(0, RESULT.indexOf("\nDATA")) + "¦"),
                fault(Code.CSP_MISSING_FIELD, ERROR.replace("AT T001\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, FILE.replace("PATH src/file.ts\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, FILE.replace("BASE hash123\n", "") + "¦"),
                fault(Code.CSP_MISSING_FIELD, FILE.replace("F001 PATCH", "F001") + "¦"),
                fault(Code.CSP_PRIORITY, TASK.replace("PRIORITY P1", "PRIORITY ¦P4")),
                fault(Code.CSP_PRIORITY, TASK.replace("PRIORITY P1", "¦PRIORITY")),
                fault(Code.CSP_PATCH_OPERATOR, PATCH_HEAD + "+ DEF A ¦:= b = c" + PATCH_END),
                fault(Code.CSP_PATCH_OPERATOR, PATCH_HEAD + "~ DEF A ¦= b := c" + PATCH_END),
                fault(Code.CSP_EMPTY_PATCH, PATCH_HEAD.strip() + PATCH_END + "¦"),
                fault(Code.CSP_FILE_OPERATION, FILE.replace("F001 PATCH", "F001 ¦WRITE")),
                fault(Code.CSP_FILE_OPERATION, head("FILE") + "FILEOP F1 ¦DELETE\nPATH p\nBASE h"),
                fault(Code.CSP_HEREDOC_INLINE, FILE.replace("CONTENT\n<<<", "CONTENT ¦<<<")));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void whatIsWorthKnowingStaysAWarningUnderStrict(Code code, String wire) {
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            assertThat(((Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), options)).warnings())
                    .containsExactly(code);
        }
    }

    static Stream<Arguments> whatIsWorthKnowingStaysAWarningUnderStrict() {
        return Stream.of(
                arguments(Code.CSP_UNSPECIFIED_BODY, head("PLAN") + "PLAN PL1\nSTEP one\nSTEP two"),
                arguments(Code.CSP_UNSPECIFIED_BODY, head("QUERY") + "QUERY\nREQ where\nDATA x\ny"),
                arguments(Code.CSP_UNSPECIFIED_BODY, head("MEM") + "MEM M1 a new node"),
                arguments(Code.CSP_CONTINUATION, TASK.replace("\nIN SRC", "\nnear the gate\nIN SRC")),
                arguments(Code.CSP_CONTINUATION, TASK.replace("\nIN SRC", "\n  NEXT one\nIN SRC")),
                arguments(Code.CSP_CONTINUATION, TASK.replace("\nIN SRC", "\nREQ: again\nIN SRC")),
                arguments(Code.CSP_CONTINUATION, TASK.replace("\nIN SRC", "\n\n(by noon)\nIN SRC")),
                arguments(Code.CSP_CONTINUATION, ERROR + "\nor give up"),
                arguments(Code.CSP_CONTINUATION, ERROR.replace("\nNEXT", "\n- nor in TESTS\nNEXT")),
                arguments(Code.CSP_MANY_RECIPIENTS, TASK.replace("TO CODE_EXP", "TO CODE_EXP,CODER")));
    }

    @Test
    void dataOverSeveralLinesIsNoContinuation() {
        assertThat(decoded(RESULT + "\nmore\n  and more\nREQ x\nTASK T1").warnings())
                .isEmpty();
    }

    @Test
    void definitionsOutsideAPatchAreLeftToTheJudge() {
        for (String wire : List.of(
                TASK + "\nDEF A = b\nDEF A = c\nLAWS",
                TASK.replace("\nTASK", "\nDEF A = b\n\nTASK"),
                TASK.replace("\nCTX", "\nDEF A = b\nDEF B = b\nCTX"),
                RESULT.replace("\nDATA", "\nLAWS L1: none\nDEF A = b\nDATA"))) {
            Decoded<CspMessage> read = (Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.STRICT);
            assertThat(read.warnings()).isEmpty();
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void aViolationIsDecodedAndListed(List<Code> codes, String wire) {
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            Decoded<CspMessage> read = (Decoded<CspMessage>) codec.decode(wire.getBytes(UTF_8), options);
            assertThat(read.violations()).isEqualTo(codes);
            assertThat(read.warnings()).isEmpty();
        }
    }

    static Stream<Arguments> aViolationIsDecodedAndListed() {
        return Stream.of(
                arguments(List.of(), PATCH),
                arguments(
                        List.of(Code.CSP_PATCH_NAME_TWICE),
                        PATCH_HEAD + "+ DEF A = b\n- DEF C\n~ DEF A := c\n- DEF A" + PATCH_END),
                arguments(List.of(), PATCH_HEAD + "+ DEF A = b\n+ DEF a = b" + PATCH_END),
                arguments(List.of(Code.CSP_SELF_APPLY), PATCH_HEAD + "- DEF A\nAPPLY -> C0"),
                arguments(List.of(), PATCH_HEAD + "- DEF A\nAPPLY -> c0"),
                arguments(
                        List.of(Code.CSP_PATCH_NAME_TWICE, Code.CSP_SELF_APPLY),
                        PATCH_HEAD + "APPLY -> C0\n- DEF A\n- DEF A"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void ofSeveralFaultsTheFirstInTheOrderOfClassesIsReported(Code code, String marked) {
        Malformed<CspMessage> fault = malformed(marked, DecodeOptions.STRICT);
        assertThat(fault.code()).as(fault.detail()).isEqualTo(code);
        assertThat(fault.offset()).as(fault.detail()).isEqualTo(offset(marked));
    }

    static Stream<Arguments> ofSeveralFaultsTheFirstInTheOrderOfClassesIsReported() {
        return Stream.of(
                fault(Code.BYTE_ORDER_MARK, "¦\uFEFFCSP/2"),
                fault(Code.CSP_PATCH_LINE, head("PATCH") + "PATCH\nBASE C0\nBASE C0\n¦+A\n+ LAWS x"),
                fault(Code.CSP_MULTIPLE_BODIES, "CSP/1\nFROM A\nFROM B\nINTENT X\n\nTASK T1\n¦TASK T2"),
                fault(Code.CSP_DUPLICATE_KEY, "CSP/1\nFROM A\n¦FROM B\nINTENT X\n\nTASK T1\nREQ a\nREQ b"),
                fault(Code.CSP_UNKNOWN_INTENT, "CSP/1\nFROM A\nINTENT ¦X\n\nRESULT T1\nSTATUS maybe"),
                fault(Code.CSP_STATUS, "CSP/1\nFROM A\nINTENT RESULT\n\nRESULT\nSTATUS ¦maybe\nNOTE x"),
                fault(Code.CSP_UNKNOWN_KEY, "CSP/1\nFROM A\nINTENT RESULT\n\nRESULT\n¦NOTE x\nSTATUS maybe"),
                fault(Code.CSP_MISSING_HEADER, "CSP/1\nFROM A\nstray\nINTENT TASK\n\nTASK¦"));
    }

    /** A byte that is not UTF-8 is a lexical fault like the others: whichever stands first. A control character (1) stands for the byte. */
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void badUtf8IsFoundInItsPlaceAmongTheLexicalFaults(Code code, String marked) {
        int at = offset(marked);
        byte[] wire = marked.replace("¦", "").getBytes(UTF_8);
        for (int i = 0; i < wire.length; i++) {
            wire[i] = wire[i] == 1 ? (byte) 0xFF : wire[i];
        }
        for (DecodeOptions options : List.of(DecodeOptions.LENIENT, DecodeOptions.STRICT)) {
            Malformed<CspMessage> fault = (Malformed<CspMessage>) codec.decode(wire, options);
            assertThat(fault.code()).as(fault.detail()).isEqualTo(code);
            assertThat(fault.offset()).as(fault.detail()).isEqualTo(at);
        }
    }

    static Stream<Arguments> badUtf8IsFoundInItsPlaceAmongTheLexicalFaults() {
        return Stream.of(
                arguments(Code.CSP_VERSION, "¦CSP/9\nFROM \u0001"),
                arguments(Code.CSP_NOT_CSP, "¦hello\n\u0001"),
                arguments(Code.CSP_BAD_UTF8, "CSP/1¦\u0001\nFROM A"),
                arguments(Code.CSP_MULTIPLE_BODIES, TASK + "\n¦RESULT T1\nDATA \u0001"),
                arguments(Code.CSP_BAD_UTF8, TASK.replace("MAIN", "M¦\u0001") + "\nRESULT T1"),
                arguments(Code.CSP_BAD_UTF8, "CSP/1\nFROM A\nFROM B\nINTENT X\n\nTASK T1\nREQ ¦\u0001"),
                arguments(Code.CSP_HEREDOC, FILE + "\n¦x\n\u0001"),
                arguments(Code.CSP_BAD_UTF8, FILE.replace("new_line", "\u00e4¦\u0001") + "\nx"),
                arguments(Code.CSP_BAD_UTF8, FILE.replace("new_line", "¦\u0001").replace(">>>", ">>")));
    }

    @Test
    void aRepeatedNameIsFoundAmongTenThousandWithoutComparingThemAll() {
        StringBuilder wire = new StringBuilder(PATCH_HEAD);
        for (int i = 0; i < 9_999; i++) {
            wire.append("+ DEF N").append(i).append(" = v\n");
        }
        String fresh = wire + "- DEF N9999\nAPPLY -> C1";
        String repeated = wire + "- DEF N9998\nAPPLY -> C1";
        assertThat(decoded(fresh).violations()).isEmpty();
        assertThat(decoded(repeated).violations()).containsExactly(Code.CSP_PATCH_NAME_TWICE);
        assertThat(decoded(repeated).message().getOperations()).hasSize(10_000);
    }

    private static Arguments fault(Code code, String marked) {
        return arguments(code, marked);
    }

    private static int offset(String marked) {
        return marked.substring(0, marked.indexOf('¦')).getBytes(UTF_8).length;
    }

    private Malformed<CspMessage> malformed(String marked, DecodeOptions options) {
        DecodeResult<CspMessage> result = codec.decode(marked.replace("¦", "").getBytes(UTF_8), options);
        assertThat(result).isInstanceOf(Malformed.class);
        return (Malformed<CspMessage>) result;
    }

    private Decoded<CspMessage> decoded(String marked) {
        DecodeResult<CspMessage> result = codec.decode(marked.replace("¦", "").getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(result).isInstanceOf(Decoded.class);
        return (Decoded<CspMessage>) result;
    }
}
