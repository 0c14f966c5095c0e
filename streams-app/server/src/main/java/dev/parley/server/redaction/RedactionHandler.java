package dev.parley.server.redaction;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.json.model.DeadLetter.RecordPosition;
import dev.parley.json.model.write.Redacting;
import dev.parley.server.api.ConversationHandler;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.Paths;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.SecurityFilter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles requests to redact a message: the owner of the message describes it, and the pipeline gets the request. */
final class RedactionHandler {

    static final String PATH = "/v1/conversations/{namespace}/{protocol}/{conversation}/messages/{sequence}/redact";

    private static final Logger LOG = LoggerFactory.getLogger(RedactionHandler.class);

    private final ViewApi api;
    private final Function<Redaction, InputPosition> redactor;

    /** Operation that describes the message to redact, by a redaction. It reads messages unmasked. */
    private final ViewRoute<Redaction> redactable;

    /** @param redactor writes redaction requests */
    RedactionHandler(ViewApi api, Function<Redaction, InputPosition> redactor) {
        this.api = api;
        this.redactor = redactor;
        this.redactable = api.add(ViewRoute.of(
                "conversation/redactable",
                Redaction.class,
                ViewRoute::conversation,
                (request, views) -> redactable(ConversationHandler.record(request, views))));
    }

    /** Starts handling a request. */
    CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) {
        Parameters.of(request);
        String reason = reason(request);
        return api.read(request, redactable, Paths.names(request.pathParams()))
                .thenCompose(found -> executor.call(Pool.REMOTE, () -> redact(request, found, reason)));
    }

    private Redacting redact(ApiRequest request, Redaction redaction, String reason) {
        if (!redaction.getReason().isEmpty()) {
            // Already redacted: the first redaction is permanent.
            return new Redacting(redaction, null);
        }
        redaction.setReason(reason);
        redaction.setBy(SecurityFilter.caller(request).name());
        redaction.setTime(Instant.ofEpochMilli(System.currentTimeMillis()));
        RedactionFields.check(redaction).ifPresent(problem -> {
            throw Code.NOT_REDACTABLE.problem("The message cannot be redacted: " + problem + ".");
        });
        InputPosition sent = redactor.apply(redaction);
        LOG.info(
                "{} redacts sequence {} of chain {}; the request is {}",
                redaction.getBy(),
                redaction.getSequence(),
                redaction.getChain(),
                sent);
        request.status(202);
        return new Redacting(redaction, new RecordPosition(sent.topic(), sent.partition(), sent.offset()));
    }

    /** The redaction of a message; if it has none, a new one without reason and caller. */
    private static Redaction redactable(AuditRecord record) {
        if (record.getRedacted() != null) {
            return record.getRedacted();
        }
        if (record.getRedaction() != null) {
            throw Code.NOT_REDACTABLE.problem("The message is the record of a redaction, which cannot be redacted.");
        }
        return new Redaction(
                record.getChain(), record.getSequence(), record.getSource(), record.getHash(), "", "", Instant.EPOCH);
    }

    /** The body of a request. */
    private record Body(String reason) {}

    private static String reason(ApiRequest request) {
        String form = "The body must be {\"reason\": \"...\"}, with a reason of at most "
                + RedactionFields.MAX_TEXT_CHARACTERS
                + " characters. The chain keeps the reason, so it must not quote the redacted content.";
        String given = Json.body(request, Body.class, form).reason();
        String reason = given == null ? "" : given.strip();
        RedactionFields.checkText(reason).ifPresent(problem -> {
            throw Code.INVALID_REQUEST.problem(form + " The reason " + problem + ".");
        });
        return reason;
    }
}
