package dev.parley.codec.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.CallerProof;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.HttpField;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.McpMessage;
import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpCodecTest extends WireCodecContract<McpMessage> {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String SESSION = "a".repeat(64);

    private final McpCodec codec = new McpCodec();

    @Override
    protected WireCodec<McpMessage> codec() {
        return codec;
    }

    @Override
    protected String wireWithFields(int fields) {
        StringBuilder wire = new StringBuilder(PING.substring(0, PING.length() - 1));
        for (int i = 3; i < fields; i++) {
            wire.append(",\"k").append(i).append("\":\"\"");
        }
        return wire.append('}').toString();
    }

    private DecodeResult<McpMessage> decode(String wire, Map<String, String> headers) {
        return codec.decode(wire.getBytes(UTF_8), RecordHeaders.ofText(headers), DecodeOptions.LENIENT);
    }

    private McpMessage read(String wire, Map<String, String> headers) {
        return ((Decoded<McpMessage>) decode(wire, headers)).message();
    }

    @Test
    void theFactsOfTheCaptureAreInTheMessageAndComeBackAsHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("parley-direction", "client-to-server");
        headers.put("parley-exchange", "7");
        headers.put("parley-capture", "start");
        headers.put("parley-http-method", "POST");
        headers.put("parley-http-path", "/mcp");
        headers.put("parley-http-query", "a=b");
        headers.put("parley-caller", "alice");
        headers.put("parley-caller-proof", "token");
        headers.put("parley-delegation", "[\"planner\",\"CN=a, \\\"b\\\"\"]");
        headers.put("mcp-protocol-version", "2025-11-25");
        headers.put("mcp-param-region", "eu");
        headers.put("mcp-session-id", SESSION);
        McpMessage message = read(PING, headers);
        assertThat(message.getCapture())
                .isEqualTo(new Capture(
                        CaptureDirection.CLIENT_TO_SERVER,
                        "7",
                        CaptureMark.START,
                        "POST",
                        "/mcp",
                        "a=b",
                        null,
                        List.of(
                                new HttpField("mcp-protocol-version", "2025-11-25"),
                                new HttpField("mcp-param-region", "eu"),
                                new HttpField("mcp-session-id", SESSION)),
                        "alice",
                        CallerProof.TOKEN,
                        List.of("planner", "CN=a, \"b\"")));
        assertThat(message.getMessage().getKind()).isEqualTo(JsonRpcKind.REQUEST);
        assertThat(codec.headers(message)).isEqualTo(headers);
        assertThat(read(PING, codec.headers(message))).isEqualTo(message);
        assertThat(codec.verify(message, DecodeOptions.STRICT)).isEqualTo(message);
    }

    @Test
    void otherHeadersAreNotStored() {
        McpMessage message = read(PING, Map.of("authorization", "Bearer x", "cookie", "x", "mcp-secret", "x"));
        assertThat(message.getCapture()).isNull();
        assertThat(codec.headers(message)).isEmpty();
    }

    @Test
    void aSessionIdThatIsNoHashIsHashed() {
        Map<String, String> headers = codec.headers(read(PING, Map.of("Mcp-Session-Id", "secret")));
        assertThat(headers)
                .containsExactly(Map.entry(
                        "mcp-session-id", "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"));
    }

    @ParameterizedTest
    @CsvSource({
        "parley-direction, up",
        "parley-direction, CLIENT-TO-SERVER",
        "parley-direction, unknown",
        "parley-capture, none",
        "parley-http-status, 99",
        "parley-http-status, 600",
        "parley-http-status, 2e2",
        "parley-caller-proof, claim",
        "parley-caller-proof, MTLS",
        "parley-caller-proof, oidc",
        "parley-delegation, a",
        "parley-delegation, []",
        "parley-delegation, '[\"a\",]'",
        "parley-delegation, '[\"a\" \"b\"]'",
        "parley-delegation, '[\"a\"] x'",
        "parley-delegation, '[\"a\"'",
        "parley-delegation, '[\"\"]'",
        "parley-delegation, '[\"\\u0000\"]'",
        "parley-delegation, '[\"\\ud800\"]'",
        "parley-delegation, '[[\"a\"]]'",
        "parley-delegation, '[null]'",
        "parley-delegation, '{\"sub\":\"a\"}'",
    })
    void anInvalidValueIsNamedWithTheAllowedOnes(String name, String value) {
        Malformed<McpMessage> error = (Malformed<McpMessage>) decode(PING, Map.of(name, value));
        assertThat(error.code()).isEqualTo(Code.BAD_HEADER);
        assertThat(error.detail()).startsWith("header " + name + " must be ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parley-exchange", "parley-http-path", "mcp-name", "mcp-param-x", "last-event-id"})
    void aTextThatIsLongOrHasControlCharactersIsInvalid(String name) {
        assertThat(decode(PING, Map.of(name, "a".repeat(8_192)))).isInstanceOf(Decoded.class);
        assertThat(decode(PING, Map.of(name, "a".repeat(8_193)))).isInstanceOf(Malformed.class);
        assertThat(decode(PING, Map.of(name, "a\u0085"))).isInstanceOf(Malformed.class);
    }

    @ParameterizedTest
    @CsvSource({
        ", claimed-caller, claimed-actor",
        "mtls, caller, claimed-actor",
        "process, caller, claimed-actor",
        "token, caller, actor"
    })
    void theProofDecidesWhichNamesAreClaims(String proof, String caller, String actor) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("parley-caller", "alice");
        if (proof != null) {
            headers.put("parley-caller-proof", proof);
        }
        headers.put("parley-delegation", " [ \"planner\" , \"d\\u0061\" ] ");
        assertThat(references(PING, headers))
                .containsExactly(
                        new Reference(caller, "alice"), new Reference(actor, "planner"), new Reference(actor, "da"));
        headers.remove("parley-delegation");
        assertThat(references(PING, headers)).containsExactly(new Reference(caller, "alice"));
        headers.remove("parley-caller");
        assertThat(references(PING, headers)).isEmpty();
        headers.put("parley-delegation", "[\"planner\"]");
        assertThat(references(PING, headers)).containsExactly(new Reference(actor, "planner"));
        McpMessage message = read(PING, headers);
        assertThat(read(PING, codec.headers(message))).isEqualTo(message);
    }

    private List<Reference> references(String wire, Map<String, String> headers) {
        return codec.traits(read(wire, headers)).references();
    }

    @Test
    void callersAndDelegationsAreBounded() {
        assertThat(decode(PING, Map.of("parley-caller", "ä".repeat(1_024)))).isInstanceOf(Decoded.class);
        assertThat(decode(PING, Map.of("parley-caller", "a".repeat(1_025)))).isInstanceOf(Malformed.class);
        assertThat(decode(PING, Map.of("parley-caller", "a\u0085"))).isInstanceOf(Malformed.class);
        assertThat(references(PING, Map.of("parley-delegation", chain(16, "a"))))
                .hasSize(16);
        assertThat(decode(PING, Map.of("parley-delegation", chain(17, "a")))).isInstanceOf(Malformed.class);
        assertThat(decode(PING, Map.of("parley-delegation", chain(1, "a".repeat(1_024)))))
                .isInstanceOf(Decoded.class);
        assertThat(decode(PING, Map.of("parley-delegation", chain(1, "a".repeat(1_025)))))
                .isInstanceOf(Malformed.class);
        assertThat(decode(PING, Map.of("parley-delegation", chain(16, "a".repeat(600)))))
                .as("beyond 8 KiB")
                .isInstanceOf(Malformed.class);
        assertThat(decode(PING, Map.of("parley-delegation", "[".repeat(8_192)))).isInstanceOf(Malformed.class);
    }

    private static String chain(int length, String name) {
        return IntStream.range(0, length).mapToObj(i -> '"' + name + '"').collect(Collectors.joining(",", "[", "]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "initialize; {\"clientInfo\":{\"version\":\"1\",\"name\":\"scout\"}}; scout",
                "tools/list; {\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{\"name\":\"scout\"}}}; scout",
                "tools/call; {\"clientInfo\":{\"name\":\"scout\"}};",
                "initialize; {\"clientInfo\":\"scout\"};",
                "initialize; {\"clientInfo\":{\"name\":{\"name\":\"scout\"}}};",
                "tools/list; {\"_meta\":{\"io.modelcontextprotocol/clientInfo\":[\"scout\"]}};",
                "tools/list; {\"_meta\":{\"traceparent\":{\"name\":\"scout\"}}};",
                "initialize; {\"name\":{\"name\":\"scout\"}};",
                "initialize; {\"clientInfo\":{\"title\":\"scout\"}};",
            })
    void theClientIsTheOneThatInitializeOrMetaClaims(String method, String params, String client) {
        String wire = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}";
        McpMessage message = read(wire, Map.of());
        assertThat(message.getClient()).isEqualTo(client);
        assertThat(codec.traits(message).references().stream()
                        .filter(name -> name.getKind().equals("client")))
                .extracting(Reference::getId)
                .isEqualTo(client == null ? List.of() : List.of(client));
        assertThat(codec.verify(message, DecodeOptions.LENIENT)).isEqualTo(message);
    }

    @Test
    void aTraceOfMetaIsTheFirstReference() {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\","
                + "\"_meta\":{\"traceparent\":\"%s\"}}}";
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        assertThat(references(call.formatted("00-" + trace + "-00f067aa0ba902b7-01"), Map.of("parley-caller", "a")))
                .containsExactly(
                        new Reference("trace", trace),
                        new Reference("claimed-caller", "a"),
                        new Reference("tool", "add"));
        for (String invalid :
                List.of("", trace, "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01", "00-ä", "x".repeat(9_999))) {
            McpMessage message = read(call.formatted(invalid), Map.of());
            assertThat(message.getTraceparent()).as("kept as it is").isEqualTo(invalid);
            assertThat(codec.traits(message).references()).containsExactly(new Reference("tool", "add"));
        }
    }

    @Test
    void aRequestWithoutABodyIsAMessage() {
        Map<String, String> headers = Map.of("parley-http-method", "DELETE");
        assertThat(codec.isMessageWithoutBody(RecordHeaders.ofText(headers))).isTrue();
        assertThat(codec.isMessageWithoutBody(RecordHeaders.ofText(Map.of("parley-direction", "client-to-server"))))
                .isFalse();
        McpMessage message = read("", headers);
        assertThat(message.getMessage().getKind()).isEqualTo(JsonRpcKind.NONE);
        assertThat(codec.encodeChecked(message)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"200, false", "201, false", "202, true", "299, false", "300, true", "404, true", "500, true"})
    void aBodyThatIsNoMessageNeedsAStatusThatAllowsOne(String status, boolean isAllowed) {
        DecodeResult<McpMessage> result = decode("<html>", Map.of("parley-http-status", status));
        assertThat(result instanceof Decoded<McpMessage>).isEqualTo(isAllowed);
        if (result instanceof Decoded<McpMessage> decoded) {
            assertThat(codec.encodeChecked(decoded.message())).isEqualTo("<html>".getBytes(UTF_8));
        }
    }

    @Test
    void aRepeatedKeyIsAnErrorInAResponseOfAnyStatus() {
        DecodeResult<McpMessage> result =
                decode("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"result\":{}}", Map.of("parley-http-status", "500"));
        assertThat(((Malformed<McpMessage>) result).code()).isEqualTo(Code.MCP_DUPLICATE_KEY);
    }

    @Test
    void thousandsOfKeysInAResultAreOneField() {
        StringBuilder tools = new StringBuilder("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"x\":0}");
        for (int i = 0; i < 5_000; i++) {
            tools.append(",{\"name\":\"t").append(i).append("\"}");
        }
        assertThat(decode(tools.append("]}}").toString(), Map.of())).isInstanceOf(Decoded.class);
    }

    @Test
    void partsThatDifferFromTheBodyAreRefused() {
        McpMessage message = read(PING, Map.of());
        message.setName("other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encodeChecked(message))
                .withMessageStartingWith("message: ");
        McpMessage injected = read(PING, Map.of());
        injected.getMessage().setId("1,\"x\":2");
        assertThatIllegalArgumentException().isThrownBy(() -> codec.encodeChecked(injected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\"}}; REQUEST",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}; ASK",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}; CONTROL",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}; ASSERT",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}; ACKNOWLEDGE",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}; RESULT",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"isError\":true}}; FAILURE",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}; FAILURE",
            })
    void eachMessageHasASpeechAct(String wire, Performative performative) {
        assertThat(codec.traits(read(wire, Map.of())).performative()).isEqualTo(performative);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "100, 100, true",
        "-32600, -32600, true",
        "-32601.0, -32601, true",
        "100.00, 100, true",
        "9223372036854775807, 9223372036854775807, true",
        "9223372036854775808, , true",
        "1e3, , true",
        "1.5, , false",
        "1.50, , false",
        "true, , false",
        "{}, , false"
    })
    void theCodeOfAnErrorIsAnIntegerInAnySpelling(String code, Long read, boolean isValid) {
        String wire = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"message\":\"\",\"code\":" + code + "}}";
        Decoded<McpMessage> decoded = (Decoded<McpMessage>) decode(wire, Map.of());
        assertThat(decoded.message().getMessage().getErrorCode()).isEqualTo(read);
        assertThat(decoded.violations()).isEqualTo(isValid ? List.of() : List.of(Code.MCP_RESPONSE_FORM));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"\"', true",
        "0, true",
        "9, true",
        "-1, true",
        "1.0, true",
        "1.00, true",
        "10, true",
        "1e2, true",
        "1E2, true",
        "1.5e1, true",
        "1.5E1, true",
        "1.5, false",
        "1.05, false",
        "1.50, false",
        "true, false",
        "{}, false",
        "[], false"
    })
    void anIdIsAStringOrAnInteger(String id, boolean isValid) {
        for (String rest : List.of("\"method\":\"ping\"", "\"result\":{}")) {
            String wire = "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + rest + "}";
            Decoded<McpMessage> decoded = (Decoded<McpMessage>) decode(wire, Map.of());
            assertThat(decoded.violations()).isEqualTo(isValid ? List.of() : List.of(Code.MCP_ID_TYPE));
            assertThat(codec.encode(decoded.message())).asString(UTF_8).isEqualTo(wire);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}};",
                "{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"ping\"}; id jsonrpc method",
                "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":1}; jsonrpc method id",
                "{\"id\":1,\"method\":\"ping\"}; id method",
                "{\"jsonrpc\":\"2.0\",\"params\":{},\"id\":1,\"method\":\"ping\"}; jsonrpc params id method"
            })
    void anOrderOtherThanTheCanonicalOneIsKept(String wire, String order) {
        McpMessage message = read(wire, Map.of());
        assertThat(message.getMessage().getOrder()).isEqualTo(order == null ? List.of() : List.of(order.split(" ")));
        assertThat(codec.encode(message)).asString(UTF_8).isEqualTo(wire);
    }

    @ParameterizedTest
    @CsvSource({"parley-capture, end", "parley-http-method, GET", "parley-http-status, 202"})
    void aMarkARequestOrAResponseOfHttpNeedsNoBody(String name, String value) {
        assertThat(read("", Map.of(name, value)).getMessage().getKind()).isEqualTo(JsonRpcKind.NONE);
    }

    @Test
    void otherMessagesNeedABody() {
        assertThat(decode("", Map.of("parley-direction", "client-to-server"))).isInstanceOf(Malformed.class);
        assertThat(decode("", Map.of())).isInstanceOf(Malformed.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"a\":1}; 404; OTHER",
                "{\"a\":1}; 200;",
                "{} x; 404; OTHER",
                "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"jsonrpc\":\"2.0\"}; 404;",
                "{}; 200; OTHER",
                "[]; 200;",
                "[}; 200;",
                "{]; 200;",
                "{ }; 200;",
                "{};;",
            })
    void aResponseOfHttpMayHaveABodyOfAnotherKind(String body, String status, JsonRpcKind kind) {
        DecodeResult<McpMessage> result =
                decode(body, status == null ? Map.of("parley-exchange", "1") : Map.of("parley-http-status", status));
        assertThat(
                        result instanceof Decoded<McpMessage> decoded
                                ? decoded.message().getMessage().getKind()
                                : null)
                .isEqualTo(kind);
    }

    @Test
    void aBodyOfAnotherKindMayBeNoText() {
        byte[] body = {'{', '"', (byte) 0xFF, '"', '}'};
        RecordHeaders headers = RecordHeaders.ofText(Map.of("parley-http-status", "404"));
        assertThat(codec.decode(body, headers, DecodeOptions.LENIENT)).isInstanceOf(Decoded.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"error\":\"invalid_token\"}; 401; OTHER",
                "{\"result\":1}; 401; OTHER",
                "{\"error\":\"invalid_token\"}; 200; ERROR",
                "{\"error\":\"invalid_token\"};; ERROR",
                "{\"id\":1,\"error\":\"invalid_token\"}; 401; ERROR",
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}; 401; ERROR",
                "{\"error\":{\"code\":1,\"message\":\"\"},\"jsonrpc\":\"2.0\"}; 401; ERROR",
                "{\"jsonrpc\":\"1.0\",\"error\":\"x\"}; 401; ERROR",
                "{\"json\":\"2.0\",\"error\":\"x\"}; 401; OTHER",
                "{\"method\":\"x\"}; 401; NOTIFICATION"
            })
    void anErrorOfAnotherProtocolIsNoMessage(String body, String status, JsonRpcKind kind) {
        Map<String, String> headers =
                status == null ? Map.of("parley-exchange", "1") : Map.of("parley-http-status", status);
        assertThat(read(body, headers).getMessage().getKind()).isEqualTo(kind);
        assertThat(read(body, Map.of()).getMessage().getKind()).isNotEqualTo(JsonRpcKind.OTHER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"id\":7,\"method\":\"ping\";",
                "\"id\":7,\"result\":{}; 7",
                "\"id\":7,\"error\":{\"code\":1,\"message\":\"\"}; 7",
                "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\"}; \"a\"",
            })
    void aMessageRefersToTheRequestThatItAnswersOrCancels(String members, String replyTo) {
        McpMessage message = read("{\"jsonrpc\":\"2.0\"," + members + "}", Map.of());
        assertThat(codec.traits(message).replyTo()).isEqualTo(replyTo);
    }

    @Test
    void onlyNamesOfUpTo256CharactersWithoutControlCharactersAreReferences() {
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{\"name\":\"%s\",\"uri\":\"u\"}}";
        Reference uri = new Reference("resource", "u");
        String longest = "a".repeat(256);
        assertThat(references(call.formatted("tools/call", longest), Map.of()))
                .containsExactly(new Reference("tool", longest), uri);
        assertThat(references(call.formatted("prompts/get", "a"), Map.of()))
                .containsExactly(new Reference("prompt", "a"), uri);
        for (String other : List.of(longest + "a", "", "a\\u0085")) {
            assertThat(references(call.formatted("tools/call", other), Map.of()))
                    .containsExactly(uri);
        }
        String result = "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{}}";
        assertThat(codec.traits(read(result.formatted("a".repeat(254)), Map.of()))
                        .replyTo())
                .hasSize(256);
        assertThat(codec.traits(read(result.formatted("a".repeat(255)), Map.of()))
                        .replyTo())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[1]; 1; MCP_NOT_JSONRPC; Each element of a batch",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},[]]; 32; MCP_NOT_JSONRPC; Each element of a batch",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}{}]; 31; MCP_NOT_JSON; A comma",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"id\":1}]; 32; MCP_NOT_JSONRPC; Message 1 of the batch: ",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{}; 34; MCP_NOT_JSON; A comma",
                "[]; 0; MCP_NOT_JSONRPC; A batch must have at least one message",
                "7; 0; MCP_NOT_JSON; A message must be a JSON object",
            })
    void anErrorOfABatchIsAtItsElement(String wire, int at, Code code, String detail) {
        Malformed<McpMessage> error = (Malformed<McpMessage>) decode(wire, Map.of());
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.detail()).startsWith(detail);
        assertThat(error.offset()).isEqualTo(at);
    }

    @Test
    void opaqueValuesMayBeDeeperThanAMessage() {
        String deep = "[".repeat(90) + "]".repeat(90);
        for (String wire : List.of(
                "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"x\":" + deep + "}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\"x\":" + deep + "}}",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\"x\":" + deep + "}}]")) {
            assertThat(decode(wire, Map.of())).isInstanceOf(Decoded.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}; true",
                "{ \"id\" : 1 , \"jsonrpc\" : \"2.0\"}; true",
                "[ {\"jsonrpc\":\"2.0\"; true",
                "{\"jsonrpc\":; true",
                "{\"jsonrpc\"; false",
                "{\"jsonrpc\"}; false",
                "{\"a\":{\"jsonrpc\":\"2.0\"}}; false",
                "{\"a\":[\"jsonrpc\"]}; false",
                "{\"a\":{}},\"jsonrpc\":\"2.0\"}; false",
                "{\"a\":[{}],\"jsonrpc\":\"2.0\"}; true",
                "{\"a\":\"}\",\"jsonrpc\":\"2.0\"}; true",
                "[[{\"jsonrpc\":\"2.0\"}]]; false",
                "[; false",
                "7; false",
                "{\"jsonrpc\":\"2.0\",\"method\":\"SendMessage\"}; false",
                "{\"jsonrpc\":\"2.0\",\"method\":\"AddMessage\"}; false",
                "{\"jsonrpc\":\"2.0\",\"method\":\"Zoom\"}; false",
                "{\"jsonrpc\":\"2.0\",\"method\":\"_a\"}; true",
                "{\"jsonrpc\":\"2.0\",\"method\":\"@a\"}; true",
                "{\"jsonrpc\":\"2.0\",\"method\":\"[a\"}; true",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tasks/send\"}; false",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tasks/get\"}; true",
                "{\"jsonrpc\":\"2.0\",\"method\":\"; true",
                "{\"method\":\"message/send\",\"jsonrpc\":\"2.0\"}; false",
                "{\"params\":{\"method\":\"SendMessage\"},\"jsonrpc\":\"2.0\"}; true"
            })
    void jsonRpcIsDetectedUnlessTheMethodIsOneOfA2a(String wire, boolean isDetected) {
        assertThat(codec.detects(wire.getBytes(UTF_8), 0)).isEqualTo(isDetected);
    }

    @Test
    void incompleteMessagesAreNotEncoded() {
        McpMessage other = read("<html>", Map.of("parley-http-status", "404"));
        other.getMessage().setBody(null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(other))
                .withMessage("message.body: must not be null in a message of kind OTHER");
        McpMessage ping = read(PING, Map.of());
        ping.getMessage().setOrder(List.of("jsonrpc", "params"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(ping))
                .withMessage("message.order: must name only members, but names params");
        ping.getMessage().setKind(JsonRpcKind.UNKNOWN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(ping))
                .withMessage("message.kind: must not be UNKNOWN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"progressToken\":1.5}}; true",
                "\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"progressToken\":1}}; false",
                "\"id\":1,\"result\":{\"_meta\":{\"progressToken\":1.5}}; false",
                "\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1.5}; true",
                "\"method\":\"notifications/progress\",\"params\":{\"_meta\":{\"progressToken\":1.5}}; false",
                "\"method\":\"notifications/message\",\"params\":{\"_meta\":{\"progressToken\":1.5}}; false"
            })
    void aProgressTokenIsAStringOrAnInteger(String members, boolean isViolation) {
        Decoded<McpMessage> decoded = (Decoded<McpMessage>) decode("{\"jsonrpc\":\"2.0\"," + members + "}", Map.of());
        assertThat(decoded.violations()).isEqualTo(isViolation ? List.of(Code.MCP_TOKEN_TYPE) : List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"v\"}; v",
                "\"id\":1,\"result\":{\"protocolVersion\":\"v\"}; v",
                "\"id\":1,\"method\":\"a\",\"params\":{\"protocolVersion\":\"v\"};",
                "\"id\":1,\"error\":{\"code\":1,\"message\":\"\",\"protocolVersion\":\"v\"};",
                "\"id\":1,\"result\":{\"protocolVersion\":7};",
                "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"w\",\"_meta\":"
                        + "{\"io.modelcontextprotocol/protocolVersion\":\"v\"}}; v",
            })
    void theVersionIsThatOfTheHandshake(String members, String version) {
        assertThat(read("{\"jsonrpc\":\"2.0\"," + members + "}", Map.of()).getProtocolVersion())
                .isEqualTo(version);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "false, false", "null,", "'\"true\"',", "1,"})
    void onlyABooleanIsAnError(String json, Boolean isError) {
        String wire = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"isError\":" + json + "}}";
        assertThat(read(wire, Map.of()).getIsError()).isEqualTo(isError);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"x\":tru}",
                "{\"name\":tru}",
                "{\"clientInfo\":{\"name\":tru}}",
                "{\"_meta\":{\"x\":tru}}",
                "{\"_meta\":{\"traceparent\":tru}}",
                "{\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{\"name\":tru}}}",
                "{\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":tru}}}"
            })
    void anInvalidValueIsAnErrorAtItsPlaceWhereverItIs(String params) {
        String wire = "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":" + params + "}";
        Malformed<McpMessage> error = (Malformed<McpMessage>) decode(wire, Map.of());
        assertThat(error.detail()).isEqualTo("The value must be a JSON number, true, false or null.");
        assertThat(error.offset()).isEqualTo(wire.indexOf("tru"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"code\":1,\"message\":7}", "{\"code\":1,\"x\":\"y\"}", "{\"message\":\"y\"}", "{}"})
    void anErrorHasACodeAndAMessageThatIsAString(String error) {
        String wire = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":" + error + "}";
        assertThat(((Decoded<McpMessage>) decode(wire, Map.of())).violations()).containsExactly(Code.MCP_RESPONSE_FORM);
    }
}
