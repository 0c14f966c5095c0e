package dev.parley.query.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.protocol.Glosses;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.http.Json;
import dev.parley.query.http.ProblemException;
import dev.parley.query.http.SecurityFilter;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.stage.Bytes;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.AvroRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers to those who want the payload of a message forgotten: whoever has the message says what it is, and the wish
 * goes to the pipeline.
 */
final class RedactionHandler {

    /** What the path of a request has behind that of its message. */
    static final String VERB = "/redact";

    /**
     * Finds what is to be redacted; its content is a {@link Redaction} in Avro. What decides is in every message,
     * hidden or not.
     */
    static final ViewRoute OPERATION = new ViewRoute(
            "conversation/redactable",
            Routes::conversation,
            false,
            (request, views, lags) -> new ViewAnswer.Content(encode(redactable(
                    new ConversationHandler(views, dev.parley.query.read.MaskingPolicy.NONE, Glosses.STANDARD)
                            .record(request)))));

    private static final Logger LOG = LoggerFactory.getLogger(RedactionHandler.class);

    private final Function<Context, byte[]> redactables;
    private final Redactor redactor;
    private final Clock clock;

    /**
     * @param redactables the content of {@link #OPERATION} for a request
     * @param redactor sends redactions
     * @param clock for the times of redactions
     */
    RedactionHandler(Function<Context, byte[]> redactables, Redactor redactor, Clock clock) {
        this.redactables = redactables;
        this.redactor = redactor;
        this.clock = clock;
    }

    ObjectNode redact(Context request) {
        Parameters.of(request);
        String reason = reason(request);
        Redaction wish = decode(redactables.apply(request));
        if (!wish.getReason().isEmpty()) {
            // The first redaction stays, whatever comes later; so nothing is sent.
            ObjectNode answer = Json.object();
            answer.set("redaction", Json.of(wish));
            return answer.putNull("sent");
        }
        wish.setReason(reason);
        wish.setBy(SecurityFilter.caller(request).name());
        wish.setTime(Instant.ofEpochMilli(clock.millis()));
        RedactionFields.check(wish).ifPresent(bad -> {
            throw ProblemException.of(
                    ProblemException.Code.NOT_REDACTABLE, "The message cannot be redacted: " + bad + ".");
        });
        SendResult sendResult = redactor.redact(wish);
        if (sendResult instanceof SendResult.Sent sent) {
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
        throw ProblemException.brokersUnavailable(((SendResult.Failed) sendResult).detail());
    }

    /** The redaction of a message, or, if it has none, what names the message in one, without reason and caller. */
    private static Redaction redactable(AuditRecord record) {
        if (record.getRedacted() != null) {
            return record.getRedacted();
        }
        if (record.getRedaction() != null) {
            throw ProblemException.of(
                    ProblemException.Code.NOT_REDACTABLE,
                    "This is the record of a redaction, which the chain needs to have.");
        }
        return new Redaction(
                record.getChain(),
                record.getSequence(),
                record.getSource(),
                record.getPayloadHash(),
                "",
                "",
                Instant.EPOCH);
    }

    private static byte[] encode(Redaction redaction) {
        try {
            return Bytes.of(redaction.toByteBuffer());
        } catch (IOException e) {
            throw new UncheckedIOException("memory can always be written", e);
        }
    }

    private static Redaction decode(byte[] bytes) {
        try {
            return Redaction.fromByteBuffer(ByteBuffer.wrap(bytes));
        } catch (IOException | AvroRuntimeException e) {
            throw new ViewsUnavailableException("A peer describes the message in another version of Avro's schema.", e);
        }
    }

    private static String reason(Context request) {
        Optional<JsonNode> body = Json.read(SecurityFilter.body(request));
        String reason = body.filter(node -> node.isObject() && node.size() == 1)
                .map(node -> node.path("reason"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .map(String::strip)
                .orElse("");
        if (reason.isEmpty() || reason.length() > Redactor.LONGEST_REASON) {
            throw ProblemException.of(
                    ProblemException.Code.INVALID_REQUEST,
                    "The body must be {\"reason\": \"...\"}, with a reason of at most " + Redactor.LONGEST_REASON
                            + " characters; it becomes part of the record, so it must not repeat what is to be"
                            + " forgotten.");
        }
        return reason;
    }
}
