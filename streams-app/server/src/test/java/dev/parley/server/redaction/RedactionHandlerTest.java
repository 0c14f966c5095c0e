package dev.parley.server.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.json.ApiJson;
import dev.parley.server.api.HttpTest;
import dev.parley.server.api.Samples;
import dev.parley.server.api.Tokens;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionHandlerTest extends HttpTest {
    private static final String MESSAGES = "/v1/conversations/default/slip/7/messages/";
    private static final String BODY = "{\"reason\": \" names a customer \"}";

    private final List<Redaction> redactions = new ArrayList<>();

    @Override
    protected HttpSecurity security() {
        return Tokens.security();
    }

    @BeforeEach
    void fill() {
        views.conversations.add(Samples.conversation("default", Protocol.SLIP, "7", 2));
        views.messages.add(Samples.slip("7", 0));
        views.messages.add(Samples.slip("7", 1));
        redactor = redaction -> {
            redactions.add(redaction);
            return new InputPosition("parley.redaction.v1", 3, 9);
        };
    }

    @Test
    void theRequestNamesRecordRequesterAndReason() {
        Instant before = Instant.now();
        HttpResponse<String> response = post("1", BODY);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        AuditRecord link = views.messages.get(1);
        assertThat(redactions).hasSize(1);
        Redaction redaction = redactions.get(0);
        assertThat(Redactions.concerns(redaction, link)).isTrue();
        assertThat(redaction.getSequence()).isEqualTo(1);
        assertThat(redaction.getReason()).isEqualTo("names a customer");
        assertThat(redaction.getBy()).isEqualTo("token:operator");
        assertThat(redaction.getTime()).isBetween(before.minus(Duration.ofMillis(1)), Instant.now());
        JsonNode body = parse(response.body());
        assertThat(body.at("/sent/topic").asText()).isEqualTo("parley.redaction.v1");
        assertThat(body.at("/sent/partition").asInt()).isEqualTo(3);
        assertThat(body.at("/sent/offset").asLong()).isEqualTo(9);
        assertThat(body.path("redaction")).isEqualTo(parse(ApiJson.text(redaction)));
    }

    @Test
    void claimedTimesDoNotPreventRedaction() {
        AuditRecord link = views.messages.get(1);
        Redaction withoutClaim = Links.redactionOf(AuditRecord.newBuilder(link).build());
        link.getSource().setProducerTime(Instant.parse("2017-01-01T00:00:00Z"));

        assertThat(post("1", BODY).statusCode()).isEqualTo(202);

        assertThat(redactions.get(0).getSource()).isEqualTo(link.getSource());
        assertThat(Redactions.concerns(redactions.get(0), link)).isTrue();
        assertThat(withoutClaim.getSource().getProducerTime()).isNull();
        assertThat(Redactions.concerns(withoutClaim, link)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "\"why\"",
                "{}",
                "{\"reason\": \"\"}",
                "{\"reason\": \" \\n\"}",
                "{\"reason\": \"\\u0000\\u200b\"}",
                "{\"reason\": \"a\\ud800\"}",
                "{\"reason\": \"\\udc00\\ud800a\"}",
                "{\"reason\": 1}",
                "{\"reason\": null}",
                "{\"reason\": \"a\", \"by\": \"me\"}",
                "{\"reason\": \"a\", \"reason\": \"b\"}",
                "{\"reason\": \"a\"} {}"
            })
    void aBodyWithoutAReasonIsRejectedWithItsFormat(String body) {
        assertThat(problem(post("1", body), ProblemException.Code.INVALID_REQUEST)
                        .path("detail")
                        .asText())
                .startsWith("The body must be {\"reason\": ");
        assertThat(redactions).isEmpty();
    }

    @Test
    void theLengthOfAReasonIsLimited() {
        assertThat(post("1", "{\"reason\": \"" + "x".repeat(1_000) + "\"}").statusCode())
                .isEqualTo(202);
        problem(post("1", "{\"reason\": \"" + "x".repeat(1_001) + "\"}"), ProblemException.Code.INVALID_REQUEST);
        assertThat(redactions).hasSize(1);
    }

    @Test
    void anUnknownMessageCannotBeRedacted() {
        problem(post("2", BODY), ProblemException.Code.UNKNOWN_MESSAGE);
        problem(post("x", BODY), ProblemException.Code.INVALID_PARAMETER);
        problem(
                send(request("/v1/conversations/default/slip/8/messages/0/redact", BODY)),
                ProblemException.Code.UNKNOWN_CONVERSATION);
        assertThat(redactions).isEmpty();
    }

    @Test
    void redactingARedactedMessageReturnsItsRedactionAndSendsNothing() {
        AuditRecord link = views.messages.get(1);
        Redaction first = Links.redactionOf(link);
        views.messages.set(1, Redactions.redact(link, first));
        HttpResponse<String> response = post("1", BODY);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(parse(response.body()).path("redaction")).isEqualTo(parse(ApiJson.text(first)));
        assertThat(parse(response.body()).path("sent").isNull()).isTrue();
        assertThat(redactions).isEmpty();
    }

    @Test
    void theRecordOfARedactionCannotBeRedacted() {
        views.messages.set(1, Samples.redacting(Links.redactionOf(views.messages.get(0)), 1));
        problem(post("1", BODY), ProblemException.Code.NOT_REDACTABLE);
        assertThat(redactions).isEmpty();
    }

    private Redaction change(long sequence) {
        AuditRecord record = views.messages.get((int) sequence);
        record.setWarnings(List.of("MCP_DEFINITION_CHANGED"));
        Redaction approval = Links.redactionOf(record);
        approval.setApproves(true);
        return approval;
    }

    @Test
    void anApprovalNamesRecordRequesterAndReason() {
        change(1);
        HttpResponse<String> response = send(request(MESSAGES + "1/approve", BODY));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        Redaction approval = redactions.get(0);
        assertThat(Redactions.approves(approval, views.messages.get(1))).isTrue();
        assertThat(approval.getReason()).isEqualTo("names a customer");
        assertThat(approval.getBy()).isEqualTo("token:operator");
        assertThat(parse(response.body()).path("redaction")).isEqualTo(parse(ApiJson.text(approval)));
        assertThat(parse(response.body()).at("/redaction/approves").asBoolean()).isTrue();
    }

    @Test
    void aMessageWithoutAChangedDefinitionCannotBeApproved() {
        views.messages.set(1, Samples.redacting(Links.redactionOf(views.messages.get(0)), 1));
        for (String sequence : List.of("0", "1")) {
            problem(send(request(MESSAGES + sequence + "/approve", BODY)), ProblemException.Code.NOT_APPROVABLE);
        }
        problem(send(request(MESSAGES + "2/approve", BODY)), ProblemException.Code.UNKNOWN_MESSAGE);
        change(0);
        problem(send(request(MESSAGES + "0/approve", "{}")), ProblemException.Code.INVALID_REQUEST);
        assertThat(redactions).isEmpty();
    }

    @Test
    void approvingAnApprovedMessageReturnsItsApprovalAndSendsNothing() {
        Redaction first = change(0);
        views.messages.set(1, Samples.redacting(first, 1));
        HttpResponse<String> response = send(request(MESSAGES + "0/approve", BODY));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(parse(response.body()).path("redaction")).isEqualTo(parse(ApiJson.text(first)));
        assertThat(parse(response.body()).path("sent").isNull()).isTrue();
        assertThat(redactions).isEmpty();
    }

    @Test
    void aMessageShowsItsApprovalAndAnApprovalWhatItApproves() {
        Redaction approval = change(0);
        views.messages.set(1, Samples.redacting(approval, 1));
        JsonNode approved = parse(read(MESSAGES + "0"));
        assertThat(approved.path("approvedBy")).isEqualTo(parse(ApiJson.text(approval)));
        assertThat(approved.path("redacted").asBoolean()).isFalse();
        JsonNode event = parse(read(MESSAGES + "1"));
        assertThat(event.path("redaction")).isEqualTo(parse(ApiJson.text(approval)));
        assertThat(event.path("gloss").asText()).isEqualTo("requester approves message 0: names a customer");
        assertThat(event.path("approvedBy").isMissingNode()).isTrue();
    }

    @Test
    void messagesWithoutAnApprovalAreListed() {
        change(1);
        JsonNode items = parse(read("/v1/unapproved?namespace=default")).path("items");
        assertThat(items).singleElement().satisfies(item -> {
            assertThat(item.path("chain").asText()).isEqualTo("default|SLIP|7");
            assertThat(item.path("sequence").asLong()).isEqualTo(1);
            assertThat(item.path("definitions")).isEmpty();
        });
        assertThat(parse(read("/v1/unapproved?namespace=other")).path("items")).isEmpty();
        assertThat(read("/metrics")).contains("parley_definitions_unapproved 1.0");
    }

    private String read(String path) {
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer operator")
                .build());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    @Test
    void whileBrokersAreUnavailableTheResponseHasRetryAfter() {
        redactor = redaction -> {
            throw ProblemException.Code.BROKERS_UNAVAILABLE.problem("The brokers are unavailable.");
        };
        HttpResponse<String> response = post("1", BODY);
        problem(response, ProblemException.Code.BROKERS_UNAVAILABLE);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }

    private HttpResponse<String> post(String sequence, String body) {
        return send(request(MESSAGES + sequence + "/redact", body));
    }

    private HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(server().uri() + path))
                .header("Authorization", "Bearer operator")
                .POST(BodyPublishers.ofString(body))
                .build();
    }
}
