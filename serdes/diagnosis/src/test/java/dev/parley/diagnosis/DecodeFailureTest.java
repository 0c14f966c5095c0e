package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.decode.DecodeFailure;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reason why a value is not one message: its code, the byte, and what its author can do. */
class DecodeFailureTest {
    private static final WireProtocols PROTOCOLS = WireProtocols.STANDARD;
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1#";
    private static final String PACKET = "{\"type\":\"STATE\",\"payload\":\"000110\"}";
    private static final String TASK = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x";
    private static final String RESULT =
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA x";

    record Failure(String value, String named, String protocol, Code code, int offset, String detail) {}

    private static Failure unnamed(String value, String protocol, Code code, int offset, String detail) {
        return new Failure(value, null, protocol, code, offset, detail);
    }

    static Stream<Failure> failures() {
        String structures = "the bytes have the structure of no protocol; send one message alone";
        return Stream.of(
                // No message.
                unnamed("hello", null, Code.UNKNOWN_PROTOCOL, 0, structures),
                unnamed("{\"a\":1}", null, Code.UNKNOWN_PROTOCOL, 0, "this is JSON of no protocol"),
                unnamed("<p>hello</p>", null, Code.UNKNOWN_PROTOCOL, 0, "this is text with tags"),
                // One message inside the value: the offset is that of the first byte that is not part of it.
                unnamed(
                        "Hi!\n" + SLIP,
                        "SLIP",
                        Code.WRAPPED_MESSAGE,
                        0,
                        "a message is in bytes 4 to 22 (SLIP); send only" + " these bytes"),
                new Failure(
                        "<+ (I agree)",
                        "lambda",
                        "LAMBDA",
                        Code.WRAPPED_MESSAGE,
                        3,
                        "a message is in bytes 0 to 1 (LAMBDA)"),
                new Failure(
                        "<ctx 👍",
                        "lambda",
                        "LAMBDA",
                        Code.WRAPPED_MESSAGE,
                        5,
                        "a message is in bytes 0 to 3 (LAMBDA)"),
                new Failure(
                        "<? (what)",
                        "lambda",
                        "LAMBDA",
                        Code.WRAPPED_MESSAGE,
                        3,
                        "a message is in bytes 0 to 1 (LAMBDA)"),
                new Failure(
                        "<+.", "lambda", "LAMBDA", Code.WRAPPED_MESSAGE, 2, "a message is in bytes 0 to 1 (LAMBDA)"),
                new Failure(
                        "Answer: <+ (I agree)",
                        "lambda",
                        "LAMBDA",
                        Code.WRAPPED_MESSAGE,
                        0,
                        "a message is in bytes 8 to 9 (LAMBDA)"),
                unnamed("Sure:\n!Ik/co", "LAMBDA", Code.WRAPPED_MESSAGE, 0, "a message is in bytes 6 to 11 (LAMBDA)"),
                new Failure(
                        "Answer: \r\n!Ik/co",
                        "lambda",
                        "LAMBDA",
                        Code.WRAPPED_MESSAGE,
                        0,
                        "a message is in bytes 10 to 15"),
                unnamed("`" + TASK + "`", "CSP", Code.WRAPPED_MESSAGE, 0, "a message is in bytes 1 to 51 (CSP)"),
                new Failure(
                        "Hi!\n@A3|F0|c1",
                        "slip",
                        "SLIP",
                        Code.SLIP_UNTERMINATED,
                        13,
                        "The message must end with '#'. Send only the message, which starts at byte 4."),
                new Failure(
                        "Hi!\n@A3|F0|c1",
                        "csp",
                        "CSP",
                        Code.CSP_NOT_CSP,
                        0,
                        "The first line of a message must be CSP/1."),
                unnamed(" \nHi!\n" + SLIP, "SLIP", Code.WRAPPED_MESSAGE, 2, "a message is in bytes 6 to 24 (SLIP)"),
                unnamed(SLIP + " \r\n\tBye", "SLIP", Code.WRAPPED_MESSAGE, 23, "a message is in bytes 0 to 18 (SLIP)"),
                unnamed(" " + SLIP + "\0", "SLIP", Code.WRAPPED_MESSAGE, 20, "a message is in bytes 1 to 19 (SLIP)"),
                unnamed(
                        "\"" + SLIP.replace("#", "|t\\\"x\\\"#") + "\"",
                        "SLIP",
                        Code.WRAPPED_MESSAGE,
                        0,
                        "a message is in bytes 0 to 27 (SLIP, in a JSON string); send only its text, in UTF-8 without that"
                                + " encoding"),
                // Several.
                unnamed(
                        (SLIP + "\n").repeat(4),
                        "SLIP",
                        Code.SEVERAL_MESSAGES,
                        20,
                        "messages are in bytes 0 to 18 (SLIP), 20 to 38 (SLIP), 40 to 58 (SLIP), 60 to 78 (SLIP); send"
                                + " each in a record of its own"),
                unnamed(
                        "Hi!\n" + (SLIP + "\n").repeat(5),
                        "SLIP",
                        Code.SEVERAL_MESSAGES,
                        0,
                        "messages are in bytes 4 to 22 (SLIP), 24 to 42 (SLIP), 44 to 62 (SLIP), 64 to 82 (SLIP), and"
                                + " more; send each in a record of its own"),
                unnamed(
                        "x: !Ik/co\n" + PACKET,
                        "LAMBDA",
                        Code.SEVERAL_MESSAGES,
                        0,
                        "messages are in bytes 3 to 8 (LAMBDA)"),
                // What starts as a message is one with an error, although others are inside.
                unnamed("@a3|f0|c1|S0\n" + SLIP, "SLIP", Code.SLIP_WHITESPACE, 12, ""),
                unnamed(
                        "{\"type\":\"STATE\",\"payload\":\"0\",\"x\":\"" + SLIP + "\"}",
                        "SUBIT",
                        Code.SUBIT_PAYLOAD_LENGTH,
                        26,
                        ""),
                // A prefix in another form, on the line of the message.
                unnamed("PRV: !Ik/co", "LAMBDA", Code.LAMBDA_MALFORMED, 0, "A trust prefix must be pub:"),
                unnamed("A: PRV:\n!Ik/co", "LAMBDA", Code.LAMBDA_MALFORMED, 0, "A trust prefix must be pub:"),
                unnamed("[prv]\n!Ik/co", "LAMBDA", Code.LAMBDA_MALFORMED, 0, "A trust prefix must be pub:"),
                new Failure(
                        "[prv] !Ik/co", "lambda", "LAMBDA", Code.LAMBDA_MALFORMED, 0, "A trust prefix must be pub:"),
                new Failure(
                        "<prv>!Ik/co</prv>",
                        "lambda",
                        "LAMBDA",
                        Code.LAMBDA_MALFORMED,
                        1,
                        "A trust prefix must be pub:"),
                new Failure(
                        ".Uf/<task>",
                        "lambda",
                        "LAMBDA",
                        Code.LAMBDA_MALFORMED,
                        4,
                        "This is a placeholder of a template."),
                unnamed("!er:{{code}}", "LAMBDA", Code.LAMBDA_MALFORMED, 4, "This is a placeholder of a template."),
                // A message of another protocol than the named one.
                new Failure(
                        " " + PACKET + "\n",
                        "csp",
                        "CSP",
                        Code.CSP_NOT_CSP,
                        1,
                        "the value is a message of SUBIT, but the header or topic names CSP"),
                new Failure(
                        " " + SLIP + " ",
                        "lambda",
                        "LAMBDA",
                        Code.LAMBDA_MALFORMED,
                        1,
                        "the value is a message of SLIP, but the header or topic names LAMBDA"),
                new Failure(
                        "Hi!\n" + SLIP, "csp", "SLIP", Code.WRAPPED_MESSAGE, 0, "a message is in bytes 4 to 22 (SLIP)"),
                new Failure("Hi!\n" + SLIP, "lambda", "SLIP", Code.WRAPPED_MESSAGE, 0, "a message is in bytes 4 to 22"),
                new Failure(
                        "csp/1",
                        "slip",
                        "SLIP",
                        Code.SLIP_NO_START,
                        0,
                        "An nSLIP message must start with '@'. The value looks like a message of CSP, but the header or topic"
                                + " names SLIP."),
                new Failure(
                        "{\"a\":1}",
                        "csp",
                        "CSP",
                        Code.CSP_NOT_CSP,
                        0,
                        "This is a JSON object. A CSP/1 message has lines."
                                + " Perhaps this is JSON of no protocol; send a message of a protocol."),
                new Failure("hello", "csp", "CSP", Code.CSP_NOT_CSP, 0, "The first line of a message must be CSP/1."),
                new Failure("csp/1\n", "csp", "CSP", Code.CSP_NOT_CSP, 0, "Line 1 must be exactly CSP/1."),
                // A message before a token of a chat template.
                unnamed(TASK + "</s>", "CSP", Code.WRAPPED_MESSAGE, 51, "a message is in bytes 0 to 50 (CSP)"),
                new Failure(
                        "\n" + TASK + "\n<|im_end|>\n",
                        "csp",
                        "CSP",
                        Code.WRAPPED_MESSAGE,
                        53,
                        "a message is in bytes 1 to 51 (CSP)"),
                unnamed(RESULT + "</message>", "CSP", Code.WRAPPED_MESSAGE, RESULT.length(), "a message is in bytes 0"),
                unnamed("Hi!\n" + TASK + "[/INST]", "CSP", Code.WRAPPED_MESSAGE, 0, "a message is in bytes 4 to 54"),
                unnamed(
                        "Hi!\n" + TASK + "<end_of_turn>",
                        "CSP",
                        Code.WRAPPED_MESSAGE,
                        0,
                        "a message is in bytes 4 to 54"),
                // A line that starts a message of another protocol, in a value of several lines.
                unnamed(
                        TASK + "\n@a3|f0|c1",
                        "CSP",
                        Code.CSP_MULTIPLE_BODIES,
                        TASK.length() + 1,
                        "This line starts a message of SLIP. Send each message in a record of its own; indent a line that"
                                + " belongs to a value."),
                unnamed(
                        TASK + "\n" + SLIP,
                        "CSP",
                        Code.SEVERAL_MESSAGES,
                        TASK.length() + 1,
                        "messages are in bytes 0 to 50 (CSP), 52 to 70 (SLIP)"),
                unnamed(
                        RESULT + "\n" + SLIP,
                        "CSP",
                        Code.SEVERAL_MESSAGES,
                        RESULT.length() + 1,
                        "messages are in bytes 0 to "));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void theReasonHasACodeAByteAndARemedy(Failure expected) {
        DecodeFailure failure = failure(expected.value(), expected.named());
        assertThat(failure.code()).as(failure.detail()).isEqualTo(expected.code());
        assertThat(failure.protocol() == null ? null : failure.protocol().name())
                .isEqualTo(expected.protocol());
        assertThat(failure.detail()).startsWith(expected.detail());
        assertThat(failure.offset()).isEqualTo(expected.offset());
        boolean inner = failure.code() == Code.WRAPPED_MESSAGE || failure.code() == Code.SEVERAL_MESSAGES;
        assertThat(failure.inner().isEmpty()).isEqualTo(!inner);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TASK,
                RESULT,
                TASK + "\nand more",
                TASK + "\n  @a3|f0|c1",
                TASK + "\n!now",
                RESULT + "\n@a3|f0|c1",
                RESULT + "\n\n!Ik"
            })
    void aMessageWithLinesOfOtherTextIsOneMessage(String value) {
        assertThat(failure(value, null)).isNull();
        assertThat(failure(value, "csp")).isNull();
    }

