package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.AuditChain;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redrive;
import dev.parley.avro.Verdict;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.json.MaskRules;
import dev.parley.decode.WireRecord;
import dev.parley.encoding.ByteBuffers;
import dev.parley.encoding.Sha256;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.CursorSeal;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.cluster.Routing;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.Route;
import dev.parley.server.redrive.DeadLetterRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.DeadLetterSummaries;
import dev.parley.topology.views.store.ChainPosition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What readers see of messages with values that rules mask, by every route of the server. The messages pass the real
 * stages; all masked values contain "zq7q7z".
 */
class MaskedValuesTest extends HttpTest {
    private static final String SECRET = "zq7q7z";
    private static final String TALK = "/v1/conversations/default/mcp/s";
    private static final String PACKETS = "/v1/conversations/default/subit/p";
    private static final String RANGE = "?from=" + Samples.NOON + "&to=" + Samples.NOON.plusSeconds(60);
    private static final PublicContent READERS =
            new PublicContent(MaskRules.parse("default path:$.params.arguments.card pattern:C0DE-\\w+"));

    /** Paths of all routes that read. The value of a route without content of messages is empty. */
    private static final Map<String, List<String>> PATHS = new LinkedHashMap<>();

    /** Paths whose answers contain the values for those who may see them. */
    private static final List<String> SHOWING = List.of(
            TALK + "/messages?bodies=true",
            TALK + "/messages",
            TALK + "/messages?view=summary",
            TALK + "/messages/5?dialogue=true",
            TALK + "/messages/5/proof",
            TALK + "/state",
            TALK + "/blame",
            TALK + "/history?entry=tool/pay",
            TALK + "/diff?from=sequence:0&to=latest",
            PACKETS + "/messages?bodies=true",
            "/v1/search?q=hello",
            "/v1/dead-letters",
            "/v1/dead-letters/parley.dlq.judge.v1/0/9",
            "/v1/positions/parley.wire/0/5",
            "/v1/agents/default/client/state");

    static {
        String conversation = "/v1/conversations/{namespace}/{protocol}/{conversation}";
        PATHS.put("/v1/conversations", List.of("/v1/conversations?namespace=default&verdict=undecodable"));
        PATHS.put("/v1/conversations/total", List.of("/v1/conversations/total"));
        PATHS.put(conversation, List.of(TALK, PACKETS));
        PATHS.put(
                conversation + "/messages",
                List.of(
                        TALK + "/messages",
                        TALK + "/messages?bodies=true",
                        TALK + "/messages?view=summary",
                        PACKETS + "/messages?bodies=true"));
        PATHS.put(
                conversation + "/messages/{sequence}",
                Stream.iterate(0, sequence -> sequence + 1)
                        .limit(13)
                        .map(sequence -> TALK + "/messages/" + sequence + "?dialogue=true")
                        .toList());
        PATHS.put(
                conversation + "/messages/{sequence}/proof",
                List.of(TALK + "/messages/5/proof", TALK + "/messages/10/proof"));
        PATHS.put(conversation + "/messages/{sequence}/input", List.of());
        PATHS.put(conversation + "/state", List.of(TALK + "/state", TALK + "/state?limit=100", PACKETS + "/state"));
        PATHS.put(conversation + "/blame", List.of(TALK + "/blame"));
        PATHS.put(conversation + "/diff", List.of(TALK + "/diff?from=sequence:0&to=latest"));
        PATHS.put(conversation + "/calls", List.of(TALK + "/calls"));
        PATHS.put(conversation + "/history", List.of(TALK + "/history?entry=tool/pay"));
        PATHS.put(conversation + "/checkpoints", List.of());
        PATHS.put(conversation + "/checkpoints/{id}", List.of());
        PATHS.put("/v1/agents/{namespace}/{agent}/state", List.of("/v1/agents/default/client/state"));
        PATHS.put("/v1/dead-letters", List.of("/v1/dead-letters"));
        PATHS.put("/v1/dead-letters/counts", List.of("/v1/dead-letters/counts"));
        PATHS.put(
                "/v1/dead-letters/{topic}/{partition}/{offset}",
                List.of(
                        "/v1/dead-letters/parley.dlq.judge.v1/0/9",
                        "/v1/dead-letters/parley.dlq.decode.v1/0/10",
                        "/v1/dead-letters/parley.dlq.judge.v1/0/5"));
        PATHS.put(
                "/v1/positions/{topic}/{partition}/{offset}",
                List.of("/v1/positions/parley.wire/0/5", "/v1/positions/parley.wire/0/10"));
        PATHS.put("/v1/redrives", List.of("/v1/redrives?inputs=parley.wire-0@9"));
        PATHS.put("/v1/search", List.of("/v1/search", "/v1/search?q=hello", "/v1/search?q=masked"));
        PATHS.put("/v1/open-items", List.of("/v1/open-items"));
        PATHS.put("/v1/unapproved", List.of("/v1/unapproved"));
        PATHS.put("/v1/parked", List.of("/v1/parked"));
        for (String statistic : List.of("traffic", "violations", "edges", "turnaround")) {
            PATHS.put("/v1/stats/" + statistic, List.of("/v1/stats/" + statistic + RANGE));
        }
        for (String other : List.of(
                "/",
                "/health/live",
                "/health/ready",
                "/metrics",
                "/openapi.yaml",
                "/v1/accounting",
                "/v1/codes",
                "/v1/log",
                "/v1/log/{partition}/checkpoint",
                "/v1/log/{partition}/tile/{path}",
                "/v1/status",
                "/v1/whoami")) {
            PATHS.put(other, List.of(other.replace("{partition}", "0").replace("{path}", "0/000.p/13")));
        }
        // A stream: see theTailShowsNoMaskedValue.
        PATHS.put("/v1/tail", List.of());
    }

