package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.LinearTime;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.RecordDecodeResult.Undecodable;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text inside a value that is nearly a message: its protocol, its error at its byte, and its claims. */
class InnerAttemptTest {
    private static final String QUERY = "CSP/1\nFROM: A\nTO B\nCTX C0\nINTENT QUERY\n\nQUERY Q1";
    private static final String PACKET = "{'type':'STATE','payload':'000110','meta':{'agent':'B','session':'s-1'}}";

    /** A value in which the byte before the mark ‸ is not wrong, and the byte after it is. */
    record Attempt(String marked, String protocol, Code code, String sender, String detail) {
        String value() {
            return marked.replace("‸", "");
        }

        int offset() {
            return marked.substring(0, marked.indexOf('‸')).getBytes(UTF_8).length;
        }
    }

    static Stream<Attempt> attempts() {
        return Stream.of(
                slip("Here:\n```\n@‸A3|F0|C1|S2|D1|T1#\n```\nThanks!", Code.SLIP_MISSING_HEADER, "starts at byte 10."),
                slip("`@‸A3|F0|C1|S2|D1|T1#` is it", Code.SLIP_MISSING_HEADER, "in lower case"),
                slip("<think>a b</think>\n@a3‸ | f0 | c1 | S2 | d1 | T1#", Code.SLIP_WHITESPACE, "inside quotes"),
                slip("Sure! @‸A3|F0|C1|S2|D1|T1|t\"a#b\"# Thanks", Code.SLIP_MISSING_HEADER, "in lower case"),
                new Attempt(
                        "THOUGHT: The coordinator asks for a review.\nQUANTIZE: [ACTION=request | DOMAIN=task] -> RequestReview\n"
                                + "SLIP: ‸SLIP v1 coordinator reviewer RequestReview auth",
                        "SLIP",
                        Code.SLIP_VERSION,
                        "key",
                        "text protocol"),
                new Attempt(
                        "THOUGHT: ask\nQUANTIZE: a\n‸SLIP v1 a b RequestReview",
                        "SLIP",
                        Code.SLIP_VERSION,
                        "key",
                        "SLIP v"),
                slip("Größe:\n@a3|f0|c1|S2|d1|T1‸", Code.SLIP_UNTERMINATED, "end with '#'"),
                slip(
                        "{\"role\":\"assistant\",\"content\":\"@‸A3|F0|C1|S2|D1|T1#\"}",
                        Code.SLIP_MISSING_HEADER,
                        "in lower case"),
                slip(
                        "{'role':'assistant','content':'@‸A3|F0|C1|S2|D1|T1#'}",
                        Code.SLIP_MISSING_HEADER,
                        "in lower case"),
                slip(
                        "{\"role\":\"assistant\",\"content\":‸\"Sure!\\n\\n@A3|F0|C1|S2|D1|T1#\"}",
                        Code.SLIP_MISSING_HEADER,
                        "Byte 8 of the string's text"),
                slip(
                        "{\"text\":‸\"{\\\"content\\\":\\\"@A3|F0|C1|S2|D1|T1#\\\"}\"}",
                        Code.SLIP_MISSING_HEADER,
                        "Byte 13 of the string's text"),
                slip(
                        "{\"text\":‸\"Sure:\\n@A3|F0|C1|S2|D1|T1#",
                        Code.SLIP_MISSING_HEADER,
                        "Byte 7 of the string's text"),
                new Attempt(
                        "{\"text\":‸\"Ask @bob c5 S7 first:\\n@a3,f0,c1,S2,d1\"}",
                        "SLIP",
                        Code.SLIP_BAD_INT,
                        "2",
                        "string's text"),
                slip("{\"text\":\"Hi: @a3|f0|c1|S2|d1|T1‸\"}", Code.SLIP_UNTERMINATED, "starts at byte 13."),
                lambda("{\"text\":\"Sure. !‸ Ik/co\"}", "White space follows a type"),
                slip("Ask:\n‸a3, f0, c1, S2, d1", Code.SLIP_NO_START, "'@' before the act"),
                subit("Sure!\n{‸" + PACKET.substring(1), "single quotes"),
                subit("```json\n{‸" + PACKET.substring(1) + "\n```", "single quotes"),
                csp("```\nCSP/1\nFROM‸: A" + QUERY.substring(13) + "\n```", "Line 2: a colon follows FROM"),
                csp("Use `CSP/1\nFROM‸: A" + QUERY.substring(13) + "` is it", "Line 2: a colon follows FROM"),
                csp("Sure:\nCSP/1\nFROM‸: A" + QUERY.substring(13) + "\n\nDone.", "Line 2: a colon follows FROM"),
                csp(
                        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"type\":\"t\",\"data\":‸\""
                                + QUERY.replace("\n", "\\n") + "\"}",
                        "Byte 10 of the string's text: Line 2: a colon follows FROM. Send only this text."),
                csp("Sure:\nCSP/1\nFROM A ‸TO B" + QUERY.substring(17), "TO must be on a line of its own"),
                new Attempt("Use:\n‸CSP/1 MODE;!prose;DATA ONLY", "CSP", Code.CSP_TEMPLATE, "key", "prompt template"),
                lambda("Sure. !‸ Ik/co", "White space follows a type"),
                lambda("Sure!\n‸PRV: !Ik/co", "A trust prefix must be"),
                lambda("Sure!\n‸@V0.6 !Ik/co", "must be @v0.6"),
                new Attempt("Done:\n!Ik/co{x:1‸", "LAMBDA", Code.LAMBDA_UNBALANCED, "key", ""));
    }

