package dev.parley.server.redaction;

import static dev.parley.codec.Code.MCP_DEFINITION_CHANGED;

import dev.parley.audit.InputPosition;
import dev.parley.audit.RedactionFields;
import dev.parley.audit.Redactions;
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
import dev.parley.topology.views.Views;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests to redact or to approve a message: the owner of the message describes it, and the pipeline gets the
 * request.
 */
final class RedactionHandler {

    /** Path of the message, before the name of the request. */
    static final String PATH = "/v1/conversations/{namespace}/{protocol}/{conversation}/messages/{sequence}/";

    private static final Logger LOG = LoggerFactory.getLogger(RedactionHandler.class);

    private final ViewApi api;
    private final Function<Redaction, InputPosition> redactor;
    private final Code refusal;

    /** Operation that describes the message, by a redaction or approval. It reads messages unmasked. */
    private final ViewRoute<Redaction> target;

    /**
     * @param redactor writes requests
     * @param approves whether the requests are approvals
     */
    RedactionHandler(ViewApi api, Function<Redaction, InputPosition> redactor, boolean approves) {
        this.api = api;
        this.redactor = redactor;
        this.refusal = approves ? Code.NOT_APPROVABLE : Code.NOT_REDACTABLE;
        this.target = api.add(ViewRoute.of(
                approves ? "conversation/approvable" : "conversation/redactable",
                Redaction.class,
                ViewRoute::conversation,
                (request, views) -> target(ConversationHandler.record(request, views), views, approves)));
    }

    /** Starts handling a request. */
    CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) {
        Parameters.of(request);
        String reason = reason(request);
        return api.read(request, target, Paths.names(request.pathParams()))
                .thenCompose(found -> executor.call(Pool.REMOTE, () -> send(request, found, reason)));
    }

    private Redacting send(ApiRequest request, Redaction redaction, String reason) {
        if (!redaction.getReason().isEmpty()) {
            // Already redacted or approved: the first one is permanent.
            return new Redacting(redaction, null);
        }
        redaction.setReason(reason);
        redaction.setBy(SecurityFilter.caller(request).name());
        redaction.setTime(Instant.ofEpochMilli(System.currentTimeMillis()));
        RedactionFields.check(redaction).ifPresent(problem -> {
            throw refusal.problem(refusal.title() + ": " + problem + ".");
        });
        InputPosition sent = redactor.apply(redaction);
        LOG.info(
                "{} {} sequence {} of chain {}; the request is {}",
                redaction.getBy(),
                redaction.getApproves() ? "approves" : "redacts",
                redaction.getSequence(),
                redaction.getChain(),
                sent);
        request.status(202);
        return new Redacting(redaction, new RecordPosition(sent.topic(), sent.partition(), sent.offset()));
    }

    /** The redaction or approval of a message; if it has none, a new one without reason and caller. */
    private static Redaction target(AuditRecord record, Views views, boolean approves) {
        Optional<Redaction> before =
                approves ? views.approvals().of(record) : Optional.ofNullable(record.getRedacted());
        if (before.isPresent()) {
            return before.get();
        }
        if (approves && !Redactions.isApprovable(record)) {
            throw Code.NOT_APPROVABLE.problem("The message has no warning " + MCP_DEFINITION_CHANGED
                    + ", so there is no changed definition to approve.");
        }
        if (!approves && record.getRedaction() != null) {
            throw Code.NOT_REDACTABLE.problem(
                    "The message is the record of a redaction or approval, which cannot be redacted.");
        }
        return new Redaction(
                record.getChain(),
                record.getSequence(),
                record.getSource(),
                record.getHash(),
                "",
                "",
                Instant.EPOCH,
                approves);
    }

    /** The body of a request. */
    private record Body(String reason) {}

    private static String reason(ApiRequest request) {
        String form = "The body must be {\"reason\": \"...\"}, with a reason of at most "
                + RedactionFields.MAX_TEXT_CHARACTERS
                + " characters. The chain keeps the reason, so it must not quote redacted content.";
        String given = Json.body(request, Body.class, form).reason();
        String reason = given == null ? "" : given.strip();
        RedactionFields.checkText(reason).ifPresent(problem -> {
            throw Code.INVALID_REQUEST.problem(form + " The reason " + problem + ".");
        });
        return reason;
    }
}