    private final OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
    private final LogNotes notes =
            new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())));
    private final LogOf log = new LogOf(0, notes);
    private long offset;

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected PublicContent readers() {
        return READERS;
    }

    @BeforeEach
    void fill() {
        client("""
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",\
                "capabilities":{},"clientInfo":{"name":"c","version":"1","password":"zq7q7z"}}}""");
        server("""
                {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26",\
                "capabilities":{"tools":{},"resources":{},"experimental":{"secret":"zq7q7z"}},\
                "serverInfo":{"name":"s","version":"1"},"instructions":"Ask zq7q7z@example.com"}}""");
        client("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        client("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
        server("""
                {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"pay","description":"Pays. Ask zq7q7z@example.com",\
                "inputSchema":{"type":"object","token":"zq7q7z"}}]}}""");
        client(
                """
                {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"pay","arguments":{"password":"zq7q7z",\
                "card":"zq7q7z","to\\u006ben":{"a":["zq7q7z"]},"API-Key":"zq7q7z",\
                "note":"{\\"secret\\": \\"zq7q7z\\"}",\
                "code":["C0DE-zq7q7z","C0\\u0044E-zq7q7z"],"x":"hello"}}}""",
                "mcp-param-card",
                "zq7q7z",
                "mcp-param-code",
                "C0DE-zq7q7z",
                "parley-http-query",
                "a=b&token=zq7q7z",
                "parley-http-path",
                "/users/zq7q7z@example.com");
        server("""
                {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"done, password: zq7q7z"}],\
                "structuredContent":{"password":"zq7q7z"}}}""");
        client("""
                {"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"mail://zq7q7z@example.com/"}}""");
        server("""
                {"jsonrpc":"2.0","id":"r","error":{"code":-32002,"message":"no zq7q7z@example.com",\
                "data":{"token":["zq7q7z"]}}}""");
        client("""
                {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"arguments":{"password":"zq7q7z"}}}""");
        client("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"p\\u0061ssword\":\"zq7q7z");
        client("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"secret\":\"zq7q7z\"}}]");
        client("{\"access_token\":\"zq7q7z\"}", "parley-http-status", "401");
        views.conversations.add(Samples.conversation("default", Protocol.MCP, "s", views.messages.size()));
        say(
                "p",
                "subit",
                "{\"type\":\"STATE\",\"payload\":\"101010\",\"meta\":{\"session\":\"p\",\"agent\":\"A\","
                        + "\"token\":\"zq7q7z\",\"note\":\"mail zq7q7z@example.com\"}}");
        views.conversations.add(Samples.conversation("default", Protocol.SUBIT, "p", 1));
        log.tiles().forEach(views.tiles::add);
        views.heads.add(log.head());
        views.accounting.add(Samples.accounting("parley.wire", 0, 100, 90, 0));
    }

    private void client(String wire, String... headers) {
        say(
                "s",
                "mcp",
                wire,
                Stream.concat(Stream.of(headers), Stream.of("parley-direction", "client-to-server"))
                        .toArray(String[]::new));
    }

    private void server(String wire) {
        say("s", "mcp", wire, "parley-direction", "server-to-client");
    }

    private void say(String conversation, String protocol, String wire, String... more) {
        List<InboundHeader> headers = new ArrayList<>(
                List.of(header("parley-protocol", protocol), header("parley-conversation", conversation)));
        for (int i = 0; i < more.length; i += 2) {
            headers.add(header(more[i], more[i + 1]));
        }
        long at = offset++;
        long sequence = conversation.equals("s") ? at : 0;
        dev.parley.avro.Source source =
                new dev.parley.avro.Source("parley.wire", 0, at, Samples.NOON.plusSeconds(at), null);
        pipeline.accept(
                new WireRecord(source, null, wire.getBytes(UTF_8), RecordHeaders.NONE),
                headers,
                judged -> {},
                record -> {
                    // An undecodable record has the chain of its input partition.
                    record.setChain("default|" + protocol.toUpperCase(java.util.Locale.ROOT) + "|" + conversation);
                    record.setSequence(sequence);
                    AuditRecord sealed = log.append(record);
                    views.messages.add(sealed);
                    tail.add(sealed);
                    views.links.put(InputPosition.of(source), new ChainPosition(sealed.getChain(), sequence));
                    letter(sealed, wire, at);
                });
    }

    /** Adds a dead letter of each message, accepted ones too. Its detail quotes it. */
    private void letter(AuditRecord record, String wire, long at) {
        boolean isDecoded = record.getMessage() != null;
        Headers headers = new org.apache.kafka.common.header.internals.RecordHeaders();
        DeadLetterHeaders.addStandard(headers, "verdict", "It says " + wire, "", record.getSource());
        DeadLetterHeaders.set(headers, DeadLetterHeaders.CODE, "SOME_CODE");
        DeadLetterHeaders.set(
                headers,
                DeadLetterHeaders.PROTOCOL,
                isDecoded ? record.getMessage().getProtocol() : "MCP");
        headers.add(new RecordHeader("authorization", "zq7q7z".getBytes(UTF_8)));
        InputPosition id = new InputPosition(isDecoded ? "parley.dlq.judge.v1" : "parley.dlq.decode.v1", 0, at);
        redriver.add(new DeadLetterRecord(id, 0, "zq7q7z".getBytes(UTF_8), wire.getBytes(UTF_8), headers));
        views.deadLetters.add(DeadLetterSummaries.of(id.topic(), 0, at, 0, headers, wire.getBytes(UTF_8)));
        redriver.redrives.add(Redrive.newBuilder()
                .setSource(InputPosition.of(record.getSource()).toString())
                .setDeadLetter(id.toString())
                .setSent("parley.wire-0@" + (at + 100))
                .setAttempt(2)
                .setBy("mia")
                .setReason("again")
                .setTime(Instant.EPOCH)
                .setOperation("o")
                .setOriginalHash(ByteBuffer.wrap(Sha256.of(wire.getBytes(UTF_8))))
                .setSentHash(ByteBuffer.wrap(Sha256.of(wire.getBytes(UTF_8))))
                .build());
    }

    private static InboundHeader header(String name, String value) {
        return new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)));
    }

    @Test
    void theMessagesAreThoseOfTheirKinds() {
        assertThat(views.messages.stream().map(AuditRecord::getVerdict))
                .contains(Verdict.ACCEPTED.name(), Verdict.REJECTED.name(), Verdict.UNDECODABLE.name());
        assertThat(views.messages.get(9).getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(views.messages.get(10).getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(views.messages.subList(11, 14)).allMatch(record -> record.getMessage() != null);
    }

    @Test
    void everyRouteThatReadsIsAsked() {
        List<String> reading = Routes.of(
                        api(),
                        api().views()
                                .map(all -> new ViewApi(
                                        new Routing(all), null, TopicNames.DEFAULT, READERS, CursorSeal.of(List.of()))),
                        Tokens.security())
                .routes()
                .stream()
                .filter(route -> route.method() == HttpMethod.GET)
                .map(Route::path)
                .toList();
        assertThat(reading).containsExactlyInAnyOrderElementsOf(PATHS.keySet());
    }

    static Stream<String> paths() {
        return Stream.concat(PATHS.values().stream().flatMap(List::stream), SHOWING.stream())
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void noAnswerToAReaderHasAMaskedValueOrAHashThatConfirmsOne(String path) {
        HttpResponse<String> response = ask("reader", path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(texts(response.body())).allSatisfy(text -> assertThat(text).doesNotContainIgnoringCase(SECRET));
        for (AuditRecord record : views.messages) {
            byte[] hash = Sha256.of(ByteBuffers.of(AuditChain.raw(record)));
            if (record.getMessage() != null && path.contains("bodies=true")) {
                assertThat(response.body().contains(HexFormat.of().formatHex(hash))
                                && new String(ByteBuffers.of(AuditChain.raw(record)), UTF_8).contains(SECRET))
                        .isFalse();
            }
        }
    }

    static Stream<String> showing() {
        return SHOWING.stream();
    }

    @ParameterizedTest
    @MethodSource("showing")
    void auditorsSeeTheValues(String path) {
        assertThat(texts(ask("auditor", path).body()))
                .as(path)
                .anySatisfy(text -> assertThat(text).containsIgnoringCase(SECRET));
    }

    /** The body, and what strings in it have in base64. */
    private static List<String> texts(String body) {
        List<String> texts = new ArrayList<>(List.of(body));
        for (String word : body.split("[\"\\s]")) {
            try {
                texts.add(new String(Base64.getMimeDecoder().decode(word), UTF_8));
            } catch (IllegalArgumentException e) {
                // Another string.
                continue;
            }
        }
        return texts;
    }

    @Test
    void aReaderSeesTheRestOfAMessageWithAMarkerForEachValue() {
        JsonNode shown = parse(ask("reader", TALK + "/messages/5").body());
        assertThat(shown.path("redacted").asBoolean()).isFalse();
        assertThat(shown.path("detail").isNull()).isTrue();
        assertThat(shown.path("payloadHash").isNull()).isTrue();
        assertThat(shown.path("hash").asText()).hasSize(64);
        JsonNode raw = parse(shown.path("raw").asText()).at("/params/arguments");
        assertThat(raw.path("card").asText()).isEqualTo(PublicContent.MARKER);
        assertThat(raw.path("token").asText()).isEqualTo(PublicContent.MARKER);
        assertThat(raw.path("note").asText()).isEqualTo("{\"secret\": \"[masked]\"}");
        assertThat(raw.path("x").asText()).isEqualTo("hello");
        JsonNode decoded = shown.at("/message/mcp");
        assertThat(decoded.at("/message/params").asText()).contains("\"card\":\"[masked]\"", "\"x\":\"hello\"");
        assertThat(decoded.path("name").asText()).isEqualTo("pay");
        assertThat(decoded.at("/capture/httpQuery").asText()).isEqualTo("a=b&token=[masked]");
        assertThat(shown.path("gloss").asText()).contains("pay").contains("[masked]");
    }

    @Test
    void anAnswerSaysThatValuesAreMaskedForItsCaller() {
        for (String path : List.of(
                TALK + "/messages/5",
                TALK + "/messages?from=5&limit=1",
                TALK + "/messages?from=5&limit=1&view=summary",
                "/v1/positions/parley.wire/0/5",
                "/v1/search?q=hello&limit=1")) {
            assertThat(ask("reader", path).body()).as(path).contains("\"masked\":true");
            assertThat(ask("auditor", path).body()).as(path).doesNotContain("\"masked\"");
        }
        for (int whole : List.of(2, 10)) {
            assertThat(ask("reader", TALK + "/messages/" + whole).body())
                    .as("shown or hidden whole")
                    .doesNotContain("\"masked\"");
        }
    }

    @Test
    void anUndecodableRecordThatMayContainAValueIsHiddenWhole() {
        JsonNode shown = parse(ask("reader", TALK + "/messages/10").body());
        assertThat(shown.path("redacted").asBoolean()).isTrue();
        assertThat(shown.path("raw").isNull()).isTrue();
        assertThat(shown.path("code").asText()).startsWith("MCP_");
    }

    @Test
    void wordsOfMaskedValuesAreFoundByAuditorsOnly() {
        for (String word :
                List.of("zq7q7z", "zq7q7z+hello", "zq7q7z+pay", "%22zq7q7z%22", "zq7q7z*", "hello+zq7q7z+OR+zq8")) {
            assertThat(ask("reader", "/v1/search?q=" + word).body()).as(word).doesNotContain("\"hit\"");
            assertThat(ask("auditor", "/v1/search?q=" + word).body()).as(word).contains("\"hit\"");
        }
        assertThat(ask("reader", "/v1/search?q=hello").body()).contains("\"hit\"", "[masked]");
        assertThat(ask("reader", "/v1/search?q=hello+-zq7q7z").body())
                .as("an exclusion tells nothing")
                .contains("\"hit\"");
    }

    @Test
    void theTailShowsNoMaskedValue() throws Exception {
        assertThat(tail("auditor")).anyMatch(line -> line.contains(SECRET));
        assertThat(tail("reader"))
                .noneMatch(line -> line.contains(SECRET))
                .anyMatch(line -> line.contains("\"masked\":true"));
    }

    private List<String> tail(String token) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server().uri() + "/v1/tail?after=" + new Uuid(0, 1) + ".0"))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        BodyHandlers.ofInputStream());
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            int events = 0;
            while (events < views.messages.size()) {
                String line = reader.readLine();
                lines.add(line);
                events += line.startsWith("data:") ? 1 : 0;
            }
        }
        return lines;
    }

    private HttpResponse<String> ask(String role, String path) {
        return send("GET", path, "Authorization", "Bearer " + role);
    }
}
