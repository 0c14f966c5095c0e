package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Claims;
import dev.parley.avro.InnerMessage;
import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Rounds;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests decoding a record into a message in its envelope. */
class MessageDecoderTest {
    private static final String SLIP = "@a3|f0|c7|S0|d1|T1|k1#";
    private static final String CSP_TASK = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x";
    private static final String CSP_RESULT =
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA x";
    private static final String CSP = "CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT QUERY\n\nQUERY Q1";
    private static final String SUBIT = "{\"type\":\"STATE\",\"payload\":\"000110\"}";
    private static final String LAMBDA = "!Ik";
    private static final String MCP = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final byte[] NO_UTF8 = {'x', (byte) 0xFF};

    private final Map<String, byte[]> headers = new HashMap<>();
    private DecodeOptions options = DecodeOptions.LENIENT;
    private String topic = "wire";
    private byte[] key;

    @Test
    void theEnvelopeContainsInputPositionAndProtocol() throws Exception {
        AgentMessage message = message(SLIP);
        assertThat(message.getMessageId()).isEqualTo("wire-3-41");
        assertThat(message.getSource()).isEqualTo(new Source("wire", 3, 41L, Instant.ofEpochMilli(1_700), null));
        assertThat(message.getNamespace()).isEqualTo("default");
        assertThat(message.getProtocol()).isEqualTo(Protocol.SLIP.name());
        assertThat(message.getConversation()).isEqualTo("7");
        assertThat(message.getSender()).isEqualTo("0");
        assertThat(message.getRecipients()).containsExactly("1");
        assertThat(message.getPerformative()).isEqualTo(Performative.REQUEST.name());
        assertThat(message.getRaw()).isEqualTo(ByteBuffer.wrap(SLIP.getBytes(UTF_8)));
        assertThat(message.getSha256())
                .isEqualTo(ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(SLIP.getBytes(UTF_8))));
        assertThat(message.getSlip()).isNotNull();
        assertThat(message.getSubit()).isNull();
        assertThat(message.getCsp()).isNull();
        assertThat(message.getLambda()).isNull();
    }

    @Test
    void theEnvelopeContainsReplyToAndReferences() {
        AgentMessage task = message("@a3|f0|c7|S0|d1|T1|g4|k2#");
        assertThat(task.getReplyTo()).isNull();
        assertThat(task.getReferences()).containsExactly(new Reference("goal", "4"), new Reference("task", "2"));
        key = "k".getBytes(UTF_8);
        AgentMessage reply = message("@v0.6#h< !Ic/la=0.6");
        assertThat(reply.getReplyTo()).isEqualTo("h");
    }

    @ParameterizedTest
    @ValueSource(strings = {SLIP, CSP, SUBIT, LAMBDA, MCP})
    void theTraceOfTheHeaderIsTheFirstReferenceInEachProtocol(String wire) {
        key = "k".getBytes(UTF_8);
        List<Reference> others = message(wire).getReferences();
        header(RecordHeaders.TRACEPARENT, "00-1-2-01");
        assertThat(message(wire).getReferences())
                .as("an invalid one is ignored")
                .isEqualTo(others);
        header(RecordHeaders.TRACEPARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        List<Reference> all = message(wire).getReferences();
        assertThat(all.get(0)).isEqualTo(new Reference("trace", "4bf92f3577b34da6a3ce929d0e0e4736"));
        assertThat(all.subList(1, all.size())).isEqualTo(others);
    }

    @Test
    void theTraceThatAMessageNamesCountsBeforeThatOfTheHeader() {
        key = "k".getBytes(UTF_8);
        header(RecordHeaders.TRACEPARENT, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        String named = MCP.replace("}", ",\"params\":{\"_meta\":{\"traceparent\":\"%s\"}}}");
        assertThat(message(named.formatted("00-00000000000000000000000000000001-00f067aa0ba902b7-01"))
                        .getReferences())
                .containsExactly(new Reference("trace", "00000000000000000000000000000001"));
        assertThat(message(named.formatted("none")).getReferences())
                .containsExactly(new Reference("trace", "4bf92f3577b34da6a3ce929d0e0e4736"));
    }

    @Test
    void oneDecoderHashesOneMessageAfterTheOther() {
        MessageDecoder decoder = decoder();
        ByteBuffer first = ((RecordDecodeResult.Message) decoder.decode(record(SLIP.getBytes(UTF_8))))
                .message()
                .getSha256();
        decoder.decode(record("nothing".getBytes(UTF_8)));
        ByteBuffer again = ((RecordDecodeResult.Message) decoder.decode(record(SLIP.getBytes(UTF_8))))
                .message()
                .getSha256();
        assertThat(again).isEqualTo(first);
        assertThat(first.remaining()).isEqualTo(32);
    }

    @Test
    void theProtocolHeaderTakesPrecedence() {
        topic = "parley.wire.csp";
        header(RecordHeaders.PROTOCOL, "NSLIP");
        assertThat(message(SLIP).getProtocol()).isEqualTo(Protocol.SLIP.name());
        assertFault(CSP, Code.SLIP_NO_START, Protocol.SLIP);
    }

    @Test
    void theTopicTakesPrecedenceOverTheBytes() {
        topic = "parley.wire.csp";
        assertFault(SLIP, Code.CSP_NOT_CSP, Protocol.CSP);
    }

    @Test
    void withoutHeaderAndTopicTheFirstBytesDecide() {
        key = "k".getBytes(UTF_8);
        assertThat(message(SLIP).getProtocol()).isEqualTo(Protocol.SLIP.name());
        assertThat(message(CSP).getProtocol()).isEqualTo(Protocol.CSP.name());
        assertThat(message(SUBIT).getProtocol()).isEqualTo(Protocol.SUBIT.name());
        assertThat(message(LAMBDA).getProtocol()).isEqualTo(Protocol.LAMBDA.name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\uFEFF"})
    void aRecordWithoutABodyMayHaveAnInvalidHeader(String value) {
        header(RecordHeaders.PROTOCOL, "mcp");
        header("parley-capture", "end");
        header("parley-direction", "up");
        assertFault(value, Code.BAD_HEADER, Protocol.MCP);
    }

    @Test
    void anEmptyProtocolHeaderCountsAsAbsent() {
        header(RecordHeaders.PROTOCOL, "");
        assertThat(message(SLIP).getProtocol()).isEqualTo(Protocol.SLIP.name());
    }

    @Test
    void aHeaderWithAnUnknownProtocolIsReportedWithTheAllowedOnes() {
        header(RecordHeaders.PROTOCOL, "smtp");
        topic = "parley.wire.csp";
        RecordDecodeResult.Undecodable fault = assertFault(CSP, Code.UNKNOWN_PROTOCOL, Protocol.CSP);
        assertThat(fault.detail()).contains("mcp", "slip", "subit", "csp", "lambda");
        assertThat(fault.position()).isZero();
    }

    @Test
    void aMessageWithAnUnknownProtocolHeaderClaimsItsNames() {
        header(RecordHeaders.PROTOCOL, "SLIP/0.1");
        header(RecordHeaders.CONVERSATION, "header");
        assertThat(assertFault("@a3|f0|c9|S4|d7|T1|k5#", Code.UNKNOWN_PROTOCOL, Protocol.SLIP)
                        .claims())
                .isEqualTo(new Claims("SLIP", "default", "9", "4"));
        assertThat(assertFault("@a3 | f0 | c9 | S4", Code.UNKNOWN_PROTOCOL, Protocol.SLIP)
                        .claims())
                .isEqualTo(new Claims("SLIP", "default", "9", "4"));
        assertThat(assertFault("hello", Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN).claims())
                .isEqualTo(new Claims("UNKNOWN", "default", "header", null));
    }

    @Test
    void aDetailQuotesHeadersShort() {
        header(RecordHeaders.PROTOCOL, "ab" + "x".repeat(4_000));
        RecordDecodeResult.Undecodable fault = assertFault(CSP, Code.UNKNOWN_PROTOCOL, Protocol.CSP);
        assertThat(fault.detail()).contains("'abxx").hasSizeLessThan(250);
    }

    @Test
    void undetectedBytesAreADecodeError() {
        RecordDecodeResult.Undecodable fault = assertFault("hello", Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN);
        assertThat(fault.detail())
                .startsWith("the bytes have the structure of no protocol; send one message alone, such as @a3|f0|c1")
                .endsWith("or name the protocol by header parley-protocol or the topic");
    }

    @ParameterizedTest
    @CsvSource({
        "&lt;-, byte 0 starts an entity",
        "<p>STATE of things</p>, text with tags",
        "\u200Bhello, an invisible character is at byte 0",
        "\u00A0hello, an invisible character is at byte 0",
        "%40a3%7Cf0%7Cc1, byte 0 starts an escape",
        "message=CSP%2f1, byte 11 starts an escape",
        "'act: request\nto: a3', this is YAML",
        "'---\ntask: 1', this is YAML"
    })
    void aFormThatAnAuthorDoesNotSeeIsNamed(String value, String detail) {
        assertThat(assertFault(value, Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN).detail())
                .contains(detail);
        header(RecordHeaders.PROTOCOL, "csp");
        assertThat(assertFault(value, Code.CSP_NOT_CSP, Protocol.CSP).detail()).contains(detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Note: please\nread this", "100% of it"})
    void proseIsNoForm(String value) {
        assertThat(assertFault(value, Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN).detail())
                .startsWith("the bytes have the structure of no protocol");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1f8b0800", "28b52ffd24"})
    void aCompressedValueIsNamed(String start) {
        RecordDecodeResult result = decoder().decode(record(HexFormat.of().parseHex(start)));
        assertThat(((RecordDecodeResult.Undecodable) result).detail()).startsWith("the value is compressed");
    }

    @ParameterizedTest
    @CsvSource({
        "'<think>The user asks.</think>\n!Ik/co', WRAPPED_MESSAGE, bytes 30 to 35",
        "'<|im_start|>assistant\n!Ik/co<|im_end|>', WRAPPED_MESSAGE, bytes 22 to 27",
        "'!Ik/co\n\nLet me know if you need anything else!', WRAPPED_MESSAGE, bytes 0 to 5",
        "'@a4|f1|c40|S1|d0|T1D|k2#', LAMBDA_MALFORMED, is a message of SLIP",
        "'{\"type\":\"STATE\",\"payload\":\"000110\"}', LAMBDA_MALFORMED, is a message of SUBIT"
    })
    void aMessageInNoiseIsNotReadAsLambdaBecauseTheHeaderNamesIt(String value, Code code, String detail) {
        header(RecordHeaders.PROTOCOL, "lambda");
        assertThat(assertFault(value.replace("\\n", "\n"), code, Protocol.LAMBDA)
                        .detail())
                .contains(detail);
    }

    @ParameterizedTest
    @CsvSource({
        "! Ik / co, The value has no structure of Λ",
        "'{\"jsonrpc\":\"2.0\",\"method\":\"message/send\"}', Perhaps this is JSON-RPC 2.0"
    })
    void aTextThatIsUnlikelyToBeLambdaHasARemark(String value, String remark) {
        header(RecordHeaders.PROTOCOL, "lambda");
        header(RecordHeaders.CONVERSATION, "k");
        RecordDecodeResult.Message decoded = decode(value);
        assertThat(decoded.warnings()).contains(Code.LAMBDA_UNLIKELY);
        assertThat(decoded.remark()).startsWith(remark);
    }

    @ParameterizedTest
    @CsvSource({
        "@v0.6 !I think we should wait for the tests to pass., The value has no structure of Λ",
        "'@v0.6 {\"role\":\"assistant\",\"content\":\"hi\"}', The value has no structure of Λ",
        "@v0.6 ! Ik/co, Byte 7: White space follows a type."
    })
    void aHeaderNamesLambdaWhateverFollowsIt(String value, String remark) {
        header(RecordHeaders.CONVERSATION, "k");
        RecordDecodeResult.Message decoded = decode(value);
        assertThat(decoded.warnings()).containsExactly(Code.LAMBDA_UNLIKELY);
        assertThat(decoded.remark()).startsWith(remark);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CSP/1 | FROM worker 1 | TO MAIN | CTX C1 | INTENT TASK",
                "CSP/1 FROM worker 1 TO MAIN CTX C1 INTENT TASK",
                "{\"version\":\"CSP/1\",\"From\" : \"worker 1\",\"to\":\"MAIN\"}"
            })
    void theSenderIsClaimedFromOneLineAndFromAnObject(String value) {
        assertThat(assertFault(value, Code.CSP_NOT_CSP, Protocol.CSP).claims().getSender())
                .isEqualTo("worker 1");
    }

    @Test
    void theNamesInEscapedOrUpperCaseJsonAreClaimed() {
        String packet = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"agent\":\"A\",\"session\":\"s\"}}";
        assertThat(assertFault(packet.replace("\"", "\\\""), Code.SUBIT_NOT_JSON, Protocol.SUBIT)
                        .claims())
                .isEqualTo(new Claims("SUBIT", "default", "s", "A"));
        assertThat(assertFault("{\"FROM\":\"ann\",\"TO\":\"bob\",\"CTX\":\"C0\"}", Code.CSP_NOT_CSP, Protocol.CSP)
                        .claims()
                        .getSender())
                .isEqualTo("ann");
    }

    @Test
    void anEscapedPacketInAStringIsWrapped() {
        String packet = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s\"}}";
        String escaped = packet.replace("\"", "\\\"");
        assertFault("{\"msg\":\"" + escaped + "\"}", Code.WRAPPED_MESSAGE, Protocol.SUBIT);
        assertFault(
                "{\"name\":\"send\",\"arguments\":\"{\\\"text\\\":" + escaped + "}\"}",
                Code.WRAPPED_MESSAGE,
                Protocol.SUBIT);
    }

    @Test
    void theKeysOfWarningsOfCspAreNamed() {
        key = "k".getBytes(UTF_8);
        String task = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x\nIN y\nOUT z\nOWNER B\n";
        assertThat(decode(task + "PRIORITY P1").remark()).isNull();
        assertThat(decode(task + "PRIOTITY P1").remark())
                .isEqualTo("Not defined here: PRIOTITY. Missing in the block: PRIORITY.");
        assertThat(decode(task.replace("CTX", "REPLY x\nCTX").replace("T1", "T1 now") + "A 1\nB 2\nC 3\nPRIORITY P1")
                        .remark())
                .isEqualTo("Not defined here: REPLY, text after the first line of TASK, A, B and more.");
        assertThat(decode("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT FILE\n\nFILEOP PATCH\nCONTENT\n<<<\n>>>")
                        .remark())
                .isEqualTo("Missing in the block: the operation after the ID, PATH, BASE.");
        assertThat(decode("CSP/1\nFROM A\nTO B\nCTX C0\nINTENT MEM\nX 1\n\nMEM M1\nY 2")
                        .remark())
                .isEqualTo("Not defined here: X.");
        assertThat(decode(
                                "CSP/1\nFROM A, B\nTO C, [D]\nCTX C0\nINTENT PATCH\n\nPATCH P1.\nBASE C0\n- DEF X,\nAPPLY -> C1;")
                        .remark())
                .isEqualTo("Names with quotes or punctuation, or several in one: [D], A, B, P1., X, and more.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CSP/1 | FROM | TO MAIN",
                "{\"version\":\"CSP/1\",\"from\":\"a\\u0062\"}",
                "{\"version\":\"CSP/1\",\"from\":7}",
                "{\"version\":\"CSP/1\",\"from\":\"a"
            })
    void aBrokenSenderIsNotClaimed(String value) {
        assertThat(assertFault(value, Code.CSP_NOT_CSP, Protocol.CSP).claims().getSender())
                .isNull();
    }

    @Test
    void aPacketInAnotherObjectIsWrapped() {
        String value = "{\"packet\":{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s\"}}}";
        assertThat(assertFault(value, Code.WRAPPED_MESSAGE, Protocol.SUBIT).detail())
                .contains("bytes 10 to ");
    }

    @Test
    void keysOutsideOfMetaAreNamed() {
        header(RecordHeaders.CONVERSATION, "k");
        RecordDecodeResult.Message decoded =
                decode("{\"type\":\"STATE\",\"payload\":\"000110\",\"agent\":\"a\",\"session\":\"s\",\"x\":1}");
        assertThat(decoded.remark()).isEqualTo("Outside of meta, these keys have no meaning: agent, session.");
    }

    @ParameterizedTest
    @CsvSource({
        "'',the value is empty",
        "' ',the value contains only white space",
        "'\uFEFF',the value contains only white space"
    })
    void aValueWithoutContentIsEmptyWhateverTheHeaderNames(String wire, String detail) {
        header(RecordHeaders.PROTOCOL, "slip");
        assertThat(assertFault(wire, Code.EMPTY_VALUE, Protocol.SLIP).detail()).isEqualTo(detail);
    }

    @Test
    void aMessageOfAnotherProtocolThanTheNamedOneIsNamed() {
        header(RecordHeaders.PROTOCOL, "csp");
        assertThat(assertFault(SLIP, Code.CSP_NOT_CSP, Protocol.CSP).detail())
                .isEqualTo("the value is a message of SLIP, but the header or topic names CSP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@a3|f0|c1|S0", "a3|f0|c1|S0|d1|T1#", "@a3 | f0 | c1"})
    void anAttemptAtAnotherProtocolThanTheNamedOneIsNamed(String wire) {
        header(RecordHeaders.PROTOCOL, "csp");
        RecordDecodeResult.Undecodable fault = assertFault(wire, Code.CSP_NOT_CSP, Protocol.CSP);
        assertThat(fault.detail())
                .endsWith(" The value looks like a message of SLIP, but the header or topic names CSP.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\"}; JSON-RPC 2.0, but no message of MCP",
                "{\"role\":\"user\",\"content\":\"please\"}; chat API; send the text of its content",
                "{\"model\":\"m\",\"messages\":[{\"role\":\"user\"}]}; chat API",
                "{\"name\":\"f\",\"arguments\":{}}; tool call",
                "{\"performative\":\"inform\"}; FIPA ACL",
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"type\":\"t\"}; header content-type",
                "{\"answer\":{\"role\":\"x\",\"content\":\"y\"}}; JSON of no protocol"
            })
    void anotherFormatIsNamedWithARemedy(String wire, String detail) {
        assertThat(assertFault(wire, Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN).detail())
                .contains(detail.strip())
                .endsWith("protocols are mcp, slip, nslip, subit, csp, lambda, λ");
        header(RecordHeaders.PROTOCOL, "csp");
        assertThat(assertFault(wire, Code.CSP_NOT_CSP, Protocol.CSP).detail()).contains(detail.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/x\",\"type\":\"STATE\",\"data\":\"x\"}",
                "{\"type\":\"STATE\",\"source\":\"/x\",\"id\":\"1\",\"specversion\":\"1.0\"}"
            })
    void aCloudEventIsNotAPacketWhateverItsTypeIs(String wire) {
        assertThat(assertFault(wire, Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN).detail())
                .contains("a CloudEvent");
        header(RecordHeaders.PROTOCOL, "subit");
        assertFault(wire, Code.SUBIT_MISSING_FIELD, Protocol.SUBIT);
    }

    @Test
    void theEncodingOfAMessageIsNamed() {
        assertThat(assertFault("\"\\\"" + SLIP + "\\\"\"", Code.WRAPPED_MESSAGE, Protocol.SLIP)
                        .detail())
                .contains("(SLIP, in a JSON string)")
                .endsWith("; send only its text, in UTF-8 without that encoding");
        RecordDecodeResult.Undecodable fault =
                (RecordDecodeResult.Undecodable) decoder().decode(record(SLIP.getBytes(UTF_16LE)));
        assertThat(fault.code()).isEqualTo(Code.WRAPPED_MESSAGE);
        assertThat(fault.detail()).contains("(SLIP, in UTF-16)");
        assertThat(fault.claims().getSender()).isEqualTo("0");
        assertThat(((RecordDecodeResult.Undecodable) decoder().decode(record("hello".getBytes(UTF_16LE)))).detail())
                .startsWith("the value is in UTF-16; send UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {SLIP, "{\"type\":\"STATE\",\n\"payload\":\"000110\"}", "!Ik/co"})
    void aMessageAfterAValueOfSeveralLinesIsASecondOne(String second) {
        for (String first : List.of(CSP_TASK + "\n  and more", CSP_TASK.replace("REQ x", "IN a\nREQ x"), CSP_RESULT)) {
            String wire = first + "\n" + second;
            RecordDecodeResult.Undecodable fault = assertFault(wire, Code.SEVERAL_MESSAGES, Protocol.CSP);
            assertThat(fault.position()).isEqualTo(first.length() + 1);
            assertThat(fault.inner()).hasSize(2);
        }
    }

    @Test
    void aLineThatStartsAMessageOfAnotherProtocolContinuesNoValue() {
        String wire = CSP_TASK + "\n@a3|f0|c1|S0|d1";
        assertThat(assertFault(wire, Code.CSP_MULTIPLE_BODIES, Protocol.CSP).position())
                .isEqualTo(CSP_TASK.length() + 1);
        requireMessage(CSP_TASK + "\n  @a3|f0|c1|S0|d1");
        requireMessage(CSP_TASK + "\n- !Ik/co\n(see a/b)\n{file:line}\n> quoted");
        requireMessage(CSP_RESULT + "\n@a3|f0|c1|S0|d1");
    }

    @Test
    void aLineThatIsAMessageOnlyWithoutTheLinesAfterItIsNamedWithItsProtocol() {
        String start = CSP_TASK.substring(0, CSP_TASK.indexOf("REQ x")) + "IN a\n";
        String wire = start + "!Ik/co\nREQ describe everything that happened yesterday";
        RecordDecodeResult.Undecodable fault = assertFault(wire, Code.CSP_MULTIPLE_BODIES, Protocol.CSP);
        assertThat(fault.position()).isEqualTo(start.length());
        assertThat(fault.detail()).startsWith("This line starts a message of LAMBDA.");
    }

    private void requireMessage(String wire) {
        key = "k".getBytes(UTF_8);
        decode(wire);
    }

    @Test
    void textAfterATaskIsNotPartOfIt() {
        String task = CSP_TASK + "\nIN a\nOUT b\nOWNER B\nPRIORITY P1";
        RecordDecodeResult.Undecodable fault =
                assertFault(task + "\n\nLet me know!", Code.WRAPPED_MESSAGE, Protocol.CSP);
        assertThat(fault.position()).isEqualTo(task.length() + 2);
        assertThat(fault.inner().get(0).getEnd()).isEqualTo(task.length());
    }

    @Test
    void aHeadingBeforeAMessageWrapsIt() {
        for (String heading : List.of("# CSP message\n", "# CSP message\n\n", "## CSP/1 message\n\n")) {
            RecordDecodeResult.Undecodable fault = assertFault(heading + CSP_TASK, Code.WRAPPED_MESSAGE, Protocol.CSP);
            assertThat(fault.inner().get(0).getStart()).isEqualTo(heading.length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"CSP/1\\nFROM A\\nTO B\\nCTX C0\\nINTENT QUERY\\n\\nQUERY Q1\\nABOUT x\"",
                "\"!Ik/co{x:\\\"a\\\"}\""
            })
    void aMessageInAJsonStringIsWrappedWhateverProtocolIsNamed(String wire) {
        for (String named : new String[] {"", "csp", "lambda"}) {
            header(RecordHeaders.PROTOCOL, named);
            RecordDecodeResult.Undecodable fault =
                    assertFault(wire, Code.WRAPPED_MESSAGE, wire.startsWith("\"C") ? Protocol.CSP : Protocol.LAMBDA);
            assertThat(fault.inner()).hasSize(1);
            assertThat(fault.inner().get(0).getEnd()).isEqualTo(wire.length());
        }
    }

    @Test
    void innerMessagesAreListedInTheDetail() {
        RecordDecodeResult.Undecodable fault =
                assertFault("Hi!\n" + SLIP + "\n" + SLIP, Code.SEVERAL_MESSAGES, Protocol.SLIP);
        int end = 4 + SLIP.length();
        assertThat(fault.detail())
                .isEqualTo("messages are in bytes 4 to " + (end - 1) + " (SLIP), " + (end + 1) + " to "
                        + (end + SLIP.length()) + " (SLIP); send each in a record of its own");
        assertThat(fault.inner()).hasSize(2);
    }

    @Test
    void theNamespaceHeaderSeparatesSystems() {
        header(RecordHeaders.NAMESPACE, "plant|7");
        assertThat(message(SLIP).getNamespace()).isEqualTo("plant|7");
        assertThat(assertFault("hello", Code.UNKNOWN_PROTOCOL, Protocol.UNKNOWN)
                        .claims()
                        .getNamespace())
                .isEqualTo("plant|7");
        header(RecordHeaders.NAMESPACE, "");
        assertThat(message(SLIP).getNamespace()).isEqualTo("default");
    }

    @ParameterizedTest
    @CsvSource({"header,key,header", "header,,header", ",key,key", "'',key,key"})
    void aMessageWithoutAConversationUsesTheHeaderOrElseTheKey(String header, String recordKey, String expected) {
        header(RecordHeaders.CONVERSATION, header);
        key = recordKey == null ? null : recordKey.getBytes(UTF_8);
        assertThat(message(CSP).getConversation()).isEqualTo(expected);
        assertThat(message(LAMBDA).getConversation()).isEqualTo(expected);
        assertThat(message(SUBIT).getConversation()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {CSP, LAMBDA, SUBIT})
    void withoutHeaderAndKeyThereIsNoConversation(String wire) {
        RecordDecodeResult.Undecodable fault = assertFault(wire, Code.NO_CONVERSATION, null);
        assertThat(fault.position()).isEqualTo(wire.length());
        assertThat(fault.protocol()).isNotEqualTo(Protocol.UNKNOWN);
        assertThat(fault.detail()).contains("key", "parley-conversation", "parleyconversation");
        key = new byte[0];
        header(RecordHeaders.CONVERSATION, "");
        assertFault(wire, Code.NO_CONVERSATION, null);
    }

    @Test
    void aKeyThatIsNotUtf8NamesNoConversation() {
        key = NO_UTF8;
        assertFault(CSP, Code.NO_CONVERSATION, Protocol.CSP);
        header(RecordHeaders.CONVERSATION, "c");
        assertThat(message(CSP).getConversation()).isEqualTo("c");
    }

    @Test
    void theConversationInTheMessageTakesPrecedence() {
        header(RecordHeaders.CONVERSATION, "header");
        key = NO_UTF8;
        assertThat(message(SLIP).getConversation()).isEqualTo("7");
        assertThat(message("{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"s1\"}}")
                        .getConversation())
                .isEqualTo("s1");
    }

    @Test
    void anEmptySessionCountsAsAbsent() {
        key = "key".getBytes(UTF_8);
        assertThat(message("{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"\"}}")
                        .getConversation())
                .isEqualTo("key");
    }

    @Test
    void theSenderHeaderAppliesToAMessageWithoutASender() {
        key = "key".getBytes(UTF_8);
        assertThat(message(LAMBDA).getSender()).isNull();
        header(RecordHeaders.SENDER, "");
        assertThat(message(LAMBDA).getSender()).isNull();
        header(RecordHeaders.SENDER, "B");
        assertThat(message(LAMBDA).getSender()).isEqualTo("B");
        assertThat(message(SUBIT).getSender()).isEqualTo("B");
        assertThat(decode(LAMBDA).warnings()).isEmpty();
    }

    @Test
    void aTranscriptLabelIsTheSenderOnlyWithoutAnother() {
        key = "key".getBytes(UTF_8);
        assertThat(message("A: !Ik").getSender()).isEqualTo("A");
        header(RecordHeaders.SENDER, "B");
        assertThat(message("A: !Ik").getSender()).isEqualTo("B");
    }

    /** Two headings of one producer would be two agents that agree. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Offer", "Agreement", "Answer", "Output", "Thought", "Thinking", "Note", "Notes", "System", "User",
                "Assistant", "Response", "Message", "Result", "Reply", "Lambda", "Translation", "Antwort", "Q", "Final",
                "Step1", "Agent", "Planner"
            })
    void aLabelThatNamesNoAgentIsNoSender(String label) {
        key = "key".getBytes(UTF_8);
        for (String message : List.of(">ta/re", "<+", "!Ik/co ?Uc/la")) {
            RecordDecodeResult.Undecodable error =
                    assertFault(label + ": " + message + "\n", Code.WRAPPED_MESSAGE, Protocol.LAMBDA);
            assertThat(error.claims().getSender()).isNull();
            assertThat(error.detail())
                    .endsWith("; the label names no agent, so the header parley-sender must name the sender");
            assertThat(error.inner())
                    .containsExactly(
                            new InnerMessage("LAMBDA", label.length() + 2, label.length() + 2 + message.length()));
        }
        header(RecordHeaders.SENDER, "A1");
        RecordDecodeResult.Message decoded = decode(label + ": <+");
        assertThat(decoded.sender()).isEqualTo("A1");
        assertThat(decoded.warnings()).containsExactly(Code.LAMBDA_SENDER_LABEL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aContradictingSenderHeaderIsAWarningAndTheMessageTakesPrecedence(boolean strict) {
        options = strict ? DecodeOptions.STRICT : DecodeOptions.LENIENT;
        header(RecordHeaders.SENDER, "5");
        RecordDecodeResult.Message decoded = decode(SLIP);
        assertThat(decoded.message().getSender()).isEqualTo("0");
        assertThat(decoded.warnings()).containsExactly(Code.SENDER_MISMATCH);
        assertThat(decoded.remark()).isEqualTo("The header parley-sender names '5', but the message names '0'.");
        header(RecordHeaders.SENDER, "10");
        assertThat(decode(SLIP.replace("S0", "S10")).remark())
                .isEqualTo("The header parley-sender names '10', but the message names '62'. Numbers are base62: agent"
                        + " 10 is SA.");
        header(RecordHeaders.SENDER, "0");
        assertThat(decode(SLIP).warnings()).isEmpty();
        assertThat(decode(SLIP).remark()).isNull();
    }

    @Test
    void aLabelThatContradictsTheSenderHeaderIsNamed() {
        header(RecordHeaders.CONVERSATION, "k");
        header(RecordHeaders.SENDER, "A1");
        assertThat(decode("B1: !Ik/co").remark())
                .isEqualTo("The header parley-sender names 'A1', which counts; the label names 'B1'.");
        assertThat(decode("A1: !Ik/co").remark()).isNull();
    }

    @Test
    void theSenderWarningFollowsThoseOfTheDecoder() {
        header(RecordHeaders.SENDER, "5");
        assertThat(decode("@a03|f0|c7|S0|d1|T1|k1#").warnings())
                .containsExactly(Code.SLIP_NONCANONICAL_INT, Code.SENDER_MISMATCH);
    }

    @Test
    void strictTurnsAFormatWarningIntoADecodeError() {
        options = DecodeOptions.STRICT;
        assertFault("@a03|f0|c7|S0|d1|T1|k1#", Code.SLIP_NONCANONICAL_INT, Protocol.SLIP);
    }

    @Test
    void aViolationOfOneMessageIsReportedWithIt() {
        key = "key".getBytes(UTF_8);
        RecordDecodeResult.Message decoded = decode("!Ik/co[n12]");
        assertThat(decoded.violations()).containsExactly(Code.LAMBDA_CHECKSUM);
        assertThat(decoded.message().getLambda().getChecksum()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parley-namespace", "parley-protocol", "parley-conversation", "parley-sender"})
    void aHeaderThatIsNotUtf8IsReportedByName(String name) {
        headers.put(name, new byte[] {(byte) 0xFF});
        assertFault(SLIP, Code.BAD_HEADER, Protocol.UNKNOWN);
        headers.put(name, NO_UTF8);
        RecordDecodeResult.Undecodable fault = assertFault(SLIP, Code.BAD_HEADER, Protocol.UNKNOWN);
        assertThat(fault.detail()).contains(name);
        assertThat(fault.claims().getNamespace())
                .isEqualTo(name.equals(RecordHeaders.NAMESPACE) ? null : RecordHeaders.DEFAULT_NAMESPACE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parley-namespace", "parley-protocol", "parley-conversation", "parley-sender"})
    void aTooLongHeaderIsReportedByName(String name) {
        headers.put(name, "x".repeat(4_097).getBytes(UTF_8));
        assertThat(assertFault(SLIP, Code.BAD_HEADER, Protocol.UNKNOWN).detail())
                .contains(name)
                .contains("4096");
    }

    @Test
    void aKeyNamesAConversationUpToTheLongestName() {
        key = "x".repeat(4_096).getBytes(UTF_8);
        assertThat(message("!Ik").getConversation()).hasSize(4_096);
        key = "x".repeat(4_097).getBytes(UTF_8);
        assertFault("!Ik", Code.NO_CONVERSATION, Protocol.LAMBDA);
    }

    @Test
    void otherHeadersMayHaveAnyValue() {
        headers.put("traceparent", NO_UTF8);
        assertThat(message(SLIP).getProtocol()).isEqualTo(Protocol.SLIP.name());
    }

    @Test
    void aTombstoneIsNotAMessage() {
        header(RecordHeaders.NAMESPACE, "plant");
        RecordDecodeResult result = decoder().decode(record(null));
        assertThat(result).isInstanceOfSatisfying(RecordDecodeResult.Undecodable.class, fault -> {
            assertThat(fault.code()).isEqualTo(Code.NULL_VALUE);
            assertThat(fault.claims().getNamespace()).isEqualTo("plant");
            assertThat(fault.position()).isZero();
        });
    }

    @Test
    void theLimitIsEnforcedBeforeReading() {
        options = new DecodeOptions(Profile.LENIENT, new Limits(SLIP.length(), 10, 1_000, 10_000));
        assertThat(message(SLIP)).isNotNull();
        String larger = SLIP + " ";
        RecordDecodeResult.Undecodable fault = assertFault(larger, Code.MESSAGE_TOO_LARGE, Protocol.UNKNOWN);
        assertThat(fault.position()).isEqualTo(SLIP.length());
        assertThat(fault.detail()).contains(Integer.toString(larger.length()), Integer.toString(SLIP.length()));
        header(RecordHeaders.PROTOCOL, "nonsense");
        assertFault(larger, Code.MESSAGE_TOO_LARGE, Protocol.UNKNOWN);
    }

    @Test
    void aDecodeErrorHasItsOffsetInTheOriginalBytes() {
        RecordDecodeResult.Undecodable fault =
                assertFault("  @a3|f9|c7|S0|d1|T1|k1#", Code.SLIP_UNKNOWN_FRAME, Protocol.SLIP);
        assertThat(fault.position()).isEqualTo(6);
    }

    @Test
    void anyRecordGivesAResult() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] seeds = {SLIP, CSP, SUBIT, LAMBDA, ""};
        MessageDecoder decoder = decoder();
        for (int round = 0; round < Rounds.of(20_000); round++) {
            byte[] wire = seeds[random.nextInt(seeds.length)].getBytes(UTF_8);
            for (int i = 0; i < 3 && wire.length > 0; i++) {
                wire[random.nextInt(wire.length)] = (byte) random.nextInt(256);
            }
            headers.clear();
            for (String name :
                    new String[] {"parley-namespace", "parley-protocol", "parley-conversation", "parley-sender"}) {
                if (random.nextInt(6) == 0) {
                    byte[] value = new byte[random.nextInt(3)];
                    random.nextBytes(value);
                    headers.put(name, value);
                }
            }
            key = random.nextBoolean() ? null : new byte[] {(byte) random.nextInt(256)};
            try {
                assertThat(decoder.decode(record(wire))).isNotNull();
            } catch (RuntimeException e) {
                throw new AssertionError("parley.seed=" + seed + " round " + round, e);
            }
        }
    }

    private MessageDecoder decoder() {
        return ValueDiagnosis.decoder(options, Map.of("parley.wire.csp", WireProtocols.CSP));
    }

    private WireRecord record(byte[] value) {
        return new WireRecord(
                new Source(topic, 3, 41L, Instant.ofEpochMilli(1_700), null), key, value, RecordHeaders.of(headers));
    }

    private void header(String name, String value) {
        headers.put(name, value == null ? null : value.getBytes(UTF_8));
    }

    private RecordDecodeResult.Message decode(String wire) {
        RecordDecodeResult result = decoder().decode(record(wire.getBytes(UTF_8)));
        assertThat(result).as(wire).isInstanceOf(RecordDecodeResult.Message.class);
        return (RecordDecodeResult.Message) result;
    }

    private AgentMessage message(String wire) {
        return decode(wire).message();
    }

    private RecordDecodeResult.Undecodable assertFault(String wire, Code code, Protocol protocol) {
        RecordDecodeResult result = decoder().decode(record(wire.getBytes(UTF_8)));
        assertThat(result).as(wire).isInstanceOf(RecordDecodeResult.Undecodable.class);
        RecordDecodeResult.Undecodable fault = (RecordDecodeResult.Undecodable) result;
        assertThat(fault.code()).isEqualTo(code);
        if (protocol != null) {
            assertThat(fault.protocol()).isEqualTo(protocol);
        }
        return fault;
    }
}
