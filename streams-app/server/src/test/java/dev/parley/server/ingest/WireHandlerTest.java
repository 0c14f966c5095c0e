package dev.parley.server.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Source;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending messages over HTTP: formats, limits and results. */
class WireHandlerTest extends HttpTest {
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|g1c|k1|q1|t\"x\"#";
    private static final String LINES = "application/x-ndjson";
    private static final String EVENT = "application/cloudevents+json";
    private static final String EVENTS = "application/cloudevents-batch+json";
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final int BODY_BYTES = 200_000;
    private static final int MESSAGE_BYTES = 100_000;

    private final List<IngestMessage> sent = new ArrayList<>();
    private final List<String> callers = new ArrayList<>();

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @Override
    protected IngestLimits ingestLimits() {
        return new IngestLimits(BODY_BYTES, 2 * BODY_BYTES, 100, MESSAGE_BYTES);
    }

    @BeforeEach
    void accept() {
        ingester = (caller, messages) -> {
            callers.add(caller);
            List<CompletableFuture<IngestResult>> results = new ArrayList<>();
            for (IngestMessage message : messages) {
                results.add(CompletableFuture.completedFuture(new IngestResult.Entered(
                        new InputPosition("parley.wire", 1, sent.size()),
                        message.key().filter(IdempotencyKey.of("again")::equals).isPresent())));
                sent.add(message);
            }
            return results;
        };
    }

    @Test
    void theResponseToOneMessageHasItsPosition() {
        HttpResponse<String> response = post("text/plain", SLIP);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        JsonNode body = parse(response.body());
        assertThat(body.path("position").asText()).isEqualTo("parley.wire-1@0");
        assertThat(body.path("topic").asText()).isEqualTo("parley.wire");
        assertThat(body.path("partition").asInt()).isEqualTo(1);
        assertThat(body.path("offset").asLong()).isZero();
        assertThat(body.path("repeated").asBoolean(true)).isFalse();
        assertThat(body.has("verdict")).isFalse();
        assertThat(only().value()).isEqualTo(SLIP.getBytes(UTF_8));
        assertThat(only().headers()).isEmpty();
        assertThat(only().key()).isEmpty();
        assertThat(callers).containsExactly("token:producer");
    }

    @Test
    void headersOfTheRequestBecomeHeadersOfTheRecord() {
        post(
                "application/octet-stream",
                SLIP,
                "parley-namespace",
                "acme",
                "parley-protocol",
                "slip",
                "parley-conversation",
                "7",
                "parley-sender",
                "0",
                "traceparent",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "tracestate",
                "a=b",
                "X-Other",
                "dropped",
                "Idempotency-Key",
                "again");

        assertThat(only().headers())
                .isEqualTo(Map.of(
                        "parley-namespace",
                        "acme",
                        "parley-protocol",
                        "slip",
                        "parley-conversation",
                        "7",
                        "parley-sender",
                        "0",
                        "traceparent",
                        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                        "tracestate",
                        "a=b"));
        assertThat(only().key()).contains(IdempotencyKey.of("again"));
    }

