package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are nearly messages: without a name, they have the decode error of their protocol, with its cause. */
class NearMissTest {
    private static final String TASK = "FROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x";

    record NearMiss(String wire, Code code, int offset, String detail) {
        @Override
        public String toString() {
            return wire.replace("\n", "\\n");
        }
    }

    static Stream<NearMiss> nearMisses() {
        return Stream.of(
                new NearMiss("@a3 | f0 | c1 | S0 | d1 | T1#", Code.SLIP_WHITESPACE, 3, "inside quotes"),
                new NearMiss("@ a3|f0|c1|S0|d1|T1#", Code.SLIP_WHITESPACE, 1, "inside quotes"),
                new NearMiss("@a3 f0 c1 S0 d1 T1#", Code.SLIP_WHITESPACE, 3, "inside quotes"),
                new NearMiss("@A3|F0|C1|S0|D1|T1#", Code.SLIP_MISSING_HEADER, 1, "'A' must be in lower case"),
                new NearMiss("@a3|f0|C1|S0|d1|T1#", Code.SLIP_MISSING_HEADER, 7, "'C' must be in lower case"),
                new NearMiss("@a3,f0,c1,S0,d1,T1#", Code.SLIP_BAD_INT, 3, "Separate fields with '|'"),
                new NearMiss("@a=3|f=0|c=1|S=0|d=1|T=1#", Code.SLIP_BAD_INT, 2, "'=' follows the prefix"),
                new NearMiss("@a3|f:0|c1|S0|d1|T1#", Code.SLIP_BAD_INT, 5, "':' follows the prefix"),
                new NearMiss("a3|f0|c1|S0|d1|T1#", Code.SLIP_NO_START, 0, "'@' before the act"),
                new NearMiss("@a3|f0|c1|S0|d1|T1|t'x'#", Code.SLIP_SLOT_TYPE, 20, "straight double quotes"),
                new NearMiss("@a3|f0|c1|S0|d1|T1|t“x”#", Code.SLIP_SLOT_TYPE, 20, "straight double quotes"),
                new NearMiss("@a3/f0/c1/S0/d1/T1#", Code.SLIP_BAD_INT, 3, "Separate fields with '|'"),
                new NearMiss("@act:3|frame:0|conv:1|src:0|dst:1|turn:1#", Code.SLIP_BAD_INT, 4, "one letter"),
                new NearMiss("@act:3|conv:1|src:0", Code.SLIP_BAD_INT, 4, "S (source)"),
                new NearMiss("@ACT=3|CONV=1|SRC=0#", Code.SLIP_BAD_INT, 4, "dialect with names"),
                new NearMiss("@REQUEST|f0|c1|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT, 1, "write a3 for REQUEST"),
                new NearMiss("@REQUEST|TASK|c1|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT, 1, "write a3 for REQUEST"),
                new NearMiss("@aPropose|f0|c1|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT, 1, "write a4 for PROPOSE"),
                new NearMiss("@aMETA|f4|c1|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT, 1, "write aA for META"),
                new NearMiss("@aB|f4|c1|S0|d1|T1#", Code.SLIP_UNKNOWN_ACT, 1, "but was B (11)"),
                new NearMiss("@a3|f0|c1|S0|d1|T1|t&quot;x&quot;#", Code.SLIP_SLOT_TYPE, 20, "an entity of HTML"),
                new NearMiss("@a3|f0|c1|S0|d1|T1＃", Code.SLIP_UNTERMINATED, 18, "U+FF03"),
                new NearMiss("＠a3｜f0｜c1｜S0｜d1｜T1＃", Code.SLIP_NO_START, 0, "Write '@'"),
                new NearMiss("@a3&#124;f0&#124;c1&#124;S0&#124;d1&#124;T1#", Code.SLIP_TRAILING_DATA, 3, "HTML"),
                new NearMiss("%40a3%7Cf0%7Cc1%7CS0%7Cd1%7CT1#", Code.SLIP_NO_START, 0, "an escape of URLs"),
                new NearMiss("@3|0|1|0|1|5#", Code.SLIP_MISSING_HEADER, 1, "start with its prefix: a (act)"),
                new NearMiss("@a3│f0│c1│S0│d1│T1#", Code.SLIP_BAD_INT, 3, "Separate fields with '|'"),
                new NearMiss("{\"act\":\"REQUEST\",\"frame\":\"TASK\"}", Code.SLIP_NO_START, 0, "an object"),
                new NearMiss("{'act': 'REQUEST', 'frame': 'TASK'}", Code.SLIP_NO_START, 0, "an object"),
                new NearMiss("{'type':'STATE','payload':'000110'}", Code.SUBIT_NOT_JSON, 1, "single quotes"),
                new NearMiss("{“type”:“STATE”,“payload”:“000110”}", Code.SUBIT_NOT_JSON, 1, "U+201C"),
                new NearMiss("｛\"type\":\"STATE\",\"payload\":\"000110\"｝", Code.SUBIT_NOT_JSON, 0, "Write '{'"),
                new NearMiss(
                        "{&quot;type&quot;:&quot;STATE&quot;,&quot;payload&quot;:&quot;000110&quot;}",
                        Code.SUBIT_NOT_JSON,
                        1,
                        "&quot; is an entity of HTML. Write '\"'."),
                new NearMiss("CSP／1\n" + TASK, Code.CSP_NOT_CSP, 3, "U+FF0F is a typographic character. Write '/'."),
                new NearMiss("{type:\"STATE\",payload:\"000110\"}", Code.SUBIT_NOT_JSON, 1, "in double quotes"),
                new NearMiss(
                        "{\"TYPE\":\"STATE\",\"PAYLOAD\":\"000110\"}", Code.SUBIT_MISSING_FIELD, 1, "lower case: type"),
                new NearMiss(
                        "{\"type\":\"STATE\",\"Payload\":\"000110\"}",
                        Code.SUBIT_MISSING_FIELD,
                        16,
                        "lower case: payload"),
                new NearMiss(
                        "{\\\"type\\\":\\\"STATE\\\",\\\"payload\\\":\\\"010101\\\"}",
                        Code.SUBIT_NOT_JSON,
                        1,
                        "Remove the backslashes before quotes"),
                new NearMiss(
                        "\"type\":\"STATE\",\"payload\":\"010101\"",
                        Code.SUBIT_NOT_JSON,
                        0,
                        "braces around the object"),
                new NearMiss(
                        "{\"CSP\":\"1\",\"FROM\":\"a\",\"TO\":\"b\",\"CTX\":\"C0\"}",
                        Code.CSP_NOT_CSP,
                        0,
                        "JSON object"),
                new NearMiss("STATE: 000110", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("STATE → 000110", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("INTENT => 000110110001", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("PLAN [000110 110001 011011]", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("STATE(000110)", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("STATE(A): 000110", Code.SUBIT_NOT_JSON, 0, "plain form"),
                new NearMiss("STATE(A)", Code.SUBIT_NOT_JSON, 0, "a pattern"),
                new NearMiss("STATE(A) → INTENT(B)", Code.SUBIT_NOT_JSON, 0, "a pattern"),
                new NearMiss(
                        "{\"type\":\"<MESSAGE_TYPE>\",\"payload\":\"<SUBIT_SEQUENCE>\",\"meta\":{\"agent\":\"<id>\"}}",
                        Code.SUBIT_UNKNOWN_TYPE,
                        8,
                        "placeholder of a template"),
                new NearMiss(
                        "{\"type\":\"STATE\",\"payload\":\"{{bits}}\"}",
                        Code.SUBIT_PAYLOAD_CHARACTER,
                        27,
                        "placeholder of a template"),
                new NearMiss(
                        "@a<ACT>|f<FRAME>|c<CONV>|S<SRC>|d<DST>|T<TURN>#", Code.SLIP_BAD_INT, 2, "placeholder of a"),
                new NearMiss("@a3|f0|c1|S0|d1|T{{turn}}#", Code.SLIP_BAD_INT, 17, "placeholder of a template"),
                new NearMiss("@a3|f0|c1|S${SRC}|d1|T1#", Code.SLIP_BAD_INT, 11, "placeholder of a template"),
                new NearMiss("@a3|f0|c1|S0|d1|T1|t<tag>#", Code.SLIP_SLOT_TYPE, 20, "placeholder of a template"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("FROM A", "FROM: A"),
                        Code.CSP_MISSING_HEADER,
                        10,
                        "Line 2: a colon follows FROM"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("TO B", "TO=B"),
                        Code.CSP_MISSING_HEADER,
                        15,
                        "Line 3: an equals sign follows TO"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("FROM A", "FROM : A"),
                        Code.CSP_MISSING_HEADER,
                        11,
                        "Line 2: a colon follows FROM"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("TO B", "TO = B"),
                        Code.CSP_MISSING_HEADER,
                        16,
                        "Line 3: an equals sign follows TO"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("\nTO", "\n\nTO"), Code.CSP_MISSING_HEADER, 13, "Line 3 is blank"),
                new NearMiss(
                        "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS : OK",
                        Code.CSP_MALFORMED,
                        57,
                        "STATUS must be in upper case at the start"),
                new NearMiss(
                        "{\"type\":\"STATE\",\"payload\":\"000110\",}", Code.SUBIT_NOT_JSON, 35, "A comma must not"),
                new NearMiss(
                        "{\"type\":\"STATE\", // now\n\"payload\":\"000110\"}",
                        Code.SUBIT_NOT_JSON,
                        17,
                        "JSON has no comments"),
                new NearMiss(
                        "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":None}",
                        Code.SUBIT_NOT_JSON,
                        42,
                        "JSON has no None. Write null"),
                new NearMiss("CSP/1\n  " + TASK, Code.CSP_MISSING_HEADER, 6, "Line 2: white space precedes FROM"),
                new NearMiss("CSP/1\n- " + TASK, Code.CSP_MISSING_HEADER, 6, "Line 2: other characters precede FROM"),
                new NearMiss("CSP/1\n\n" + TASK, Code.CSP_MISSING_HEADER, 6, "Line 2 is blank"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("INTENT", "Intent"),
                        Code.CSP_MISSING_HEADER,
                        25,
                        "Line 5: INTENT must be in upper case"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("REQ x", "REQ: x"),
                        Code.CSP_MALFORMED,
                        49,
                        "REQ must be in upper case at the start"),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("A\nTO", "A TO"),
                        Code.CSP_MISSING_HEADER,
                        13,
                        "Line 2: TO must be on a line of its own."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("CTX", "CONTEXT"),
                        Code.CSP_MISSING_HEADER,
                        18,
                        "Line 4: CONTEXT must be CTX."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("FROM", "Sender:"),
                        Code.CSP_MISSING_HEADER,
                        6,
                        "Line 2: SENDER must be FROM."),
                // White space that is neither a space nor a line feed.
                new NearMiss(
                        "CSP/1\n" + TASK.replace("FROM ", "FROM\u00A0"),
                        Code.CSP_MISSING_HEADER,
                        10,
                        "U+00A0 is a typographic character. Write a space."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("REQ ", "REQ\u2003"),
                        Code.CSP_MALFORMED,
                        49,
                        "U+2003 is a typographic character. Write a space."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("TO ", "\u200BTO "),
                        Code.CSP_MISSING_HEADER,
                        13,
                        "Line 3: white space precedes TO."),
                new NearMiss(
                        TASK.replace(" ", "\u000B"), Code.CSP_NOT_CSP, 0, "Line 1 must be CSP/1; FROM follows it."),
                new NearMiss(
                        "CSP/1\u00A0\n" + TASK, Code.CSP_NOT_CSP, 5, "U+00A0 follows CSP/1 instead of a line feed."),
                new NearMiss("CSP/1\u2028" + TASK, Code.CSP_NOT_CSP, 5, "U+2028 follows CSP/1 instead of a line feed."),
                new NearMiss(
                        ("CSP/1\n" + TASK + "!").replace('\n', '\r'),
                        Code.CSP_NOT_CSP,
                        5,
                        "U+000D follows CSP/1 instead of a line feed."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace('\n', '\r'),
                        Code.CSP_MISSING_HEADER,
                        12,
                        "Line 2: U+000D precedes TO instead of a line feed."),
                new NearMiss(
                        "CSP/1\n" + TASK.replace("\nTO", "\u2028TO"),
                        Code.CSP_MISSING_HEADER,
                        12,
                        "Line 2: U+2028 precedes TO instead of a line feed."),
                new NearMiss("csp/1\n" + TASK, Code.CSP_NOT_CSP, 0, "Line 1 must be exactly CSP/1"),
                new NearMiss("**CSP/1**\n" + TASK, Code.CSP_NOT_CSP, 0, "start of the line"),
                new NearMiss(TASK, Code.CSP_NOT_CSP, 0, "FROM follows it"),
                new NearMiss("CSP/1 " + TASK.replace('\n', ' '), Code.CSP_NOT_CSP, 6, "line of its own"),
                new NearMiss("CSP/1 MODE;!prose;DATA ONLY\nRESULT{STATUS}", Code.CSP_TEMPLATE, 0, "dialect"),
                new NearMiss("CSP/1\\nFROM A\\nTO B", Code.CSP_NOT_CSP, 5, "Send line feeds"),
                new NearMiss("CSP/1\\r\\nFROM A", Code.CSP_NOT_CSP, 5, "Send line feeds"),
                new NearMiss("b'CSP/1\\nFROM A'", Code.CSP_NOT_CSP, 0, "string literal"),
                new NearMiss("{\"version\":\"CSP/1\",\"from\":\"A\"}", Code.CSP_NOT_CSP, 0, "JSON object"),
                new NearMiss("CSP/1\n" + TASK + "\nPRIORITY P1\n\nThanks!", Code.CSP_MALFORMED, 65, "must be one line"),
                new NearMiss("CSP/1\n" + TASK + "\nOWNER B\n  or C", Code.CSP_MALFORMED, 62, "value of OWNER"),
                patch("ADD A = 1", "+ DEF name = value"),
                patch("REMOVE A", "- DEF name"),
                patch("UPDATE A = 1", "~ DEF name := value"),
                patch("A = 1", "~ DEF name := value"),
                patch("VALUE A := 1", "+ DEF name = value"));
    }

    private static NearMiss patch(String operation, String detail) {
        String start = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n";
        return new NearMiss(start + operation + "\nAPPLY -> C1", Code.CSP_PATCH_LINE, start.length(), detail);
    }

    /** Deviations that agents write in Λ. */
    static Stream<NearMiss> nearMissesOfLambda() {
        return Stream.of(
                lambda("@V0.6 !Ik/co", 0, "must be @v0.6"),
                lambda("@ v0.6#h !Aw/s", 0, "must be @v0.6"),
                lambda("@0.6 !Ik/co", 0, "must be @v0.6"),
                lambda("v0.6 !Ik/co", 0, "must be @v0.6"),
                lambda("λ v0.6 !Ik/co", 0, "must be @v0.6"),
                lambda("Λ: !Ik/co", 0, "protocol's name"),
                lambda("@v0.6 #h !Aw/s", 6, "follow the version directly"),
                lambda("@v0.6#ID:m1 !Ik/co", 5, "follow the version directly"),
                lambda("@v0.6#H !Aw/s", 5, "follow the version directly"),
                lambda("PRV: !Ik/co", 0, "pub:, prv: or sig:"),
                lambda("PRV:!Ik/co", 0, "pub:, prv: or sig:"),
                lambda("Prv:!Ik/co", 0, "pub:, prv: or sig:"),
                lambda("prv !Ik/co", 0, "pub:, prv: or sig:"),
                lambda("prv : !Ik/co", 0, "pub:, prv: or sig:"),
                lambda("private: !Ik/co", 0, "pub:, prv: or sig:"),
                lambda("Private: !Ik/co", 0, "pub:, prv: or sig:"),
                lambda("Private: <+", 0, "pub:, prv: or sig:"),
                lambda("@a1: !Ik/co", 1, "@A1"),
                lambda("@ A1: !Ik/co", 1, "@A1"),
                lambda("@A1 : !Ik/co", 3, "@A1"),
                lambda("@A1, A2: !Ik/co", 4, "@A1"),
                lambda("A1->A2: !Ik/co", 2, "A1>A2"),
                lambda("A1 > A2: !Ik/co", 2, "A1>A2"),
                lambda("a1>a2: !Ik/co", 0, "A1>A2"),
                lambda("c:!If/bg", 0, "name a domain in v1.1"),
                lambda("! Ik/co", 1, "White space follows a type"),
                lambda(". Uf/X{pr:^}", 1, "White space follows a type"),
                lambda("@A1: ? Uc/la", 6, "White space follows a type"),
                new NearMiss("Ik/co", Code.LAMBDA_NO_TYPE, 0, "must start with its type"),
                new NearMiss("prv: Ik/co", Code.LAMBDA_NO_TYPE, 5, "must start with its type"),
                lambda("!err:pa", 1, "must start with !er:"),
                lambda("!error:un/co", 1, "must start with !er:"),
                lambda("!ER:pa", 1, "must be in lower case"),
                lambda("！Ik／co", 0, "is a typographic character"),
                lambda("!Ik／co", 3, "is a typographic character"),
                lambda("« !Ik/co", 0, "is a typographic character"),
                lambda("— .Uf/X{pr:^}", 0, "is a typographic character"),
                lambda("{def:ta=“build it”}", 8, "is a typographic character"),
                new NearMiss("{def:ta=build the skill}", Code.LAMBDA_BAD_STRING, 8, "in double quotes"),
                lambda("{\"ns\":\"code\"}!Ik/co", 1, "must not be in quotes"),
                lambda("{\"type\":\"!\",\"body\":\"Ik/co\"}", 0, "must be one text"),
                lambda("{\"v\":\"0.6\",\"t\": \"<+\"}", 0, "must be one text"));
    }

    private static NearMiss lambda(String wire, int offset, String detail) {
        return new NearMiss(wire, Code.LAMBDA_MALFORMED, offset, detail);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nearMissesOfLambda")
    void anAttemptAtLambdaHasItsErrorWithoutAHeaderToo(NearMiss nearMiss) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        RecordDecodeResult result = ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of())
                .decode(new WireRecord(
                        source, "k".getBytes(UTF_8), nearMiss.wire().getBytes(UTF_8), RecordHeaders.NONE));
        assertThat(result).isInstanceOfSatisfying(RecordDecodeResult.Undecodable.class, error -> {
            assertThat(error.claims().getProtocol()).isEqualTo("LAMBDA");
            assertThat(error.code()).isEqualTo(nearMiss.code());
            assertThat(error.position()).isEqualTo(nearMiss.offset());
            assertThat(error.detail()).contains(nearMiss.detail());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@bob: please review a/b",
                "v0.6 is out",
                "@0.6 percent",
                "private: keep this",
                "! [rejected] main -> main",
                "> a quote/remark",
                "I/O",
                "And/or",
                "!error: to do",
                "— Ana, the user",
                "“Sure”",
                "{\"type\":\"text\",\"text\":\"!\"}",
                "{\"a\":1} then",
                "{def: x}",
                "a > b: c",
                "a->b",
                "ERROR(42)",
                "STATE(idle)",
                "STATE(A) is next",
                "ERROR -> see log"
            })
    void textWithoutTheStructureOfAProtocolResemblesNone(String text) {
        assertThat(ValueDiagnosis.detect(text.getBytes(UTF_8), WireProtocols.STANDARD))
                .isNull();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nearMisses")
    void anAttemptHasTheErrorOfItsProtocolWithTheCause(NearMiss nearMiss) {
        byte[] wire = nearMiss.wire().getBytes(UTF_8);
        WireProtocol<?> protocol = ValueDiagnosis.detect(wire, WireProtocols.STANDARD);
        assertThat(protocol).isNotNull();
        Malformed<?> error = ValueDiagnosis.explain(
                wire, protocol.symbol(), (Malformed<?>) protocol.codec().decode(wire, DecodeOptions.LENIENT));
        assertThat(error.code()).isEqualTo(nearMiss.code());
        assertThat(error.offset()).isEqualTo(nearMiss.offset());
        assertThat(error.detail()).contains(nearMiss.detail());
    }
}
