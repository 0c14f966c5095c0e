package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaTrust;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redrive;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.Source;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.decode.WireRecord;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.protocol.TopicNames;
import dev.parley.server.api.view.CursorSeal;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.cluster.Routing;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.server.redrive.DeadLetterRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.DeadLetterSummaries;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What callers with a token for the namespace alpha learn about the namespace bravo, by every route of the server. Both
 * have data of each kind; ghost has none. In requests, {@code NAME} is a namespace, and {@code 7777} an offset in it.
 */
class NamespaceMatrixTest extends HttpTest {

    private static final String OWN = "alpha";
    private static final String FOREIGN = "bravo";
    private static final String NONE = "ghost";

    /** The first offset of the records of a namespace. */
    private static final Map<String, String> OFFSETS = Map.of(OWN, "10203040", FOREIGN, "50607080", NONE, "90807060");

    /** Offsets of undecodable records, which belong to no namespace. */
    private static final List<Long> UNDECODABLE = List.of(70_605_041L, 70_605_042L);

    private static final Instant MINUTE = Samples.NOON;
    private static final String SLIP = "GET /v1/conversations/{namespace}/{protocol}/{conversation}";

    /** Requests of each route whose responses are about namespaces. */
    private static final Map<String, List<String>> SCOPED = new LinkedHashMap<>();

    /** Routes about all namespaces, which bound callers may not use. */
    private static final Set<String> REFUSED =
            Set.of("GET /v1/accounting", "GET /v1/status", "GET /metrics", "GET /health/ready");

    /** Routes whose responses have nothing of a namespace: heads and tiles are hashes. */
    private static final Set<String> NEUTRAL = Set.of(
            "GET /",
            "GET /health/live",
            "GET /openapi.yaml",
            "GET /v1/codes",
            "GET /v1/log",
            "GET /v1/log/{partition}/checkpoint",
            "GET /v1/log/{partition}/tile/{path}",
            "GET /v1/whoami");