    @Test
    void aBlankValueIsEmpty() {
        assertThat(DecodeFailure.ofBlank(new byte[0]).detail()).isEqualTo("the value is empty");
        assertThat(DecodeFailure.ofBlank(" \n".getBytes(UTF_8)).detail())
                .isEqualTo("the value contains only white space");
        assertThat(DecodeFailure.ofBlank(" x".getBytes(UTF_8))).isNull();
    }

    /** Its cause would be one of the text before it. */
    @Test
    void anErrorBehindWhatIsDiagnosedKeepsItsCodeAndPlace() {
        String text = "x".repeat(ValueDiagnosis.MAX_DIAGNOSED);
        for (String value : new String[] {
            "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"note\":\"" + text + "\"}",
            "@a3|f0|c1|S0|d1|T1|t\"" + text,
            "!Ik/co {note=\"" + text
        }) {
            byte[] wire = value.getBytes(UTF_8);
            WireProtocol<?> protocol = PROTOCOLS.evident(wire);
            DecodeResult.Malformed<?> error =
                    (DecodeResult.Malformed<?>) protocol.codec().decode(wire, DecodeOptions.LENIENT);
            DecodeFailure failure = failure(value, null);
            assertThat(failure.code()).isEqualTo(error.code());
            assertThat(failure.offset()).isEqualTo(error.offset());
        }
    }

    /** The failure of a value, as the decoder of records finds it. */
    private static DecodeFailure failure(String text, String named) {
        byte[] value = text.getBytes(UTF_8);
        WireProtocol<?> protocol = named == null ? ValueDiagnosis.detect(value, PROTOCOLS) : PROTOCOLS.named(named);
        DecodeResult<?> result = protocol == null ? null : protocol.codec().decode(value, DecodeOptions.LENIENT);
        return new ValueDiagnosis(PROTOCOLS, DecodeOptions.LENIENT)
                .failure(value, protocol, named != null, false, result);
    }
}
