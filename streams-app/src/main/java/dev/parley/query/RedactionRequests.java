package dev.parley.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers to those who want the payload of a message forgotten: whoever has the message says what it is, and the wish goes to the pipeline. */
final class RedactionRequests {

    /** What the path of a request has behind that of its message. */
    static final String VERB = "/redact";

    private static final Logger LOG = LoggerFactory.getLogger(RedactionRequests.class);

    private final Routing routing;
    private final Redactor redactor;
    private final Clock clock;

    RedactionRequests(Routing routing, Redactor redactor, Clock clock) {
        this.routing = routing;
        this.redactor = redactor;
        this.clock = clock;
    }

    ObjectNode redact(Context request) {
        Parameters.of(request);
        String reason = reason(request);
        JsonNode message = message(request);
        if (message.has("redactedBy")) {
            // The first redaction stays, whatever comes later; so nothing is sent.
            ObjectNode answer = Json.object();
            answer.set("redaction", message.get("redactedBy"));
            return answer.putNull("sent");
        }
        Redaction wish = wish(message, reason, Gate.caller(request).name());
        RedactionFields.check(wish).ifPresent(bad -> {
            throw Problem.of(Problem.Code.NOT_REDACTABLE, "The message cannot be redacted: " + bad + ".");
        });
        Outcome outcome = redactor.redact(wish);
        if (outcome instanceof Outcome.Sent sent) {
            LOG.info(
                    "{} redacts sequence {} of chain {}; the wish is {}-{}@{}",
                    wish.getBy(),
                    wish.getSequence(),
                    wish.getChain(),
                    sent.topic(),
                    sent.partition(),
                    sent.offset());
            request.status(202);
            ObjectNode answer = Json.object();
            answer.set("redaction", Json.of(wish));
            Json.putPlace(answer.putObject("sent"), sent.topic(), sent.partition(), sent.offset());
            return answer;
        }
        throw Problem.brokersUnavailable(((Outcome.Failed) outcome).detail());
    }

    private JsonNode message(Context request) {
        String path = request.req().getRequestURI();
        String ofMessage = path.substring(0, path.length() - VERB.length());
        // What decides here stands in every message, hidden or not.
        return routing.read(
                request, ofMessage, (r, views) -> new Conversations(views, dev.parley.query.Redaction.NONE).message(r));
    }

    private Redaction wish(JsonNode message, String reason, String by) {
        if (message.has("redaction")) {
            throw Problem.of(
                    Problem.Code.NOT_REDACTABLE, "This is the record of a redaction, which the chain needs to have.");
        }
        JsonNode source = message.path("source");
        return new Redaction(
                message.path("chain").asText(),
                message.path("sequence").asLong(),
                Source.newBuilder()
                        .setTopic(source.path("topic").asText())
                        .setPartition(source.path("partition").asInt())
                        .setOffset(source.path("offset").asLong())
                        .setTimestamp(Instant.parse(source.path("timestamp").asText()))
                        .setProducerTime(
                                source.hasNonNull("producerTime")
                                        ? Instant.parse(
                                                source.path("producerTime").asText())
                                        : null)
                        .build(),
                ByteBuffer.wrap(
                        HexFormat.of().parseHex(message.path("payloadHash").asText())),
                reason,
                by,
                Instant.ofEpochMilli(clock.millis()));
    }

    private static String reason(Context request) {
        Optional<JsonNode> body = Json.read(Gate.body(request));
        String reason = body.filter(node -> node.isObject() && node.size() == 1)
                .map(node -> node.path("reason"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .map(String::strip)
                .orElse("");
        if (reason.isEmpty() || reason.length() > Redactor.LONGEST_REASON) {
            throw Problem.of(
                    Problem.Code.INVALID_REQUEST,
                    "The body must be {\"reason\": \"...\"}, with a reason of at most " + Redactor.LONGEST_REASON
                            + " characters; it becomes part of the record, so it must not repeat what is to be forgotten.");
        }
        return reason;
    }
}