    static {
        route(
                "GET /v1/conversations",
                "",
                "?namespace=NAME",
                "?protocol=slip",
                "?sort=errors&order=asc",
                "?verdict=accepted&namespace=NAME",
                "?code=UNKNOWN_PROTOCOL&namespace=NAME",
                "?at-least=parley.wire-3@7777");
        route("GET /v1/conversations/total", "", "?namespace=NAME", "?protocol=slip&namespace=NAME");
        String conversation = "/v1/conversations/NAME/slip/NAME-talk";
        path(SLIP, conversation, conversation + "?at-least=parley.wire-3@7777");
        path(SLIP + "/messages", conversation + "/messages", conversation + "/messages?view=summary");
        path(SLIP + "/messages/{sequence}", conversation + "/messages/0?dialogue=true", conversation + "/messages/9");
        path(SLIP + "/messages/{sequence}/proof", conversation + "/messages/0/proof");
        path(SLIP + "/messages/{sequence}/input", conversation + "/messages/0/input");
        path("POST" + SLIP.substring(3) + "/compose", conversation + "/compose?repair=0");
        path("POST" + SLIP.substring(3) + "/messages/{sequence}/redact", conversation + "/messages/0/redact");
        path("POST" + SLIP.substring(3) + "/messages/{sequence}/approve", conversation + "/messages/0/approve");
        String context = "/v1/conversations/NAME/csp/NAME-context";
        path(SLIP + "/state", context + "/state", conversation + "/state", context + "/state?at=checkpoint:C1");
        path(SLIP + "/blame", context + "/blame");
        path(SLIP + "/diff", context + "/diff?from=checkpoint:C0&to=latest");
        path(SLIP + "/calls", context + "/calls");
        path(SLIP + "/history", context + "/history?entry=NAME");
        path(SLIP + "/checkpoints", context + "/checkpoints");
        path(SLIP + "/checkpoints/{id}", context + "/checkpoints/C1", context + "/checkpoints/C9");
        path("GET /v1/agents/{namespace}/{agent}/state", "/v1/agents/NAME/X/state");
        route(
                "GET /v1/dead-letters",
                "",
                "?namespace=NAME",
                "?sender=NAME-agent",
                "?stage=decode&namespace=NAME",
                "?at-least=parley.wire-3@7777");
        route("GET /v1/dead-letters/counts", "", "?namespace=NAME", "?code=SLIP_TURN_REUSED&conversation=NAME-talk");
        path(
                "GET /v1/dead-letters/{topic}/{partition}/{offset}",
                "/v1/dead-letters/parley.dlq.judge.v1/0/7777",
                "/v1/dead-letters/parley.dlq.decode.v1/0/7777");
        path("GET /v1/positions/{topic}/{partition}/{offset}", "/v1/positions/parley.wire/3/7777");
        route("GET /v1/redrives", "?inputs=parley.wire-3@7777");
        route(
                "GET /v1/search",
                "",
                "?q=NAME",
                "?namespace=NAME",
                "?sender=NAME-agent&verdict=accepted",
                "?reference=task:NAME");
        route("GET /v1/open-items", "", "?namespace=NAME", "?agent=NAME-agent");
        route("GET /v1/parked", "", "?namespace=NAME", "?conversation=NAME-context");
        route("GET /v1/unapproved", "", "?namespace=NAME");
        for (String statistic : List.of("traffic", "violations", "edges", "turnaround")) {
            String range = "?from=" + MINUTE + "&to=" + MINUTE.plusSeconds(60);
            route("GET /v1/stats/" + statistic, range, range + "&namespace=NAME", range + "&by=none");
        }
        route("GET /v1/tail");
        route("POST /v1/dead-letters:redrive");
        route("POST /v1/dead-letters:close");
        route("POST /v1/dead-letters:reopen");
        route("POST /v1/wire");
        // McpToolsTest calls its tools for a bound caller.
        route("POST /mcp");
    }

    private static void route(String route, String... queries) {
        String path = route.substring(route.indexOf(' ') + 1);
        SCOPED.put(route, Stream.of(queries).map(query -> path + query).toList());
    }

    private static void path(String route, String... paths) {
        SCOPED.put(route, List.of(paths));
    }