    @Test
    void theFirstValidTraceparentAndAllTracestatesOfTheRequestCount() {
        for (String prefix : List.of("", "ce-")) {
            sent.clear();
            HttpResponse<String> response = binary(
                    prefix + "traceparent",
                    "none",
                    prefix + "traceparent",
                    PARENT,
                    prefix + "traceparent",
                    PARENT.replace('a', 'b'),
                    prefix + "tracestate",
                    "a=1",
                    prefix + "tracestate",
                    "b=2,c=3");

            assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
            assertThat(only().headers()).isEqualTo(Map.of("traceparent", PARENT, "tracestate", "a=1,b=2,c=3"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "none", "00-1-2-01", "%ff", "\"open", "{}", "[1]", "{\"a\":{}}", "7"})
    void anInvalidTraceContextRefusesNoMessage(String value) {
        String json = value.startsWith("{") || value.startsWith("[") ? value : "\"" + value.replace("\"", "") + "\"";
        String members = "\"traceparent\":" + json + ",\"tracestate\":" + json;

        List<HttpResponse<String>> responses = List.of(
                post("text/plain", SLIP, "traceparent", value, "tracestate", value),
                binary("ce-traceparent", value, "ce-tracestate", value),
                post(LINES, "{\"wire\":\"a\"," + members + "}"),
                post(LINES, "{\"headers\":{" + members + "},\"wire\":\"a\"}"),
                post(EVENT, event("1", "\"x\"").replace("\"type\"", members + ",\"type\"")));

        assertThat(responses)
                .allSatisfy(response ->
                        assertThat(response.statusCode()).as(response.body()).isEqualTo(202));
        assertThat(sent).hasSize(5).extracting(IngestMessage::headers).containsOnly(Map.of());
    }

    @Test
    void aValidTraceContextOfTheRequestStaysWhereThatOfAMessageIsInvalid() {
        post(
                LINES,
                "{\"wire\":\"a\",\"traceparent\":\"x\"}\n{\"wire\":\"b\",\"traceparent\":\"" + PARENT.replace('a', 'b')
                        + "\"}",
                "traceparent",
                PARENT);

        assertThat(sent)
                .extracting(message -> message.headers().get("traceparent"))
                .containsExactly(PARENT, PARENT.replace('a', 'b'));
    }

    @Test
    void aRepeatIsMarked() {
        assertThat(parse(post("text/plain", SLIP, "Idempotency-Key", "again").body())
                        .path("repeated")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void linesAreMessagesWithTheirOwnAttributes() {
        HttpResponse<String> response = post(
                LINES,
                "{\"wire\":\"a\",\"id\":\"one\",\"namespace\":\"n\",\"protocol\":\"slip\",\"conversation\":\"c\","
                        + "\"sender\":\"s\",\"timestamp\":\"2026-01-31T12:00:00Z\"}\r\n\n"
                        + "{\"wireBase64\":\"" + Base64.getEncoder().encodeToString(new byte[] {0, (byte) 0xFF})
                        + "\",\"key\":\"k\",\"note\":{\"any\":[1]},\"expect\":\"ACCEPTED\"}\n"
                        + "{\"wire\":\"c\",\"headers\":{\"parley-namespace\":\"other\"},\"key\":\"k\","
                        + "\"conversation\":\"d\"}",
                "parley-namespace",
                "default-of-request",
                "Idempotency-Key",
                "batch");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(sent).hasSize(3);
        assertThat(sent.get(0).headers())
                .isEqualTo(Map.of(
                        "parley-namespace", "n",
                        "parley-protocol", "slip",
                        "parley-conversation", "c",
                        "parley-sender", "s",
                        "ce_time", "2026-01-31T12:00:00Z"));
        assertThat(sent.get(1).value()).containsExactly(0, 0xFF);
        assertThat(sent.get(1).headers())
                .isEqualTo(Map.of("parley-namespace", "default-of-request", "parley-conversation", "k"));
        assertThat(sent.get(2).headers()).isEqualTo(Map.of("parley-namespace", "other", "parley-conversation", "d"));
        assertThat(sent)
                .extracting(IngestMessage::key)
                .containsExactly(
                        Optional.of(IdempotencyKey.of("one")),
                        Optional.of(IdempotencyKey.ofLine("batch", 3)),
                        Optional.of(IdempotencyKey.ofLine("batch", 4)));
        JsonNode body = parse(response.body());
        assertThat(body.path("entered").asInt()).isEqualTo(3);
        assertThat(body.at("/items/2/position").asText()).isEqualTo("parley.wire-1@2");
    }

    @Test
    void linesMayHaveTheHeadersOfACapture() {
        HttpResponse<String> response = post(
                LINES,
                "{\"key\":\"s\",\"headers\":{\"parley-protocol\":\"mcp\",\"parley-direction\":\"client-to-server\","
                        + "\"parley-exchange\":\"7\",\"parley-http-method\":\"GET\",\"mcp-param-Region\":\"eu\","
                        + "\"last-event-id\":\"3\"},\"wire\":null}\n"
                        + "{\"key\":\"s\",\"headers\":{\"parley-capture\":\"gap\",\"parley-loss\":\"records=1\"}}",
                "Idempotency-Key",
                "batch");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(sent).extracting(IngestMessage::value).containsExactly(null, null);
        assertThat(sent.get(0).headers())
                .isEqualTo(Map.of(
                        "parley-protocol", "mcp",
                        "parley-conversation", "s",
                        "parley-direction", "client-to-server",
                        "parley-exchange", "7",
                        "parley-http-method", "GET",
                        "mcp-param-Region", "eu",
                        "last-event-id", "3"));
        assertThat(sent.get(1).headers())
                .isEqualTo(Map.of("parley-conversation", "s", "parley-capture", "gap", "parley-loss", "records=1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"parley-caller", "parley-caller-proof", "parley-delegation"})
    void onlyARecorderStatesCallers(String header) {
        String line = "{\"headers\":{\"parley-protocol\":\"mcp\",\"" + header + "\":\"x\"},\"wire\":\"{}\"}";
        JsonNode refused =
                parse(post(LINES, line + "\n{\"wire\":\"a\"}").body()).path("items");

        assertThat(refused.path(0).path("status").asInt()).isEqualTo(403);
        assertThat(refused.path(0).path("code").asText()).isEqualTo("ROLE_MISSING");
        assertThat(refused.path(0).path("detail").asText()).contains(header, "recorder");
        assertThat(only().headers()).isEmpty();
        sent.clear();

        for (String token : List.of("recorder", "operator")) {
            assertThat(as(token, LINES, line).statusCode()).isEqualTo(202);
            assertThat(only().headers()).isEqualTo(Map.of("parley-protocol", "mcp", header, "x"));
            sent.clear();
        }
        HttpResponse<String> other = as("recorder:plant", LINES, line);
        assertThat(parse(other.body()).at("/items/0/code").asText()).isEqualTo("NAMESPACE_NOT_ALLOWED");
        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"producer", "recorder"})
    void noHeaderOfARequestOrEventStatesACaller(String token) {
        String event = event("1", "\"a\"").replace("\"id\"", "\"parleycaller\":\"admin\",\"id\"");
        as(token, "text/plain", SLIP, "parley-caller", "admin", "parley-caller-proof", "mtls");
        as(token, EVENT, event);
        as(token, "text/plain", SLIP, attributes("ce-parleycaller", "admin", "ce-parley-caller", "admin"));

        assertThat(sent)
                .hasSize(3)
                .allSatisfy(
                        message -> assertThat(message.headers().keySet()).noneMatch(name -> name.contains("caller")));
    }

    @Test
    void anInvalidLineDoesNotAffectTheOthers() {
        HttpResponse<String> response =
                post(LINES, "{\"wire\":\"a\"}\n{\"wire\":\"b\",\"wires\":1}\n{\"wire\":\"c\",\"id\":\"again\"}\n");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(207);
        assertThat(sent)
                .extracting(message -> new String(message.value(), UTF_8))
                .containsExactly("a", "c");
        JsonNode body = parse(response.body());
        assertThat(body.path("entered").asInt()).isOne();
        assertThat(body.path("repeated").asInt()).isOne();
        assertThat(body.path("failed").asInt()).isOne();
        assertThat(body.at("/items/0/status").asInt()).isEqualTo(202);
        assertThat(body.at("/items/1/index").asInt()).isOne();
        assertThat(body.at("/items/1/status").asInt()).isEqualTo(400);
        assertThat(body.at("/items/1/code").asText()).isEqualTo("INVALID_REQUEST");
        assertThat(body.at("/items/1/detail").asText()).contains("wires", "wireBase64");
        assertThat(body.at("/items/2/repeated").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "{}",
                "{\"wire\":null}",
                "{\"wire\":\"\"}",
                "{\"wire\":{}}",
                "{\"wire\":1}",
                "{\"wire\":true}",
                "{\"wireBase64\":1234}",
                "{\"wire\":\"a\"",
                "{\"wire\":\"a\"}{}",
                "{\"wire\":\"a\",\"wire\":\"b\"}",
                "{\"wire\":\"a\",\"wireBase64\":\"YQ==\"}",
                "{\"wireBase64\":\"*\"}",
                "{\"wire\":\"\\ud800\"}",
                "{\"wire\":\"a\",\"sender\":\"\\udc00\"}",
                "{\"wire\":\"a\",\"id\":\"\"}",
                "{\"wire\":\"a\",\"topic\":\"parley.audit.v1\"}",
                "{\"wire\":\"a\",\"timestamp\":\"yesterday\"}",
                "{\"wire\":\"a\",\"timestamp\":99999999999999999999}",
                "{\"wire\":\"a\",\"headers\":[]}",
                "{\"wire\":\"a\",\"headers\":{\"parley-attempt\":\"9\"}}",
                "{\"headers\":{\"parley-direction\":\"client-to-server\"}}",
                "{\"wire\":\"a\",\"headers\":{\"__streams.errors.topic\":\"parley.wire\"}}",
                "{\"wire\":\"a\",\"sender\":[\"A\"]}"
            })
    void aLineThatIsNoMessageIsRefused(String line) {
        HttpResponse<String> response = post(LINES, line);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(207);
        assertThat(parse(response.body()).at("/items/0/status").asInt()).isEqualTo(400);
        assertThat(sent).isEmpty();
    }

    @Test
    void hostileJsonIsRefusedWithinBounds() {
        String deep = "{\"wire\":\"a\",\"note\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}";
        String name = "{\"" + "n".repeat(10_000) + "\":1,\"wire\":\"a\"}";
        String number = "{\"wire\":\"a\",\"note\":" + "9".repeat(50_000) + "}";
        for (String line : List.of(deep, name, number, "{\"wire\":\"a\",\"sender\":\"" + "s".repeat(4_097) + "\"}")) {
            HttpResponse<String> response = post(LINES, line);
            assertThat(response.body()).hasSizeLessThan(2_000);
            assertThat(sent.size()).as(line.substring(0, 20)).isLessThanOrEqualTo(line == number ? 1 : 0);
        }
    }

    @Test
    void aBoundProducerSendsOnlyToItsNamespaces() {
        assertThat(as("producer:acme:lab", "text/plain", SLIP, "parley-namespace", "lab")
                        .statusCode())
                .isEqualTo(202);
        assertThat(as("producer:default", "text/plain", SLIP).statusCode()).isEqualTo(202);
        assertThat(sent).hasSize(2);

        for (String other : List.of("default", "ACME", "acme2", "acme|SLIP", "acme%7C", "acm", "*", "lab,acme")) {
            JsonNode problem = problem(
                    as("producer:acme:lab", "text/plain", SLIP, "parley-namespace", other), Code.NAMESPACE_NOT_ALLOWED);
            assertThat(problem.path("detail").asText()).contains("'" + other + "'");
        }
        problem(as("producer:acme", "text/plain", SLIP), Code.NAMESPACE_NOT_ALLOWED);
        problem(as("producer:acme", "text/plain", SLIP, "parley-namespace", ""), Code.NAMESPACE_NOT_ALLOWED);
        // A token without any namespace.
        problem(as("producer:", "text/plain", SLIP, "parley-namespace", "acme"), Code.NAMESPACE_NOT_ALLOWED);
        assertThat(sent).hasSize(2);
    }

    @Test
    void aMessageOfABatchCannotLeaveTheNamespacesOfItsProducer() {
        HttpResponse<String> lines = as(
                "producer:acme",
                LINES,
                "{\"wire\":\"a\"}\n{\"wire\":\"b\",\"namespace\":\"victim\"}\n"
                        + "{\"wire\":\"c\",\"headers\":{\"parley-namespace\":\"victim\"}}\n"
                        + "{\"wire\":\"d\",\"namespace\":\"\"}\n"
                        + "{\"wire\":\"e\",\"namespace\":\"acme\\u0000\"}\n",
                "parley-namespace",
                "acme");

        assertThat(lines.statusCode()).isEqualTo(207);
        assertThat(parse(lines.body()).path("items").findValuesAsText("status"))
                .containsExactly("202", "403", "403", "403", "403");
        assertThat(parse(lines.body()).at("/items/1/code").asText()).isEqualTo("NAMESPACE_NOT_ALLOWED");
        String event = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"msg\","
                + "\"parleynamespace\":\"victim\",\"data\":\"x\"}";
        problem(as("producer:acme", EVENT, event, "parley-namespace", "acme"), Code.NAMESPACE_NOT_ALLOWED);
        problem(
                as("producer:acme", "text/plain", SLIP, attributes("ce-parleynamespace", "v%69ctim")),
                Code.NAMESPACE_NOT_ALLOWED);
        assertThat(only().headers()).containsEntry("parley-namespace", "acme");
    }

    @Test
    void anEventIsAMessageWithItsAttributes() {
        HttpResponse<String> response = post(
                EVENT,
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/agents/a\",\"type\":\"msg\",\"time\":"
                        + "\"2026-01-31T12:00:00Z\",\"parleynamespace\":\"acme\",\"parleyprotocol\":\"subit\","
                        + "\"parleyconversation\":\"c\",\"parleysender\":\"s\",\"traceparent\":\"" + PARENT + "\","
                        + "\"unknown\":true,\"data\": {\"type\" : \"STATE\",\"é\":[1, 2]} ,\"subject\":\"x\"}");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(new String(only().value(), UTF_8))
                .as("as it was sent")
                .isEqualTo("{\"type\" : \"STATE\",\"é\":[1, 2]}");
        assertThat(only().key()).contains(IdempotencyKey.ofEvent("/agents/a", "1"));
        assertThat(only().headers())
                .isEqualTo(Map.of(
                        "parley-namespace", "acme",
                        "parley-protocol", "subit",
                        "parley-conversation", "c",
                        "parley-sender", "s",
                        "ce_time", "2026-01-31T12:00:00Z",
                        "traceparent", PARENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'{\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":\"x\"}'; specversion",
                "'{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":\"x\"}'; 1.0",
                "'{\"specversion\":\"1.0\",\"source\":\"s\",\"type\":\"t\",\"data\":\"x\"}'; id",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"}'; data",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":null}'; no data",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":null,\"data\":\"x\"}'; attribute"
                        + " type",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"data\":\"x\",\"data_base64\":"
                        + "\"eA==\"}'; exclusive",
                "'[]'; JSON object",
                "'{\"specversion\":\"1.0\"'; not JSON"
            })
    void anInvalidEventIsRefused(String event, String reason) {
        assertThat(problem(post(EVENT, event), Code.INVALID_REQUEST)
                        .path("detail")
                        .asText())
                .contains(reason);
        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time",
                "subject",
                "datacontenttype",
                "dataschema",
                "data_base64",
                "traceparent",
                "tracestate",
                "parleynamespace",
                "parleyprotocol",
                "parleyconversation",
                "parleysender",
                "anything"
            })
    void anAttributeThatIsNullIsNotSet(String attribute) {
        String event = event("1", "\"x\"").replace("\"type\"", "\"" + attribute + "\":null,\"type\"");

        assertThat(post(EVENT, event, "parley-namespace", "n").statusCode()).isEqualTo(202);
        assertThat(post(EVENTS, "[" + event + "]", "parley-namespace", "n").statusCode())
                .isEqualTo(202);

        assertThat(sent).hasSize(2).extracting(IngestMessage::headers).containsOnly(Map.of("parley-namespace", "n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wireBase64",
                "id",
                "namespace",
                "protocol",
                "conversation",
                "sender",
                "timestamp",
                "traceparent",
                "tracestate",
                "headers",
                "key",
                "note",
                "expectWarnings"
            })
    void aMemberOfALineThatIsNullIsNotSet(String member) {
        HttpResponse<String> response =
                post(LINES, "{\"" + member + "\":null,\"wire\":\"a\"}", "parley-namespace", "n");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(only().headers()).isEqualTo(Map.of("parley-namespace", "n"));
        assertThat(only().key()).isEmpty();
    }

    @Test
    void aHeaderOfALineThatIsNullIsNotSet() {
        post(LINES, "{\"wire\":null,\"wireBase64\":\"YQ==\",\"headers\":{\"parley-sender\":null,\"ce_time\":null}}");

        assertThat(only().headers()).isEmpty();
        assertThat(only().value()).containsExactly('a');
    }

    @Test
    void dataOfAnyTypeEntersInItsBytes() {
        for (String data : List.of("0", "-1.50E+3", "true", "false", "7".repeat(1_000), "[ 1 ]", "{ }")) {
            sent.clear();
            assertThat(post(EVENT, event("1", data)).statusCode()).as(data).isEqualTo(202);
            assertThat(new String(only().value(), UTF_8)).isEqualTo(data);
        }
        sent.clear();
        assertThat(post(EVENT, event("1", "\"\"")).statusCode()).isEqualTo(202);
        assertThat(only().value()).as("an empty string is a value").isEmpty();
    }

    @Test
    void anInvalidEventOfABatchDoesNotAffectTheOthers() {
        HttpResponse<String> response = post(
                EVENTS,
                "[" + event("1", "\"a\"") + "," + event("", "\"b\"") + "," + event("3", "null") + ","
                        + event("4", "[{\"x\":1}]") + "]");

        assertThat(response.statusCode()).as(response.body()).isEqualTo(207);
        assertThat(sent)
                .extracting(message -> new String(message.value(), UTF_8))
                .containsExactly("a", "[{\"x\":1}]");
        assertThat(parse(response.body()).at("/items/3/status").asInt()).isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1]", "[{}", "[{}]x", "[]", "", "[[]]"})
    void aBatchThatIsNoArrayOfEventsIsRefusedAsAWhole(String body) {
        int status = post(EVENTS, body).statusCode();
        assertThat(status).isEqualTo(400);
        assertThat(sent).isEmpty();
    }

    @Test
    void anEventInBinaryModeHasItsAttributesInHeaders() {
        HttpResponse<String> response = post("application/vnd.any", SLIP, attributes("ce-parleysender", "%CE%BB"));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(only().headers()).isEqualTo(Map.of("parley-sender", "λ"));
        assertThat(only().key()).contains(IdempotencyKey.ofEvent("/a", "1"));
        problem(post("text/plain", SLIP, "ce-specversion", "1.0"), Code.INVALID_REQUEST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "A%201; A 1",
                "\"A 1\"; A 1",
                "\"A%201\"; A 1",
                "\"A\\\"\\\\\\%41\"; A\"\\A",
                "A\"1\"; A\"1\"",
                "1+1; 1+1",
                "%e2%82%ac%F0%9F%98%80; €😀",
                "%25ff; %ff"
            })
    void aValueOfBinaryModeLosesQuotesAndPercentEncodingOnce(String header, String value) {
        assertThat(binary("ce-parleysender", header).statusCode()).isEqualTo(202);

        assertThat(only().headers()).isEqualTo(Map.of("parley-sender", value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%ff", "a%C3", "%ED%A0%80", "%", "100%", "%4", "%zz", "%+1", "\"open", "\"", "\"a\"b", "\"a\\"})
    void aValueOfBinaryModeThatIsNotTextIsRefusedByName(String header) {
        for (String name : List.of("ce-parleysender", "ce-id", "ce-time")) {
            assertThat(problem(binary(name, header), Code.INVALID_REQUEST)
                            .path("detail")
                            .asText())
                    .contains("The header " + name + " ");
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void headersThatAreIgnoredMayHaveAnyValue() throws IOException {
        String headers = "ce-specversion: 1.0\r\n"
                + "ce-id: 1\r\n"
                + "ce-source: /a\r\n"
                + "ce-type: t\r\n"
                + "ce-subject: 100%\r\n"
                + "ce-dataschema: %ff\r\n"
                + "ce-other: größe\r\n"
                + "ce-other: \"\r\n"
                + "X-Other: größe\r\n"
                + "Idempotency-Key: größe\r\n";
        byte[] request = ("POST /v1/wire HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer producer\r\n"
                        + "Content-Type: text/plain\r\nContent-Length: " + SLIP.length() + "\r\n" + headers + "\r\n"
                        + SLIP)
                .getBytes(UTF_8);
        try (Socket socket = new Socket(server().uri().getHost(), server().port())) {
            socket.getOutputStream().write(request);
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 202 ");
        }
        assertThat(only().headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data", "application/xml", "x"})
    void otherContentTypesAreRefused(String type) {
        assertThat(problem(post(type, SLIP), Code.UNSUPPORTED_CONTENT_TYPE)
                        .path("detail")
                        .asText())
                .contains("application/x-ndjson");
        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "charset=nope",
                "charset=\"",
                "charset=",
                "charset= x",
                "charset=UTF-16",
                "charset=utf-8;charset=utf-16",
                ";;=",
            })
    void parametersOfAContentTypeAreIgnored(String parameter) throws IOException {
        for (String type : List.of("text/plain", "application/json", "TEXT/Plain ", "application/octet-stream")) {
            sent.clear();
            HttpResponse<String> response = send(request("producer", type + ';' + parameter, SLIP, "?wait=%76erdict"));
            assertThat(response.statusCode()).as(type + ": " + response.body()).isEqualTo(202);
            assertThat(only().value()).asString(UTF_8).isEqualTo(SLIP);
        }
        sent.clear();
        HttpResponse<String> event = post("text/x;" + parameter, SLIP, attributes());
        assertThat(event.statusCode()).as(event.body()).isEqualTo(202);
    }

    @Test
    void severalContentTypesAreRefused() {
        assertThat(problem(post("text/plain", SLIP, "Content-Type", LINES), Code.INVALID_REQUEST)
                        .path("detail")
                        .asText())
                .contains("Content-Type", "only once");
        assertThat(sent).isEmpty();
    }

    @Test
    void anEmptyIdempotencyKeyIsRefused() {
        for (String key : List.of("", " ")) {
            assertThat(problem(post("text/plain", SLIP, "Idempotency-Key", key), Code.INVALID_REQUEST)
                            .path("detail")
                            .asText())
                    .contains("Idempotency-Key must not be empty");
            problem(post(LINES, "{\"wire\":\"x\",\"id\":\"1\"}", "Idempotency-Key", key), Code.INVALID_REQUEST);
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void anEmptyMessageOrBatchIsRefused() {
        problem(post("text/plain", ""), Code.INVALID_REQUEST);
        problem(post(LINES, "\n\r\n"), Code.INVALID_REQUEST);
        problem(post("text/plain", SLIP, "Idempotency-Key", "k".repeat(1_025)), Code.INVALID_REQUEST);
        problem(post("text/plain", SLIP, "parley-sender", "A", "parley-sender", "B"), Code.INVALID_REQUEST);
    }

    @Test
    void limitsOfMessagesApply() {
        problem(post("text/plain", "x".repeat(MESSAGE_BYTES + 1)), Code.BODY_TOO_LARGE);
        problem(answered(() -> post("text/plain", "x".repeat(BODY_BYTES + 1))), Code.BODY_TOO_LARGE);
        problem(answered(() -> post(LINES, "{\"wire\":\"a\"}\n".repeat(101))), Code.BODY_TOO_LARGE);
        problem(post(EVENTS, "[" + "{},".repeat(100) + "{}]"), Code.BODY_TOO_LARGE);
        assertThat(sent).isEmpty();
        assertThat(post(LINES, "{\"wire\":\"a\"}\n".repeat(100)).statusCode()).isEqualTo(202);
        assertThat(post("text/plain", "x".repeat(MESSAGE_BYTES)).statusCode()).isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "auditor", "nobody"})
    void onlyProducersMaySendLargeBodies(String token) {
        HttpResponse<String> response = answered(() -> as(token, "text/plain", "x".repeat(70_000)));
        assertThat(response.statusCode()).as(response.body()).isIn(401, 413);
        assertThat(answered(() -> as("operator", "text/plain", "x".repeat(70_000)))
                        .statusCode())
                .isEqualTo(202);
    }

    @Test
    void bodiesInProgressAreBoundedForACaller() throws IOException {
        try (Socket slow = new Socket(server().uri().getHost(), server().port())) {
            OutputStream out = slow.getOutputStream();
            out.write(("POST /v1/wire HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer producer\r\n"
                            + "Content-Type: text/plain\r\nContent-Length: " + (BODY_BYTES - 10) + "\r\n\r\nx")
                    .getBytes(UTF_8));
            out.flush();
            await().untilAsserted(() -> {
                HttpResponse<String> response = post("text/plain", SLIP);
                problem(response, Code.INGEST_LIMITED);
                assertThat(response.headers().firstValue("Retry-After")).isPresent();
            });
            assertThat(as("operator", "text/plain", SLIP).statusCode())
                    .as("another caller")
                    .isEqualTo(202);
        }
        await().untilAsserted(() ->
                assertThat(post("text/plain", SLIP).statusCode()).as("released").isEqualTo(202));
    }

    /** Nothing decodes it: its bytes would enter as the message. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "identity, br", "GZIP"})
    void anEncodedBodyIsRefused(String coding) {
        HttpResponse<String> response = post("text/plain", SLIP, "Content-Encoding", coding);

        problem(response, Code.UNSUPPORTED_CONTENT_TYPE);
        assertThat(response.headers().firstValue("Accept-Encoding")).contains("identity");
        assertThat(sent).isEmpty();
        assertThat(post("text/plain", SLIP, "Content-Encoding", "identity").statusCode())
                .isEqualTo(202);
    }

    @Test
    void slowBrokersAreARetryLater() {
        ingester = (caller, messages) -> results(messages, new IngestResult.Failed(Code.INGEST_LIMITED, "Slow."));
        HttpResponse<String> response = post("text/plain", SLIP);
        problem(response, Code.INGEST_LIMITED);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
        problem(post(LINES, "{\"wire\":\"a\"}\n{\"wire\":\"b\"}"), Code.INGEST_LIMITED);
    }

    @Test
    void anUnknownResultIsNamed() {
        ingester = (caller, messages) ->
                results(messages, new IngestResult.Failed(Code.BROKERS_UNAVAILABLE, "It may have entered."));
        assertThat(problem(post("text/plain", SLIP), Code.BROKERS_UNAVAILABLE)
                        .path("detail")
                        .asText())
                .contains("may have entered");
    }

    @Test
    void aKeyOfAnotherMessageIsAConflict() {
        ingester = (caller, messages) ->
                results(messages, new IngestResult.Failed(Code.IDEMPOTENCY_KEY_REUSED, "It belongs to another."));
        problem(post("text/plain", SLIP), Code.IDEMPOTENCY_KEY_REUSED);
        assertThat(parse(post(LINES, "{\"wire\":\"a\"}").body())
                        .at("/items/0/status")
                        .asInt())
                .isEqualTo(409);
    }

    @Test
    void aVerdictThatIsNotVisibleInTimeIsNull() {
        HttpResponse<String> response = send(request("producer", "text/plain", SLIP, "?wait=verdict"));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(parse(response.body()).path("verdict").isNull()).isTrue();
        problem(send(request("producer", "text/plain", SLIP, "?wait=long")), Code.INVALID_PARAMETER);
        problem(
                send(request("producer", LINES, "{\"wire\":\"a\"}\n".repeat(65), "?wait=verdict")),
                Code.INVALID_REQUEST);
    }

    @Test
    void aParkedPatchIsDistinguishedFromASlowMessage() {
        views.parked.add(parked("default", 0));
        views.parked.add(parked("victim", 1));
        HttpResponse<String> response = send(request(
                "producer:default", LINES, "{\"wire\":\"a\"}\n{\"wire\":\"b\"}\n{\"wire\":\"c\"}\n", "?wait=verdict"));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        JsonNode items = parse(response.body()).path("items");
        assertThat(items).allMatch(item -> item.path("verdict").isNull());
        assertThat(items.at("/0/parked/base").asText()).isEqualTo("C4");
        assertThat(items.at("/0/parked/until").asText()).isNotEmpty();
        assertThat(items.path(1).has("parked")).as("of another namespace").isFalse();
        assertThat(items.path(2).has("parked")).as("slow").isFalse();
        assertThat(response.body()).doesNotContain("victim");
    }

    @Test
    void aMessageThatFoundTheConversationMovedIsAConflictThatNamesThePosition() {
        AuditRecord moved = Samples.slip("7", 5);
        moved.setVerdict("REJECTED");
        moved.setCode("CONVERSATION_MOVED");
        views.messages.add(at(moved, 0));
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        request("producer", "text/plain", SLIP, "?wait=verdict"), (name, value) -> true)
                .header("parley-expect", "3 accepted");
        HttpResponse<String> response = send(request.build());

        problem(response, Code.CONVERSATION_MOVED);
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("parley-expect")).contains("6");
        assertThat(parse(response.body()).path("detail").asText())
                .contains("was at 5")
                .contains("and 6");
        assertThat(only().headers()).containsEntry("parley-expect", "3 accepted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1,2", "accepted 1", "99999999999999999999"})
    void aMalformedExpectationIsRefusedBeforeItIsSent(String expected) {
        problem(post("text/plain", SLIP, "parley-expect", expected), Code.INVALID_REQUEST);
        HttpResponse<String> response =
                post(LINES, "{\"wire\":\"a\",\"headers\":{\"parley-expect\":\"" + expected + "\"}}\n{\"wire\":\"b\"}");

        assertThat(response.statusCode()).isEqualTo(207);
        assertThat(parse(response.body()).at("/items/0/code").asText()).isEqualTo("INVALID_REQUEST");
        assertThat(sent).hasSize(1);
    }

    private static ParkedItem parked(String namespace, long offset) {
        return new ParkedItem(
                namespace, "ctx", "P2", "C4", "C5", "MAIN", new Source("parley.wire", 1, offset, Samples.NOON, null));
    }

    @Test
    void aProducerSeesHowToRepairItsMessageButNoPrivateText() {
        AuditRecord rejected = Samples.slip("7", 0);
        rejected.setVerdict("REJECTED");
        rejected.setCode("SLIP_TURN_REGRESSION");
        rejected.setDetail("The next free turn is 5.");
        rejected.setAllowed(List.of("a4"));
        views.messages.add(at(rejected, 0));
        AuditRecord secret = Samples.privateLambda("c");
        secret.setDetail("It says secret.");
        views.messages.add(at(secret, 1));
        HttpResponse<String> response =
                send(request("producer", LINES, "{\"wire\":\"a\"}\n{\"wire\":\"b\"}\n", "?wait=verdict"));

        JsonNode verdict = parse(response.body()).at("/items/0/verdict");
        assertThat(verdict.path("detail").asText()).isEqualTo("The next free turn is 5.");
        assertThat(verdict.path("remedy").asText()).isNotEmpty();
        assertThat(verdict.at("/allowed/0").asText()).isEqualTo("a4");
        assertThat(verdict.at("/warnings/0/remedy").asText()).isNotEmpty();
        JsonNode hidden = parse(response.body()).at("/items/1/verdict");
        assertThat(hidden.path("verdict").asText()).isEqualTo("ACCEPTED");
        assertThat(hidden.path("detail").isNull()).isTrue();
        assertThat(response.body()).doesNotContain("secret");
    }

    @Test
    void aBoundProducerSeesNoVerdictOfAnotherNamespace() {
        AuditRecord other = Samples.slip("7", 0);
        other.setChain("victim|SLIP|7");
        other.setDetail("The next free turn is 5.");
        views.messages.add(at(other, 0));
        views.messages.add(at(Samples.slip("7", 1), 1));
        views.messages.add(at(Samples.undecodable("parley.wire-1", new byte[] {1}), 2));
        HttpResponse<String> response = send(request(
                "producer:default", LINES, "{\"wire\":\"a\"}\n{\"wire\":\"b\"}\n{\"wire\":\"c\"}\n", "?wait=verdict"));

        JsonNode items = parse(response.body()).path("items");
        assertThat(items.at("/0/verdict").isNull()).as(response.body()).isTrue();
        assertThat(items.at("/1/verdict/chain").asText()).isEqualTo("default|SLIP|7");
        assertThat(items.at("/2/verdict/verdict").asText()).isEqualTo("UNDECODABLE");
        assertThat(response.body()).doesNotContain("victim", "next free turn");
    }

    /** Sets the input position that {@link #accept} gives to a message of a request. */
    private static AuditRecord at(AuditRecord record, long offset) {
        record.getSource().setPartition(1);
        record.getSource().setOffset(offset);
        return record;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/conversations",
                "/v1/positions/parley.wire/1/0",
                "/v1/dead-letters",
                "/v1/accounting",
                "/metrics",
                "/openapi.yaml",
                "/"
            })
    void aProducerReadsNothing(String path) {
        problem(send("GET", path, "Authorization", "Bearer producer"), Code.ROLE_MISSING);
    }

    @Test
    void theSchemaOfALineHasTheMembersThatAreRead() throws IOException {
        JsonNode line = new ObjectMapper(new YAMLFactory())
                .readTree(WireHandlerTest.class.getResource("/openapi.yaml"))
                .at("/components/schemas/WireLine/properties");
        List<String> members = new ArrayList<>(WireBody.MEMBERS);
        members.addAll(WireBody.IGNORED);
        assertThat(line.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(members);
    }

    @Test
    void resultsAreCounted() {
        post("text/plain", SLIP);
        post("text/plain", SLIP, "Idempotency-Key", "again");
        post("text/plain", "");
        assertThat(metrics.scrape())
                .contains("parley_ingest_messages_total{result=\"entered\"} 1.0")
                .contains("parley_ingest_messages_total{result=\"repeated\"} 1.0")
                .contains("parley_ingest_messages_total{result=\"refused\"} 1.0");
    }

    private static List<CompletableFuture<IngestResult>> results(List<IngestMessage> messages, IngestResult result) {
        return messages.stream()
                .map(message -> CompletableFuture.completedFuture(result))
                .toList();
    }

    /** Sends an event in binary mode, see {@link #attributes}. */
    private HttpResponse<String> binary(String... headers) {
        return post("text/plain", SLIP, attributes(headers));
    }

    /** Headers of an event in binary mode; the given ones, names and values in turn, replace required ones. */
    private static String[] attributes(String... headers) {
        Map<String, String> required =
                new TreeMap<>(Map.of("ce-specversion", "1.0", "ce-id", "1", "ce-source", "/a", "ce-type", "msg"));
        required.keySet().removeAll(List.of(headers));
        Stream<String> others =
                required.entrySet().stream().flatMap(attribute -> Stream.of(attribute.getKey(), attribute.getValue()));
        return Stream.concat(others, Stream.of(headers)).toArray(String[]::new);
    }

    private static String event(String id, String data) {
        return "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"s\",\"type\":\"t\",\"data\":" + data + "}";
    }

    private IngestMessage only() {
        assertThat(sent).hasSize(1);
        return sent.get(0);
    }

    /**
     * Sends a request again if the connection fails, but not for a wrong response. The server does not read a large
     * body that it refuses, so it may reset the connection before the client has the response, or when the client uses
     * it again.
     */
    private static HttpResponse<String> answered(Callable<HttpResponse<String>> request) {
        return await().ignoreExceptionsMatching(failure -> failure.getCause() instanceof IOException)
                .until(request, response -> true);
    }

    private HttpResponse<String> post(String type, String body, String... headers) {
        return as("producer", type, body, headers);
    }

    private HttpResponse<String> as(String token, String type, String body, String... headers) {
        return send(request(token, type, body, "", headers));
    }

    private HttpRequest request(String token, String type, String body, String query, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().uri() + "/v1/wire" + query))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }
}
