package dev.parley.server.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.OpenItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.json.MaskRules;
import dev.parley.decode.WireRecord;
import dev.parley.json.ApiJson;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.LogOf;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.HttpSecurity;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.store.ChainPosition;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/**
 * A server of MCP over an audit trail that the real stages have made. What a test exchanges with it is captured like
 * any other traffic, and {@link #theTrafficHasNoViolation} judges it.
 */
abstract class McpServer extends HttpTest {
    static final String MODERN = "2026-07-28";
    static final String LEGACY = "2025-11-25";

    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private final LogOf log =
            new LogOf(0, new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair()))));
    private final Map<String, Long> sequences = new HashMap<>();
    private final List<WireRecord> captured = new ArrayList<>();
    private final List<List<InboundHeader>> capturedHeaders = new ArrayList<>();
    /** Recent, so that a draft continues the dialogue. */
    private final Instant begin = Instant.now().minusSeconds(1_000).truncatedTo(ChronoUnit.SECONDS);

    private long offset;
    private int exchanges;

    /** Whether the test sends only what an honest client does. */
    protected boolean isHonest = true;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected PublicContent readers() {
        return new PublicContent(MaskRules.parse("default"));
    }

    /** Records a message after its verdict. */
    final AuditRecord say(String namespace, String protocol, String conversation, String wire, String... more) {
        List<InboundHeader> headers = new ArrayList<>(List.of(
                header(RecordHeaders.NAMESPACE, namespace),
                header(RecordHeaders.PROTOCOL, protocol),
                header(RecordHeaders.CONVERSATION, conversation)));
        for (int i = 0; i < more.length; i += 2) {
            headers.add(header(more[i], more[i + 1]));
        }
        Source source = new Source("parley.wire", 0, offset, begin.plusSeconds(offset), null);
        offset++;
        List<AuditRecord> recorded = new ArrayList<>();
        pipeline.accept(record(source, wire, headers), headers, judged -> {}, recorded::add);
        AuditRecord record = recorded.get(0);
        long sequence = sequences.merge(record.getChain(), 1L, Long::sum) - 1;
        record.setSequence(sequence);
        AuditRecord sealed = log.append(record);
        views.messages.add(sealed);
        views.links.put(InputPosition.of(source), new ChainPosition(sealed.getChain(), sequence));
        if (sealed.getMessage() != null) {
            views.conversations.removeIf(summary -> summary.getChain().equals(sealed.getChain()));
            views.conversations.add(Samples.conversation(
                    namespace,
                    Protocol.valueOf(protocol.toUpperCase(Locale.ROOT)),
                    sealed.getMessage().getConversation(),
                    sequence + 1));
        }
        return sealed;
    }

    final AuditRecord client(String conversation, String wire) {
        return say("default", "mcp", conversation, wire, "parley-direction", "client-to-server");
    }

    final AuditRecord server(String conversation, String wire) {
        return say("default", "mcp", conversation, wire, "parley-direction", "server-to-client");
    }

    /** A session with a tool, whose description and call have secrets and texts. */
    final void session(String name, String description, String argument) {
        say("default", "mcp", name, """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
                "capabilities":{},"clientInfo":{"name":"c","version":"1"}}}""", "parley-direction", "client-to-server", "parley-capture", "start");
        server(name, """
                {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
                "serverInfo":{"name":"s","version":"1"}}}""");
        client(name, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        client(name, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
        server(
                name,
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"pay\",\"description\":"
                        + ApiJson.text(description) + ",\"inputSchema\":{\"type\":\"object\"}}]}}");
        client(
                name,
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":"
                        + "{\"password\":\"zq7\",\"x\":" + ApiJson.text(argument) + "}}}");
        // The ID is that of an open request.
        client(name, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}");
        views.openItems.add(OpenItem.newBuilder()
                .setNamespace("default")
                .setProtocol("MCP")
                .setConversation(name)
                .setSequence(5)
                .setKind("TASK")
                .setItem("3")
                .setName("pay")
                .setAgent("server")
                .setRequester("client")
                .setSince(Samples.NOON)
                .build());
    }

    private static WireRecord record(Source source, String wire, List<InboundHeader> headers) {
        Map<String, String> texts = new HashMap<>();
        headers.forEach(header -> texts.put(
                header.getKey(), UTF_8.decode(header.getValue().duplicate()).toString()));
        return new WireRecord(source, null, wire == null ? null : wire.getBytes(UTF_8), RecordHeaders.ofText(texts));
    }

    private static InboundHeader header(String name, String value) {
        return new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)));
    }

    /** Posts a body with headers, by a caller with the token; a null header is left out. */
    final HttpResponse<String> post(String token, String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().uri() + "/mcp"))
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        Map<String, String> all = new HashMap<>(
                Map.of("Content-Type", "application/json", "Accept", "application/json, text/event-stream"));
        all.putAll(headers);
        all.forEach(request::header);
        HttpResponse<String> response = send(request.build());
        capture(body, headers, response);
        return response;
    }

    private void capture(String body, Map<String, String> headers, HttpResponse<String> response) {
        String exchange = Integer.toString(exchanges++);
        List<InboundHeader> sent = new ArrayList<>(List.of(
                header("parley-direction", "client-to-server"),
                header("parley-http-method", "POST"),
                header("parley-http-path", "/mcp")));
        headers.forEach((name, value) -> sent.add(header(name.toLowerCase(Locale.ROOT), value)));
        List<InboundHeader> received = new ArrayList<>(List.of(
                header("parley-direction", "server-to-client"),
                header("parley-http-status", Integer.toString(response.statusCode()))));
        add(exchange, body, sent);
        add(exchange, response.body().isEmpty() ? null : response.body(), received);
    }

    private void add(String exchange, String body, List<InboundHeader> headers) {
        headers.add(header("parley-exchange", exchange));
        headers.add(header("parley-protocol", "mcp"));
        headers.add(header("parley-conversation", "own"));
        if (captured.isEmpty()) {
            headers.add(header("parley-capture", "start"));
        }
        Source source = new Source(
                "parley.wire.mcp", 0, (long) captured.size(), Samples.NOON.plusSeconds(captured.size()), null);
        captured.add(record(source, body, headers));
        capturedHeaders.add(headers);
    }

    /** The verdicts on what this server and its clients have exchanged. */
    private List<JudgedRecord> traffic() {
        OfflinePipeline own = new OfflinePipeline(StageSettings.DEFAULT);
        List<JudgedRecord> verdicts = new ArrayList<>();
        for (int i = 0; i < captured.size(); i++) {
            own.accept(captured.get(i), capturedHeaders.get(i), verdicts::add);
        }
        return verdicts;
    }

    @AfterEach
    void theTrafficHasNoViolation() {
        if (isHonest) {
            assertThat(traffic()).allSatisfy(judged -> {
                assertThat(judged.judgement().code())
                        .as(judged.judgement().detail())
                        .isNull();
                assertThat(judged.judgement().warnings()).isEmpty();
            });
        }
    }

    /** Headers of a request of an era. */
    static Map<String, String> headers(String version, String method, String name) {
        Map<String, String> headers = new HashMap<>();
        if (!method.equals("initialize") || version.equals(MODERN)) {
            headers.put("MCP-Protocol-Version", version);
        }
        if (version.equals(MODERN)) {
            headers.put("Mcp-Method", method);
            if (name != null) {
                headers.put("Mcp-Name", name);
            }
        }
        return headers;
    }

    /** A request of an era. */
    static String request(String version, int id, String method, ObjectNode params) {
        if (version.equals(MODERN)) {
            ObjectNode meta = params.putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", MODERN);
            meta.putObject("io.modelcontextprotocol/clientCapabilities");
            meta.putObject("io.modelcontextprotocol/clientInfo")
                    .put("name", "c")
                    .put("version", "1");
        }
        return McpMessage.JSON
                .createObjectNode()
                .put("jsonrpc", "2.0")
                .put("id", id)
                .put("method", method)
                .set("params", params)
                .toString();
    }

    private int ids;

    /** Sends a request of an era, and returns the response. */
    final JsonNode ask(String version, String token, String method, ObjectNode params) {
        String name = method.equals("tools/call") ? params.path("name").asText() : null;
        String body = request(version, ++ids, method, params);
        HttpResponse<String> response = post(token, body, headers(version, method, name));
        assertThat(response.headers().firstValue("Content-Type"))
                .as(response.body())
                .hasValue("application/json");
        JsonNode message = parse(response.body());
        assertThat(message.path("id").asInt()).isEqualTo(ids);
        return message;
    }

    /** Begins a session of a version with a handshake. */
    final JsonNode shakeHands(String version) {
        ObjectNode params = McpMessage.JSON.createObjectNode().put("protocolVersion", version);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "c").put("version", "1");
        JsonNode result = ask(version, "reader", "initialize", params).path("result");
        HttpResponse<String> response = post(
                "reader",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                Map.of("MCP-Protocol-Version", result.path("protocolVersion").asText()));
        assertThat(response.statusCode()).isEqualTo(202);
        assertThat(response.body()).isEmpty();
        return result;
    }

    /** The result of a tool, in an era. */
    final JsonNode call(String version, String token, String tool, String arguments) {
        ObjectNode params = McpMessage.JSON.createObjectNode().put("name", tool);
        params.set("arguments", parse(arguments));
        return ask(version, token, "tools/call", params).path("result");
    }

    /** The structured content of a tool for a reader. */
    final JsonNode content(String tool, String arguments) {
        return content("reader", tool, arguments);
    }

    final JsonNode content(String token, String tool, String arguments) {
        JsonNode result = call(MODERN, token, tool, arguments);
        assertThat(result.has("isError")).as(result.toString()).isFalse();
        return result.path("structuredContent");
    }

    /** The text of a tool that fails. */
    final String failure(String token, String tool, String arguments) {
        JsonNode result = call(MODERN, token, tool, arguments);
        assertThat(result.path("isError").asBoolean()).as(result.toString()).isTrue();
        assertThat(result.has("structuredContent")).isFalse();
        return result.at("/content/0/text").asText();
    }
}