    private final LogNotes notes =
            new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())));
    private final LogOf log = new LogOf(0, notes);
    private final HttpClient client = HttpClient.newHttpClient();

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void fill() {
        redactor = redaction -> new InputPosition("parley.redaction.v1", 0, 1);
        add(OWN);
        add(FOREIGN);
        // Undecodable records that claim both namespaces, from the agents of the other.
        undecodable(OWN, FOREIGN, UNDECODABLE.get(0));
        undecodable(FOREIGN, OWN, UNDECODABLE.get(1));
        views.accounting.add(Samples.accounting("parley.wire", 3, 100, 90, 1));
        log.tiles().forEach(views.tiles::add);
        views.heads.add(log.head());
        tail.add(record(OWN, 1));
    }

    private static Source source(long offset) {
        return new Source("parley.wire", 3, offset, Samples.NOON.plusSeconds(offset % 10), null);
    }

    private static AuditRecord record(String name, long offset) {
        return Samples.audit(name + "|SLIP|" + name + "-talk", 0)
                .setSource(source(offset))
                .setWarnings(List.of("MCP_DEFINITION_CHANGED"))
                .setMessage(Samples.message(Protocol.SLIP, name + "-talk", offset, "@a3|f0|c7|S0|d1|T0|k5# " + name)
                        .setNamespace(name)
                        .setSource(source(offset))
                        .setSender(name + "-agent")
                        .setRecipients(List.of(name + "-peer"))
                        .setReferences(List.of(new Reference("task", name)))
                        .setSlip(SlipMessage.newBuilder()
                                .setAct(SlipAct.REQUEST)
                                .setFrame(SlipFrame.TASK)
                                .setConversation(7)
                                .setSource(0)
                                .setDestination(1)
                                .setTurn(0)
                                .setTaskId(5L)
                                .build())
                        .build())
                .build();
    }

    /** Adds one thing of each kind. */
    private void add(String name) {
        long offset = Long.parseLong(OFFSETS.get(name));
        views.conversations.add(Samples.conversation(name, Protocol.SLIP, name + "-talk", 1));
        views.conversations.add(Samples.conversation(name, Protocol.LAMBDA, name + "-secret", 1));
        AuditRecord slip = log.append(record(name, offset));
        AuditRecord secret = log.append(Samples.audit(name + "|LAMBDA|" + name + "-secret", 0)
                .setSource(source(offset + 1))
                .setMessage(Samples.message(Protocol.LAMBDA, name + "-secret", offset + 1, "prv: !" + name)
                        .setNamespace(name)
                        .setSource(source(offset + 1))
                        .setSender(name + "-agent")
                        .setLambda(LambdaMessage.newBuilder()
                                .setKind(LambdaKind.STATEMENTS)
                                .setTrust(LambdaTrust.PRIVATE)
                                .setStatements(List.of())
                                .build())
                        .build())
                .build());
        views.messages.addAll(List.of(slip, secret));
        tail.add(slip);
        tail.add(secret);
        context(name, offset + 3);
        views.parked.add(
                new ParkedItem(name, name + "-context", "P2", "C4", "C5", name + "-agent", source(offset + 2)));
        views.openItems.add(OpenItem.newBuilder()
                .setNamespace(name)
                .setProtocol("SLIP")
                .setConversation(name + "-talk")
                .setSequence(0)
                .setKind("TASK")
                .setAgent(name + "-agent")
                .setRequester(name + "-agent")
                .setSince(MINUTE)
                .build());
        statistics(name);
        letter("judge", "parley.error.", name, offset);
        redriver.redrives.add(Redrive.newBuilder()
                .setSource("parley.wire-3@" + offset)
                .setDeadLetter("parley.dlq.judge.v1-0@" + offset)
                .setSent("parley.wire-3@" + (offset + 1))
                .setAttempt(2)
                .setBy(name + "-operator")
                .setReason(name)
                .setTime(MINUTE)
                .setOperation(name)
                .build());
    }

    /** Adds a context that shows the agent X a definition. */
    private void context(String name, long offset) {
        String patch = "\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF " + name + " = " + name + "\nAPPLY -> C1";
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        say(pipeline, name, offset, "CSP/1\nFROM M\nTO MEM\nCTX C0" + patch);
        say(pipeline, name, offset + 1, "CSP/1\nFROM M\nTO X\nCTX C1\nINTENT QUERY\n\nQUERY\nWHAT now");
        views.conversations.add(Samples.conversation(name, Protocol.CSP, name + "-context", 2));
    }

    private void say(OfflinePipeline pipeline, String name, long offset, String wire) {
        pipeline.accept(
                new WireRecord(source(offset), null, wire.getBytes(UTF_8), dev.parley.codec.RecordHeaders.NONE),
                Map.of("parley-namespace", name, "parley-conversation", name + "-context").entrySet().stream()
                        .map(header -> new InboundHeader(
                                header.getKey(),
                                ByteBuffer.wrap(header.getValue().getBytes(UTF_8))))
                        .toList(),
                judged -> judged.checkpoints().forEach(made -> views.nodes.add(new CheckpointNode(made, true))),
                views.messages::add);
    }

    private void statistics(String name) {
        Instant end = MINUTE.plusSeconds(60);
        views.rows.add(TrafficCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(end)
                .setNamespace(name)
                .setProtocol("SLIP")
                .setPerformative("REQUEST")
                .setSender(name + "-agent")
                .setVerdict("ACCEPTED")
                .setMessages(7)
                .build());
        views.rows.add(ViolationCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(end)
                .setNamespace(name)
                .setProtocol("SLIP")
                .setSender(name + "-agent")
                .setKind("VIOLATION")
                .setCode("SLIP_TURN_REUSED")
                .setMessages(7)
                .build());
        views.rows.add(EdgeCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(end)
                .setNamespace(name)
                .setProtocol("SLIP")
                .setSender(name + "-agent")
                .setRecipient(name + "-agent")
                .setMessages(7)
                .setAccepted(7)
                .setFlagged(0)
                .setRejected(0)
                .build());
        TurnaroundCount turnaround = new TurnaroundCount();
        turnaround.getSchema().getFields().stream()
                .filter(field -> field.schema().getType() == org.apache.avro.Schema.Type.LONG)
                .filter(field -> field.schema().getLogicalType() == null)
                .forEach(field -> turnaround.put(field.pos(), 7L));
        turnaround.setWindowStart(MINUTE);
        turnaround.setWindowEnd(end);
        turnaround.setNamespace(name);
        turnaround.setProtocol("SLIP");
        turnaround.setAgent(name + "-agent");
        turnaround.setKind("TASK");
        turnaround.setOutcome("ACCEPTED");
        views.rows.add(turnaround);
    }

    /** An undecodable record of one namespace, which claims another. */
    private void undecodable(String claimed, String from, long offset) {
        String chain = "|UNKNOWN|parley.wire-3";
        long sequence = offset - UNDECODABLE.get(0);
        AuditRecord record = Samples.undecodable(chain, (from + " and " + claimed).getBytes(UTF_8));
        record.setSequence(sequence);
        record.setSource(source(offset));
        record.setClaims(Claims.newBuilder()
                .setNamespace(claimed)
                .setConversation(claimed + "-talk")
                .setSender(claimed + "-agent")
                .setProtocol("SLIP")
                .build());
        views.messages.add(record);
        tail.add(record);
        views.claims.add(new ClaimedRecord(
                claimed, Protocol.SLIP, claimed + "-talk", chain, sequence, MINUTE, "UNKNOWN_PROTOCOL"));
        letter("decode", "parley.error.claimed-", claimed, Long.parseLong(OFFSETS.get(claimed)));
        views.rows.add(TrafficCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(MINUTE.plusSeconds(60))
                .setNamespace(claimed)
                .setProtocol("SLIP")
                .setPerformative("UNSPECIFIED")
                .setSender(from + "-agent")
                .setVerdict("UNDECODABLE")
                .setMessages(100)
                .build());
    }

    private void letter(String stage, String prefix, String name, long offset) {
        Headers headers = new RecordHeaders();
        Map.of(
                        "__streams.errors.topic",
                        "parley.wire",
                        "__streams.errors.partition",
                        "3",
                        "__streams.errors.offset",
                        Long.toString(offset),
                        "parley.error.code",
                        "SLIP_TURN_REUSED",
                        "parley.error.protocol",
                        "SLIP",
                        prefix + "namespace",
                        name,
                        prefix + "conversation",
                        name + "-talk",
                        prefix + "sender",
                        name + "-agent")
                .forEach((header, value) -> headers.add(header, value.getBytes(UTF_8)));
        DeadLetterRecord letter = new DeadLetterRecord(
                new InputPosition("parley.dlq." + stage + ".v1", 0, offset),
                offset,
                name.getBytes(UTF_8),
                ("@a3|" + name).getBytes(UTF_8),
                headers);
        redriver.add(letter);
        DeadLetterSummary summary = DeadLetterSummaries.of(
                letter.id().topic(), 0, offset, letter.timestamp(), letter.headers(), letter.value());
        views.deadLetters.add(summary);
    }

    private List<Route> routes() {
        return Routes.of(
                        api(),
                        api().views()
                                .map(all -> new ViewApi(
                                        new Routing(all),
                                        null,
                                        TopicNames.DEFAULT,
                                        PublicContent.WITHOUT_RULES,
                                        CursorSeal.of(List.of()))),
                        Tokens.security())
                .routes();
    }

    private static String named(Route route) {
        return route.method() + " " + route.path();
    }

    /** A request as it is about a namespace. */
    private static String about(String name, String request) {
        return request.replace("NAME", name).replace("7777", OFFSETS.get(name));
    }

    private HttpResponse<String> ask(String token, String method, String path) {
        String body = path.endsWith("/redact") || path.endsWith("/approve") ? "{\"reason\":\"wrong\"}" : "";
        return ask(token, method, path, body);
    }

    private HttpResponse<String> ask(String token, String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().uri() + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    /** Everything that a client gets. */
    private static String all(HttpResponse<String> response) {
        return response.statusCode() + " " + response.headers().map() + response.body();
    }

    @Test
    void everyRouteHasADecision() {
        assertThat(routes().stream().map(NamespaceMatrixTest::named))
                .containsExactlyInAnyOrderElementsOf(Stream.of(SCOPED.keySet(), REFUSED, NEUTRAL)
                        .flatMap(Set::stream)
                        .toList());
        assertThat(routes().stream().filter(route -> !route.isScoped()).map(NamespaceMatrixTest::named))
                .containsExactlyInAnyOrderElementsOf(REFUSED);
    }

    static Stream<String> requests() {
        return SCOPED.entrySet().stream()
                .flatMap(route -> route.getValue().stream()
                        .map(path -> route.getKey().substring(0, route.getKey().indexOf(' ')) + " " + path));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aBoundCallerSeesOnlyItsNamespace(String request) {
        String method = request.substring(0, request.indexOf(' '));
        String path = request.substring(request.indexOf(' ') + 1);
        for (String role : List.of("operator", "reader")) {
            String bound = role + ":" + OWN;
            HttpResponse<String> own = ask(bound, method, about(OWN, path));
            HttpResponse<String> everything = ask(role, method, about(OWN, path));
            assertThat(all(own))
                    .doesNotContain(FOREIGN, OFFSETS.get(FOREIGN))
                    .doesNotContain(UNDECODABLE.stream().map(String::valueOf).toList());
            if (!path.contains("decode")) {
                assertThat(own.statusCode()).as(own.body()).isEqualTo(everything.statusCode());
            }
            HttpResponse<String> foreign = ask(bound, method, about(FOREIGN, path));
            HttpResponse<String> none = ask(bound, method, about(NONE, path));
            assertThat(foreign.statusCode()).as(foreign.body()).isEqualTo(none.statusCode());
            assertThat(unnamed(foreign)).isEqualTo(unnamed(none));
            assertThat(foreign.headers().map().keySet())
                    .isEqualTo(none.headers().map().keySet());
        }
        if (!path.equals(about(OWN, path)) && !path.contains("9")) {
            // The request finds something for those who may see it.
            assertThat(unnamed(ask("operator", method, about(FOREIGN, path))))
                    .isNotEqualTo(unnamed(ask("operator", method, about(NONE, path))));
        }
    }

    /** A response without what only repeats the request. */
    private static String unnamed(HttpResponse<String> response) {
        String text = response.body();
        for (String name : List.of(FOREIGN, NONE)) {
            text = text.replace(name, "NAME").replace(OFFSETS.get(name), "7777");
        }
        return text;
    }

    static Stream<String> lists() {
        return requests()
                .filter(request -> !request.contains("NAME") && !request.contains("7777"))
                .map(request -> request.substring("GET ".length()));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void listsAndNumbersOfAnUnboundCallerHaveBothNamespaces(String path) {
        String everything = ask("operator", "GET", path).body();
        String own = ask("operator:" + OWN, "GET", path).body();
        String foreign = ask("operator:" + FOREIGN, "GET", path).body();

        assertThat(everything).isNotEqualTo(own).isNotEqualTo(foreign);
        UnaryOperator<String> unnamed =
                text -> text.replace(FOREIGN, OWN).replace(OFFSETS.get(FOREIGN), OFFSETS.get(OWN));
        assertThat(unnamed.apply(foreign)).as("both namespaces have as much").hasSameSizeAs(own);
        if (!path.contains("total") && !path.contains("counts") && !path.contains("by=none")) {
            assertThat(everything).contains(OWN, FOREIGN);
            assertThat(own).contains(OWN).doesNotContain(FOREIGN);
        }
    }

    @Test
    void numbersAreThoseOfTheNamespace() {
        assertThat(number("reader", "/v1/conversations/total", "/conversations"))
                .isEqualTo(6);
        assertThat(number("reader:" + OWN, "/v1/conversations/total", "/conversations"))
                .isEqualTo(3);
        assertThat(number("reader", "/v1/dead-letters/counts?stage=judge", "/items/0/count"))
                .isEqualTo(2);
        assertThat(number("reader:" + OWN, "/v1/dead-letters/counts", "/items/0/count"))
                .isEqualTo(1);
        String traffic = "/v1/stats/traffic?by=none&from=" + MINUTE + "&to=" + MINUTE.plusSeconds(60);
        assertThat(number("reader", traffic, "/rows/0/messages")).isEqualTo(214);
        assertThat(number("reader:" + OWN, traffic, "/rows/0/messages")).isEqualTo(7);
    }

    private long number(String token, String path, String member) {
        JsonNode found = parse(ask(token, "GET", path).body()).at(member);
        assertThat(found.isMissingNode()).as(ask(token, "GET", path).body()).isFalse();
        return found.asLong();
    }

    @Test
    void routesAboutAllNamespacesRefuseBoundCallers() {
        for (String route : REFUSED) {
            String path = route.substring("GET ".length());
            assertThat(ask("operator", "GET", path).statusCode()).as(route).isEqualTo(200);
            problem(ask("operator:" + OWN, "GET", path), Code.NAMESPACE_NOT_ALLOWED);
        }
        JsonNode bound = parse(ask("operator:" + OWN, "GET", "/v1/whoami").body());
        assertThat(bound.at("/features/status").asBoolean()).isFalse();
        assertThat(bound.at("/features/search").asBoolean()).isTrue();
        assertThat(bound.path("namespaces")).extracting(JsonNode::asText).containsExactly(OWN);
        assertThat(parse(ask("operator", "GET", "/v1/whoami").body())
                        .at("/features/status")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void neutralRoutesNameNothingOfANamespace() {
        for (String route : NEUTRAL) {
            String path =
                    route.substring("GET ".length()).replace("{partition}", "0").replace("{path}", "0/000.p/4");
            HttpResponse<String> response = ask("operator:" + OWN, "GET", path);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(all(response)).doesNotContain(FOREIGN);
        }
    }

    @Test
    void cursorsShowAndAcceptNoStoreKey() {
        for (String list : List.of("conversations", "dead-letters", "parked", "open-items", "search")) {
            List<String> found = new ArrayList<>();
            String cursor = "";
            for (int pages = 0; cursor != null && pages < 20; pages++) {
                String body = ask("operator:" + OWN, "GET", "/v1/" + list + "?limit=1&cursor=" + cursor)
                        .body();
                found.add(body);
                String last = body.strip().substring(body.strip().lastIndexOf('\n') + 1);
                JsonNode next =
                        parse(last).path(list.equals("search") ? "done" : "").isMissingNode()
                                ? parse(last).path("next")
                                : parse(last).at("/done/next");
                cursor = next.isTextual() ? next.asText() : null;
                if (cursor != null) {
                    assertThat(new String(Base64.getUrlDecoder().decode(cursor), UTF_8))
                            .as(list)
                            .doesNotContain(OWN, FOREIGN, "parley.wire");
                }
            }
            assertThat(cursor).as(list).isNull();
            assertThat(String.join("", found)).contains(OWN).doesNotContain(FOREIGN);
        }
        String open = parse(ask("operator", "GET", "/v1/conversations?limit=1").body())
                .path("next")
                .asText();
        assertThat(new String(Base64.getUrlDecoder().decode(open), UTF_8)).contains("alpha");
        problem(ask("operator:" + OWN, "GET", "/v1/conversations?limit=1&cursor=" + open), Code.INVALID_CURSOR);
    }

    @Test
    void aStoryHasTheMessagesOfAllProtocolsInTheNamespacesOfItsReader() {
        List<Reference> trace = List.of(new Reference("trace", "4bf92f3577b34da6a3ce929d0e0e4736"));
        for (String name : List.of(OWN, FOREIGN)) {
            AuditRecord task = record(name, 98);
            task.getMessage().setReferences(trace);
            views.messages.add(task);
            views.messages.add(Samples.audit(name + "|MCP|" + name + "-call", 0)
                    .setSource(source(99))
                    .setMessage(Samples.message(Protocol.MCP, name + "-call", 99, "{}")
                            .setNamespace(name)
                            .setReferences(trace)
                            .build())
                    .build());
        }
        String story = "/v1/search?reference=trace:4bf92f3577b34da6a3ce929d0e0e4736";

        assertThat(chains(ask("operator", "GET", story).body()))
                .containsExactlyInAnyOrder(
                        "alpha|SLIP|alpha-talk",
                        "alpha|MCP|alpha-call",
                        "bravo|SLIP|bravo-talk",
                        "bravo|MCP|bravo-call");
        String bound = ask("operator:" + OWN, "GET", story).body();
        assertThat(chains(bound)).containsExactlyInAnyOrder("alpha|SLIP|alpha-talk", "alpha|MCP|alpha-call");
        assertThat(bound).doesNotContain(FOREIGN);
    }

    private static List<String> chains(String lines) {
        return lines.lines()
                .map(HttpTest::parse)
                .filter(line -> line.has("hit"))
                .map(line -> line.at("/hit/chain").asText())
                .toList();
    }

    @Test
    void theTailHasOnlyRecordsOfTheNamespace() throws Exception {
        assertThat(tail("operator"))
                .anyMatch(line -> line.contains(FOREIGN))
                .anyMatch(line -> line.contains("UNDECODABLE"));
        assertThat(tail("operator:" + OWN))
                .noneMatch(line -> line.contains(FOREIGN))
                .filteredOn(line -> line.startsWith("data:"))
                .hasSize(3);
    }

    /** The lines of a tail from the first record up to the last. */
    private List<String> tail(String token) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(
                HttpRequest.newBuilder(URI.create(server().uri() + "/v1/tail?after=" + new Uuid(0, 1) + ".0"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofInputStream());
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            String line = "";
            int own = 0;
            while (own < 3) {
                line = reader.readLine();
                lines.add(line);
                own += line.startsWith("data:") && line.contains("\"namespace\":\"" + OWN + "\"") ? 1 : 0;
            }
        }
        return lines;
    }

    @Test
    void aBoundOperatorClosesOnlyDeadLettersOfItsNamespace() {
        String path = "/v1/dead-letters:close";
        String body = "{\"reason\":\"r\",\"ids\":[\"parley.dlq.judge.v1/0/%s\"]}";
        HttpResponse<String> foreign = ask("operator:" + OWN, "POST", path, body.formatted(OFFSETS.get(FOREIGN)));
        HttpResponse<String> none = ask("operator:" + OWN, "POST", path, body.formatted(OFFSETS.get(NONE)));

        assertThat(parse(unnamed(foreign)).path("results"))
                .isEqualTo(parse(unnamed(none)).path("results"));
        assertThat(parse(foreign.body()).at("/results/0/detail").asText()).contains("There is no dead letter");
        assertThat(redriver.closures).isEmpty();
        assertThat(parse(ask("operator:" + OWN, "POST", path, body.formatted(OFFSETS.get(OWN)))
                                .body())
                        .at("/results/0/outcome")
                        .asText())
                .isEqualTo("CLOSED");
    }

    @Test
    void aBoundOperatorRedrivesOnlyDeadLettersOfItsNamespaceAndOnlyUnchanged() {
        String path = "/v1/dead-letters:redrive";
        String bound = "operator:" + OWN;
        String body = "{\"dryRun\":%s,\"reason\":\"fixed\",\"ids\":[\"parley.dlq.%s.v1/0/%s\"]%s}";
        HttpResponse<String> foreign =
                ask(bound, "POST", path, body.formatted(false, "judge", OFFSETS.get(FOREIGN), ""));
        HttpResponse<String> none = ask(bound, "POST", path, body.formatted(false, "judge", OFFSETS.get(NONE), ""));
        HttpResponse<String> claimed = ask(bound, "POST", path, body.formatted(false, "decode", OFFSETS.get(OWN), ""));
        assertThat(parse(unnamed(foreign)).path("results"))
                .isEqualTo(parse(unnamed(none)).path("results"));
        assertThat(parse(foreign.body()).at("/results/0/outcome").asText()).isEqualTo("REFUSED");
        assertThat(parse(claimed.body()).at("/results/0/detail").asText()).contains("There is no dead letter");
        assertThat(redriver.sent).isEmpty();
        JsonNode everything =
                parse(ask(bound, "POST", path, "{\"dryRun\":true,\"query\":{}}").body());
        assertThat(everything.path("results")).hasSize(1);
        assertThat(everything.at("/results/0/id").asText()).isEqualTo("parley.dlq.judge.v1/0/" + OFFSETS.get(OWN));
        for (String change :
                List.of(",\"unwrap\":true", ",\"edits\":{\"parley.dlq.judge.v1/0/10203040\":{\"value\":\"eA==\"}}")) {
            HttpResponse<String> edited =
                    ask(bound, "POST", path, body.formatted(true, "judge", OFFSETS.get(OWN), change));
            problem(edited, Code.NAMESPACE_NOT_ALLOWED);
        }
        JsonNode own = parse(ask(bound, "POST", path, body.formatted(false, "judge", OFFSETS.get(OWN), ""))
                .body());
        assertThat(own.at("/results/0/outcome").asText()).isEqualTo("ENTERED");
    }

    @Test
    void aBoundOperatorSendsOnlyToItsNamespace() {
        for (String name : List.of(FOREIGN, NONE)) {
            HttpResponse<String> response = ask(
                    "operator:" + OWN,
                    "POST",
                    "/v1/wire",
                    "@a3",
                    "parley-namespace",
                    name,
                    "Content-Type",
                    "text/plain");
            problem(response, Code.NAMESPACE_NOT_ALLOWED);
        }
    }

    @Test
    void aRedriveIsShownByTheNamespaceOfItsFailedRecord() {
        String redrives = "/v1/redrives?inputs=parley.wire-3@";
        assertThat(parse(ask("reader:" + OWN, "GET", redrives + OFFSETS.get(OWN))
                                .body())
                        .path("items"))
                .hasSize(1);
        // An operator of all namespaces has moved a message from bravo to alpha.
        redriver.redrives.get(1).setSent("parley.wire-3@" + OFFSETS.get(OWN));
        assertThat(parse(ask("reader", "GET", redrives + OFFSETS.get(OWN)).body())
                        .path("items"))
                .hasSize(2);
        assertThat(parse(ask("reader:" + OWN, "GET", redrives + OFFSETS.get(OWN))
                                .body())
                        .path("items"))
                .hasSize(1);
    }
}
