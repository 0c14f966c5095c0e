package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.codec.Limits;
import dev.parley.encoding.ByteBuffers;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.InputDetails;
import dev.parley.json.model.InputDetails.Status;
import dev.parley.server.api.ConversationHandler;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.Paths;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResponseBudget;
import dev.parley.topology.topics.InputPayload;
import dev.parley.topology.views.Views;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Answers requests for what the audit record of a message does not have: key and headers of its input record. Only
 * auditors may read them, because they have no marks of their own, and bridges copy credentials into headers.
 */
final class InputDetailsHandler {

    static final String PATH = "/v1/conversations/{namespace}/{protocol}/{conversation}/messages/{sequence}/input";

    private final Redriver redriver;
    private final FeatureContext context;
    private final Limits limits;
    private final ViewRoute<AuditRecord> record;

    InputDetailsHandler(Redriver redriver, Limits limits, FeatureContext context) {
        this.redriver = redriver;
        this.limits = limits;
        this.context = context;
        BiFunction<ViewRequest, Views, AuditRecord> reader =
                (request, views) -> request.budget().addAnswer(ConversationHandler.record(request, views));
        this.record = context.api()
                .add(ViewRoute.of("conversation/input", AuditRecord.class, ViewRoute::conversation, reader));
    }

    /** Answers with key and headers of the message that a request names. */
    CompletableFuture<?> show(ApiRequest request, RequestExecutor executor) {
        Parameters.of(request);
        return context.api()
                .read(request, record, Paths.names(request.pathParams()))
                .thenCompose(found -> executor.call(
                        Pool.DEAD_LETTERS, () -> ResponseBudget.of(request).addAnswer(details(found))));
    }

    private InputDetails details(AuditRecord audit) {
        InputPosition position = InputPosition.of(audit.getSource());
        if (audit.getRedaction() != null) {
            return InputDetails.without(Status.NO_MESSAGE);
        }
        if (audit.getRedacted() != null || context.local().redactions().isRedacted(position)) {
            return InputDetails.without(Status.REDACTED);
        }
        Optional<ConsumerRecord<byte[], byte[]>> found = redriver.input(position);
        if (found.isEmpty()) {
            return InputDetails.without(Status.EXPIRED);
        }
        if (!InputPayload.matches(ByteBuffers.of(audit.getPayloadHash()), found.get(), limits)) {
            // The topic was created again.
            return InputDetails.without(Status.REPLACED);
        }
        byte[] key = found.get().key();
        return new InputDetails(
                Status.AVAILABLE.name(),
                key == null ? null : EncodedText.of(key),
                DeadLetterDetailsHandler.headers(found.get().headers()));
    }
}