    private static Attempt slip(String marked, Code code, String detail) {
        return new Attempt(marked, "SLIP", code, "2", detail);
    }

    private static Attempt subit(String marked, String detail) {
        return new Attempt(marked, "SUBIT", Code.SUBIT_NOT_JSON, "B", detail);
    }

    private static Attempt csp(String marked, String detail) {
        return new Attempt(marked, "CSP", Code.CSP_MISSING_HEADER, "A", detail);
    }

    private static Attempt lambda(String marked, String detail) {
        return new Attempt(marked, "LAMBDA", Code.LAMBDA_MALFORMED, "key", detail);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("attempts")
    void anAttemptInOtherTextHasItsErrorAndItsClaims(Attempt attempt) {
        for (String named : new String[] {"", attempt.protocol()}) {
            // A text that Λ can read is a message if the header names Λ.
            if (!named.equals("LAMBDA") || attempt.code() == Code.LAMBDA_UNBALANCED) {
                Undecodable error = (Undecodable) decode(attempt.value(), named);
                assertThat(error.code()).as(error.detail()).isEqualTo(attempt.code());
                assertThat(error.claims().getProtocol()).isEqualTo(attempt.protocol());
                assertThat(error.claims().getSender()).isEqualTo(attempt.sender());
                assertThat(error.position()).isEqualTo(attempt.offset());
                assertThat(error.detail()).contains(attempt.detail());
                assertThat(error.inner()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sure:\nCSP/1 is a protocol.",
                "We use CSP/1.\nFROM here on",
                "The status: On/off",
                "x =\n{a:1",
                "Hi\n@alice|bob",
                "{\"version\":\"v0.6\"}",
                "{\"version\":\"v1.2\"}",
                "{\"cell\":\"A1/F1\"}",
                "Moves: a4, f5",
                "Moves:\na4, f5, c6",
                "Sure:\nCSP/1 is a protocol.\nFrom now on, use it.",
                "Sure:\nCSP/1\nFrom now on, use it\nto win.",
                "Sure:\nCSP/1 has keys.\n\nOf them,\nFROM A\nTO B",
                "Options:\na3, please, f0 next",
                "{\"log\": {\"type\":\"ERROR\",\"message\":\"x\"}}",
                "[{\"type\":\"ERROR\",\"payload\":{\"message\":\"x\"}}]",
                "{\"a\":\"STATE of the art\",\"b\":\"plan 01\"}",
                "Run:\n./a/b\n?a=b&c=d",
                "Note: !important: a/b",
                "{\"a\":\"{\\\"b\\\":\\\"@bob/x\\\"}\"}",
                "\"",
                "{\"a\":\"\\",
                "`"
            })
    void otherTextIsNoAttempt(String value) {
        assertThat(decode(value, "")).isInstanceOfSatisfying(Undecodable.class, error -> {
            assertThat(error.code()).as(error.detail()).isEqualTo(Code.UNKNOWN_PROTOCOL);
            assertThat(error.claims().getProtocol()).isEqualTo("UNKNOWN");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"",
                "\"",
                ":\"",
                ":\"\\\"",
                ":\"a\\nb\"",
                "\\\"",
                "```\n",
                "`",
                "`CSP",
                "`CSP/1",
                "`FROM ",
                ": FROM A",
                "\nFROM A\nTO B",
                "\nCSP/1",
                "CSP/1\nFROM: ",
                ". !a/b",
                ", @a3 |f0",
                "'!a",
                "*!a",
                "\n{'type':'STATE','payload':",
                "\n{'act':'frame'",
                "@A3|F0|",
                "\n@a3,f0",
                "\n! Ik/co",
                "！",
                "\n— a"
            })
    void theCostOfAnyValueIsLinear(String piece) {
        for (String tail : new String[] {"", "\"", "#"}) {
            LinearTime.check(
                    piece + " and " + tail,
                    size -> LinearTime.repeated("", piece, tail, size),
                    value -> InnerMessages.in(value, WireProtocols.STANDARD, DecodeOptions.LENIENT, true));
        }
        for (String tail : new String[] {" ", "\nTO ", "x"}) {
            LinearTime.check(
                    piece + " half, and " + tail,
                    size -> LinearTime.repeated(piece.repeat(size / 2 / piece.length()), tail, "", size),
                    value -> InnerMessages.in(value, WireProtocols.STANDARD, DecodeOptions.LENIENT, true));
        }
    }

    private static RecordDecodeResult decode(String value, String named) {
        Source source = new Source("parley.wire", 0, 0L, Instant.EPOCH, null);
        RecordHeaders headers = RecordHeaders.of(
                Map.of(RecordHeaders.PROTOCOL, named.getBytes(UTF_8), RecordHeaders.SENDER, "key".getBytes(UTF_8)));
        return ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of())
                .decode(new WireRecord(source, "k".getBytes(UTF_8), value.getBytes(UTF_8), headers));
    }
}
