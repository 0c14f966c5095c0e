package dev.parley.server.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Set;
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
            Map.entry("messages", "{\"protocol\":\"MCP\",\"conversation\":\"s\"}"),
            Map.entry("message", "{\"protocol\":\"MCP\",\"conversation\":\"s\",\"sequence\":5}"),
            Map.entry("explain", "{\"protocol\":\"MCP\",\"conversation\":\"s\",\"sequence\":6}"),
            Map.entry("state", "{\"protocol\":\"MCP\",\"conversation\":\"s\",\"at\":\"sequence:4\"}"),
            Map.entry("history", "{\"protocol\":\"MCP\",\"conversation\":\"s\",\"entry\":\"tool/pay\"}"),
            Map.entry("blame", "{\"protocol\":\"MCP\",\"conversation\":\"s\"}"),
            Map.entry("open_items", "{}"),
            Map.entry("search", "{\"q\":\"hello\"}"),
            Map.entry("dead_letters", "{}"),
            Map.entry("decode", "{\"draft\":\"{}\"}"),
            Map.entry(
                    "judge",
                    "{\"protocol\":\"MCP\",\"conversation\":\"s\",\"direction\":\"client-to-server\","
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

    static Set<String> tools() {
        return CALLS.keySet();
    }

    static List<String> undeclared(JsonNode schema, JsonNode value, String path) {
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

    /** A body that is no request or notification. */
    private static Arguments body(String name, String body, int code) {
        return Arguments.of(name, body, Map.of(), 400, code);
    }

    /** A request that an honest client does not send. */
    private static Arguments request(String version, String method, String params, int status, int code) {
        ObjectNode object = (ObjectNode) parse(params);
        String name = method.equals("tools/call") ? object.path("name").asText() : null;
        return Arguments.of(
                version + " " + method + " " + params,
                request(version, 7, method, object),
                headers(version, method, name),
                status,
                code);
    }

    /** A right request but for one header; an empty value removes it. The code of an accepted one is 0. */
    private static Arguments header(String version, String header, String value, int code) {
        Map<String, String> headers = new HashMap<>(headers(version, "tools/call", "open_items"));
        headers.remove(header);
        if (!value.isEmpty()) {
            headers.put(header, value);
        }
        ObjectNode params = McpMessage.JSON.createObjectNode().put("name", "open_items");
        return Arguments.of(
                version + " with " + header + ": " + value,
                request(version, 7, "tools/call", params),
                headers,
                code == 0 ? 200 : 400,
                code);
    }

    /** A discovery with a text of its body replaced. */
    private static Arguments discovery(String text, String replacement, int code) {
        String body = request(MODERN, 7, "server/discover", McpMessage.JSON.createObjectNode());
        Map<String, String> headers = new HashMap<>(headers(MODERN, "server/discover", null));
        headers.replaceAll((name, value) -> value.replace(text, replacement));
        return Arguments.of("discovery with " + replacement, body.replace(text, replacement), headers, 400, code);
    }

    static Stream<Arguments> refusals() {
        String call = "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"";
        return Stream.of(
                body("cut off", "{\"jsonrpc\":", -32700),
                body("no JSON", "hello", -32700),
                body("two values", "{" + call + "}{}", -32700),
                body("a key twice", "{" + call + ",\"id\":2}", -32700),
                body("deep", "[".repeat(20_000), -32700),
                body("deep parameters", "{" + call + ",\"params\":" + "{\"a\":".repeat(5_000), -32700),
                body("a huge ID", "{\"jsonrpc\":\"2.0\",\"id\":1" + "0".repeat(2_000) + "}", -32700),
                body("a batch", "[{" + call + "}]", -32600),
                body("an empty batch", "[]", -32600),
                body("a string", "\"ping\"", -32600),
                body("no version", "{\"id\":1,\"method\":\"ping\"}", -32600),
                body("a number as version", "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", -32600),
                body("an ID that is null", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600),
                body("an ID that is 1.5", "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600),
                body("half a character", "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"ping\"}", -32600),
                body("parameters in a list", "{" + call + ",\"params\":[1]}", -32600),
                body("a response", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", -32600),
                request(LEGACY, "resources/list", "{}", 200, -32601),
                Arguments.of(
                        "half a character as method",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\\ud800\"}",
                        Map.of(),
                        200,
                        -32601),
                request(LEGACY, "server/discover", "{}", 200, -32601),
                request(LEGACY, "tools/list", "{\"cursor\":\"x\"}", 200, -32602),
                request(LEGACY, "initialize", "{}", 200, -32602),
                request(LEGACY, "tools/call", "{}", 200, -32602),
                request(LEGACY, "tools/call", "{\"name\":\"drop\"}", 200, -32602),
                request(LEGACY, "tools/call", "{\"name\":7}", 200, -32602),
                request(LEGACY, "tools/call", "{\"name\":\"search\",\"arguments\":[]}", 200, -32602),
                request(MODERN, "ping", "{}", 404, -32601),
                request(MODERN, "initialize", "{}", 404, -32601),
                request(MODERN, "subscriptions/listen", "{\"notifications\":{}}", 404, -32601),
                request(MODERN, "tools/call", "{\"name\":\"drop\"}", 200, -32602),
                header(MODERN, "MCP-Protocol-Version", "", -32020),
                header(MODERN, "MCP-Protocol-Version", LEGACY, -32020),
                header(MODERN, "Mcp-Method", "", -32020),
                header(MODERN, "Mcp-Method", "tools/list", -32020),
                header(MODERN, "Mcp-Method", "TOOLS/CALL", -32020),
                header(MODERN, "Mcp-Name", "", -32020),
                header(MODERN, "Mcp-Name", "search", -32020),
                header(MODERN, "Mcp-Name", "=?base64?!?=", -32020),
                header(LEGACY, "MCP-Protocol-Version", "2024-11-05", -32600),
                header(LEGACY, "MCP-Protocol-Version", "2099-01-01", -32600),
                header(LEGACY, "MCP-Protocol-Version", MODERN, -32602),
                discovery("io.modelcontextprotocol/protocolVersion", "x", -32602),
                discovery("io.modelcontextprotocol/clientCapabilities", "x", -32602),
                discovery(MODERN, "2099-01-01", -32022));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void aRefusalIsAnErrorWithTheIdOfTheRequest(
            String name, String body, Map<String, String> headers, int status, int code) {
        isHonest = false;
        HttpResponse<String> response = post("reader", body, headers);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body().length()).isLessThan(1_000);
        JsonNode error = parse(response.body());
        assertThat(error.at("/error/code").asInt()).as(response.body()).isEqualTo(code);
        // A body that cannot be read has no ID.
        assertThat(error.path("id").asInt()).isEqualTo(body.contains("\"id\":7") ? 7 : 0);
        assertThat(error.at("/error/data/supported/0").asText()).isEqualTo(code == -32022 ? MODERN : "");
    }

    static Stream<Arguments> acceptedHeaders() {
        return Stream.of(
                header(MODERN, "Mcp-Name", "=?base64?b3Blbl9pdGVtcw==?=", 0),
                header(MODERN, "Accept", "application/json", 0),
                header(LEGACY, "MCP-Protocol-Version", "", 0),
                header(LEGACY, "MCP-Protocol-Version", "2025-06-18", 0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("acceptedHeaders")
    void aHeaderMayHaveAnyFormThatTheVersionAllows(
            String name, String body, Map<String, String> headers, int status, int code) {
        isHonest = false;
        HttpResponse<String> response = post("reader", body, headers);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(parse(response.body()).has("result")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Type, text/plain",
        "Content-Type, application/x-ndjson",
        "Content-Type, text/plain; application/json",
        "Origin, https://evil.example.com",
        "Origin, null",
        "Origin, ''",
        "Origin, x",
        "Origin, http://127.0.0.1.evil.example.com",
        "Origin, http://127.0.0.1",
        "Origin, http://evil.example.com//127.0.0.1"
    })
    void anotherContentTypeAndThePageOfAnotherServerAreRefused(String header, String value) {
        isHonest = false;
        problem(
                post("reader", "{}", Map.of(header, value)),
                header.equals("Origin") ? Code.ORIGIN_NOT_ALLOWED : Code.UNSUPPORTED_CONTENT_TYPE);
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
