package dev.parley.server.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.server.http.ProblemException.Code;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol of {@code /mcp}, in both eras. */
class McpEndpointTest extends McpServer {

    /** A call of each tool that succeeds. */
    static final Map<String, String> CALLS = Map.ofEntries(
            Map.entry("conversations", "{}"),
            Map.entry("messages", "{\"protocol\":\"mcp\",\"conversation\":\"s\"}"),
            Map.entry("message", "{\"protocol\":\"mcp\",\"conversation\":\"s\",\"sequence\":5}"),
            Map.entry("explain", "{\"protocol\":\"mcp\",\"conversation\":\"s\",\"sequence\":6}"),
            Map.entry("state", "{\"protocol\":\"mcp\",\"conversation\":\"s\",\"at\":\"sequence:4\"}"),
            Map.entry("history", "{\"protocol\":\"mcp\",\"conversation\":\"s\",\"entry\":\"tool/pay\"}"),
            Map.entry("blame", "{\"protocol\":\"mcp\",\"conversation\":\"s\"}"),
            Map.entry("open_items", "{}"),
            Map.entry("search", "{\"q\":\"hello\"}"),
            Map.entry("dead_letters", "{}"),
            Map.entry("decode", "{\"draft\":\"{}\"}"),
            Map.entry(
                    "judge",
                    "{\"protocol\":\"mcp\",\"conversation\":\"s\",\"direction\":\"client-to-server\","
                            + "\"draft\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":3,\\\"method\\\":\\\"ping\\\"}\"}"));

    private void fill() {
        session("s", "Pays.", "hello");
        letter(1, "a value");
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 2025-11-25", "2025-06-18, 2025-06-18"})
    void aHandshakeAgreesOnTheVersionAndOpensNoSession(String requested, String answered) {
        JsonNode result = shakeHands(requested);

        assertThat(result.path("protocolVersion").asText()).isEqualTo(answered);
        assertThat(result.at("/capabilities/tools").isObject()).isTrue();
        assertThat(result.at("/serverInfo/name").asText()).isEqualTo("parley");
        assertThat(result.path("instructions").asText()).contains("untrusted");
        assertThat(ask(answered, "reader", "ping", McpMessage.JSON.createObjectNode())
                        .path("result"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2099-01-01"})
    void aHandshakeWithAnotherVersionAnswersWithTheLatestOne(String requested) {
        isHonest = false;
        assertThat(shakeHands(requested).path("protocolVersion").asText()).isEqualTo("2025-11-25");
    }

    @Test
    void discoveryNamesVersionCapabilitiesAndServer() {
        JsonNode result = ask(MODERN, "reader", "server/discover", McpMessage.JSON.createObjectNode())
                .path("result");

        assertThat(result.path("supportedVersions"))
                .extracting(JsonNode::asText)
                .containsExactly(MODERN);
        assertThat(result.at("/capabilities/tools").isObject()).isTrue();
        assertThat(result.path("resultType").asText()).isEqualTo("complete");
        assertThat(result.path("ttlMs").asInt()).isPositive();
        assertThat(result.path("cacheScope").asText()).isEqualTo("public");
        assertThat(result.at("/_meta/io.modelcontextprotocol~1serverInfo/name").asText())
                .isEqualTo("parley");
    }

    @ParameterizedTest
    @ValueSource(strings = {LEGACY, "2025-06-18", MODERN})
    void everyToolHasSchemasAndAResultThatConformsToThem(String version) {
        fill();
        if (!version.equals(MODERN)) {
            shakeHands(version);
        }
        JsonNode list = ask(version, "reader", "tools/list", McpMessage.JSON.createObjectNode())
                .path("result");
        assertThat(list.has("resultType") && list.has("ttlMs")).isEqualTo(version.equals(MODERN));
        assertThat(list.path("tools"))
                .extracting(tool -> tool.path("name").asText())
                .hasSameElementsAs(CALLS.keySet());
        SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        for (JsonNode tool : list.path("tools")) {
            String name = tool.path("name").asText();
            assertThat(tool.at("/annotations/readOnlyHint").asBoolean()).isTrue();
            assertThat(schemas.getSchema(tool.path("inputSchema")).validate(parse(CALLS.get(name))))
                    .as(name)
                    .isEmpty();
            JsonNode result = call(version, "reader", name, CALLS.get(name));
            assertThat(result.has("isError")).as(name + result).isFalse();
            JsonNode content = result.path("structuredContent");
            Schema output = schemas.getSchema(tool.path("outputSchema"));
            assertThat(output.validate(content)).as(name).isEmpty();
            assertThat(parse(result.at("/content/0/text").asText())).isEqualTo(content);
            assertThat(content.path("notice").asText()).isEqualTo(ResultForm.NOTICE);
            // All members are declared, and none is null.
            undeclared(tool.path("outputSchema"), content, name).forEach(path -> {
                throw new AssertionError(path + " is not in the schema");
            });
            assertThat(content.size()).as(name).isGreaterThan(1);
        }
    }

    private static List<String> undeclared(JsonNode schema, JsonNode value, String path) {
        List<String> paths = new ArrayList<>();
        if (value.isObject()) {
            value.properties().forEach(member -> {
                JsonNode known = schema.path("properties").path(member.getKey());
                if (known.isMissingNode()) {
                    paths.add(path + "." + member.getKey());
                }
                paths.addAll(undeclared(known, member.getValue(), path + "." + member.getKey()));
            });
        }
        value.elements().forEachRemaining(element -> {
            if (value.isArray()) {
                paths.addAll(undeclared(schema.path("items"), element, path + "[]"));
            }
        });
        return paths;
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "PUT"})
    void onlyPostIsAllowed(String method) {
        HttpResponse<String> response = send(method, "/mcp", "Authorization", "Bearer reader");
        problem(response, Code.METHOD_NOT_ALLOWED);
        assertThat(response.headers().firstValue("Allow")).hasValue("POST");
    }

    static Stream<Arguments> refusedBodies() {
        String call = "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"";
        return Stream.of(
                Arguments.of("cut off", "{\"jsonrpc\":", 400, -32700),
                Arguments.of("no JSON", "hello", 400, -32700),
                Arguments.of("two values", "{" + call + "}{}", 400, -32700),
                Arguments.of("a key twice", "{" + call + ",\"id\":2}", 400, -32700),
                Arguments.of("deep", "[".repeat(20_000), 400, -32700),
                Arguments.of("deep parameters", "{" + call + ",\"params\":" + "{\"a\":".repeat(5_000), 400, -32700),
                Arguments.of("a batch", "[{" + call + "}]", 400, -32600),
                Arguments.of("an empty batch", "[]", 400, -32600),
                Arguments.of("a string", "\"ping\"", 400, -32600),
                Arguments.of("no version", "{\"id\":1,\"method\":\"ping\"}", 400, -32600),
                Arguments.of(
                        "an ID that is null", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 400, -32600),
                Arguments.of("an ID that is 1.5", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", 400, -32600),
                Arguments.of("parameters in a list", "{" + call + ",\"params\":[1]}", 400, -32600),
                Arguments.of("a response", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 400, -32600));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedBodies")
    void aBodyThatIsNoMessageGetsAnErrorWithoutId(String name, String body, int status, int code) {
        isHonest = false;
        HttpResponse<String> response = post("reader", body, Map.of());
        assertThat(response.statusCode()).isEqualTo(status);
        JsonNode error = parse(response.body());
        assertThat(error.at("/error/code").asInt()).as(response.body()).isEqualTo(code);
        assertThat(error.has("id")).isFalse();
        assertThat(response.body().length()).isLessThan(1_000);
    }

    static Stream<Arguments> refusedRequests() {
        return Stream.of(
                Arguments.of(LEGACY, "resources/list", "{}", 200, -32601),
                Arguments.of(LEGACY, "server/discover", "{}", 200, -32601),
                Arguments.of(LEGACY, "tools/list", "{\"cursor\":\"x\"}", 200, -32602),
                Arguments.of(LEGACY, "initialize", "{}", 200, -32602),
                Arguments.of(LEGACY, "tools/call", "{}", 200, -32602),
                Arguments.of(LEGACY, "tools/call", "{\"name\":\"drop\"}", 200, -32602),
                Arguments.of(LEGACY, "tools/call", "{\"name\":7}", 200, -32602),
                Arguments.of(LEGACY, "tools/call", "{\"name\":\"search\",\"arguments\":[]}", 200, -32602),
                Arguments.of(MODERN, "ping", "{}", 404, -32601),
                Arguments.of(MODERN, "initialize", "{}", 404, -32601),
                Arguments.of(MODERN, "subscriptions/listen", "{\"notifications\":{}}", 404, -32601),
                Arguments.of(MODERN, "tools/call", "{\"name\":\"drop\"}", 200, -32602));
    }

    @ParameterizedTest
    @MethodSource("refusedRequests")
    void aRequestThatCannotBeAnsweredGetsAnError(String version, String method, String params, int status, int code) {
        isHonest = false;
        com.fasterxml.jackson.databind.node.ObjectNode object =
                (com.fasterxml.jackson.databind.node.ObjectNode) parse(params);
        String name = method.equals("tools/call") ? object.path("name").asText() : null;
        HttpResponse<String> response =
                post("reader", request(version, 7, method, object), headers(version, method, name));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(parse(response.body()).at("/error/code").asInt()).isEqualTo(code);
        assertThat(parse(response.body()).path("id").asInt()).isEqualTo(7);
    }

    /** Changes to the headers of a request that is right: name and value; an empty value removes it. */
    static Stream<Arguments> headersOf() {
        return Stream.of(
                Arguments.of(MODERN, "MCP-Protocol-Version", "", 400, -32020),
                Arguments.of(MODERN, "MCP-Protocol-Version", LEGACY, 400, -32020),
                Arguments.of(MODERN, "Mcp-Method", "", 400, -32020),
                Arguments.of(MODERN, "Mcp-Method", "tools/list", 400, -32020),
                Arguments.of(MODERN, "Mcp-Method", "TOOLS/CALL", 400, -32020),
                Arguments.of(MODERN, "Mcp-Name", "", 400, -32020),
                Arguments.of(MODERN, "Mcp-Name", "search", 400, -32020),
                Arguments.of(MODERN, "Mcp-Name", "=?base64?!?=", 400, -32020),
                Arguments.of(MODERN, "Mcp-Name", "=?base64?b3Blbl9pdGVtcw==?=", 200, 0),
                Arguments.of(MODERN, "Accept", "application/json", 200, 0),
                Arguments.of(LEGACY, "MCP-Protocol-Version", "2024-11-05", 400, -32600),
                Arguments.of(LEGACY, "MCP-Protocol-Version", "2099-01-01", 400, -32600),
                Arguments.of(LEGACY, "MCP-Protocol-Version", MODERN, 400, -32602),
                Arguments.of(LEGACY, "MCP-Protocol-Version", "", 200, 0),
                Arguments.of(LEGACY, "MCP-Protocol-Version", "2025-06-18", 200, 0));
    }

    @ParameterizedTest
    @MethodSource("headersOf")
    void theHeadersOfARequestMustAgreeWithItsBody(String version, String header, String value, int status, int code) {
        isHonest = false;
        Map<String, String> headers = new HashMap<>(headers(version, "tools/call", "open_items"));
        headers.remove(header);
        if (!value.isEmpty()) {
            headers.put(header, value);
        }
        String body = request(
                version, 1, "tools/call", McpMessage.JSON.createObjectNode().put("name", "open_items"));
        HttpResponse<String> response = post("reader", body, headers);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(parse(response.body()).at("/error/code").asInt()).isEqualTo(code);
    }

    @Test
    void aVersionOfTheFutureIsRefusedWithThoseThatAreSupported() {
        isHonest = false;
        String body = request(MODERN, 1, "server/discover", McpMessage.JSON.createObjectNode())
                .replace(MODERN, "2099-01-01");
        HttpResponse<String> response =
                post("reader", body, Map.of("MCP-Protocol-Version", "2099-01-01", "Mcp-Method", "server/discover"));
        assertThat(response.statusCode()).isEqualTo(400);
        JsonNode error = parse(response.body()).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32022);
        assertThat(error.at("/data/supported/0").asText()).isEqualTo(MODERN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"})
    void aModernRequestWithoutItsMetaIsRefused(String key) {
        isHonest = false;
        String body = request(MODERN, 1, "server/discover", McpMessage.JSON.createObjectNode())
                .replace(key, "x");
        HttpResponse<String> response = post("reader", body, headers(MODERN, "server/discover", null));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(parse(response.body()).at("/error/code").asInt()).isEqualTo(-32602);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-ndjson", "text/plain; application/json"})
    void anotherContentTypeIsRefused(String type) {
        isHonest = false;
        problem(post("reader", "{}", Map.of("Content-Type", type)), Code.UNSUPPORTED_CONTENT_TYPE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example.com",
                "null",
                "http://127.0.0.1.evil.example.com",
                "http://127.0.0.1",
                "http://evil.example.com//127.0.0.1"
            })
    void aPageOfAnotherServerIsRefused(String origin) {
        isHonest = false;
        problem(post("reader", "{}", Map.of("Origin", origin)), Code.ORIGIN_NOT_ALLOWED);
    }

    @Test
    void aPageOfThisServerMayAsk() {
        Map<String, String> headers = new HashMap<>(headers(MODERN, "server/discover", null));
        headers.put("Origin", server().uri().toString());
        String body = request(MODERN, 1, "server/discover", McpMessage.JSON.createObjectNode());
        assertThat(post("reader", body, headers).statusCode()).isEqualTo(200);
    }

    @Test
    void aBodyBeyondTheLimitIsRefused() {
        isHonest = false;
        problem(post("reader", " ".repeat((64 << 10) + 1), Map.of()), Code.BODY_TOO_LARGE);
    }

    @Test
    void aRequestWithoutATokenIsRefused() {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server().uri() + "/mcp"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        request(LEGACY, 1, "tools/list", McpMessage.JSON.createObjectNode())))
                .build();
        problem(send(request), Code.TOKEN_MISSING);
    }
}
