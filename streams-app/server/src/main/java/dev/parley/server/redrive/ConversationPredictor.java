package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.json.ResultSize;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.redrive.DryRun.Prediction;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.views.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Predicts verdicts by a {@link DryRun} over recorded messages, read from the owners of their conversations. */
final class ConversationPredictor {

    private static final String CHAIN = "chain";
    private static final String FROM = "from";

    /** Maximum recorded messages of one conversation that a dry run judges again. */
    private static final long MAX_REPLAYED = 200_000;

    /** Maximum approximate bytes of these messages as JSON; a dry run keeps the patches among them in memory. */
    private static final long MAX_REPLAYED_BYTES = 64L << 20;

    /** Maximum time of one request for its dry run. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final int SLICE = 1_000;

    /** Audit records of one chain, in their order. */
    record Records(List<AuditRecord> records) {}

    private final PipelineSettings settings;
    private final ViewApi api;
    /** Operation that returns audit records of a chain from a sequence on, unmasked, for operators only. */
    private final ViewRoute<Records> records;

    ConversationPredictor(PipelineSettings settings, ViewApi api) {
        this.settings = settings;
        this.api = api;
        this.records = api.add(ViewRoute.of(
                "conversation/records",
                Records.class,
                request -> RoutingScope.SinglePartition.ofChain(request.pathParam(CHAIN)),
                ConversationPredictor::read));
    }

    private static Records read(ViewRequest request, Views views) {
        if (!request.caller().role().includes(Role.OPERATOR)) {
            throw Code.ROLE_MISSING.problem("Only operators read records.");
        }
        List<AuditRecord> fitting = new ArrayList<>();
        for (AuditRecord record : views.messages(
                request.pathParam(CHAIN), Parameters.number(FROM, request.pathParam(FROM), 0, Long.MAX_VALUE), SLICE)) {
            if (!request.budget().add(record, fitting.isEmpty())) {
                break;
            }
            fitting.add(record);
        }
        return new Records(fitting);
    }

    /**
     * Predicts the verdicts on dead letters that would enter in this order.
     *
     * @param attempts number of the attempt of each
     */
    CompletableFuture<Map<InputPosition, Prediction>> predict(
            ApiRequest request,
            RequestExecutor executor,
            List<RedriveItem> items,
            Map<InputPosition, Integer> attempts) {
        return executor.call(Pool.REMOTE, () -> new Run(request, executor, attempts).start(items))
                .thenCompose(predictions -> predictions);
    }

    /** The dead letters of one conversation. */
    private record Group(String chain, List<RedriveItem> items, AtomicLong replayed) {}

    /** A dry run in progress. */
    private final class Run {
        private final ApiRequest request;
        private final RequestExecutor executor;
        private final Map<InputPosition, Integer> attempts;
        private final Map<InputPosition, Prediction> predictions = new HashMap<>();
        private final DryRun dryRun = new DryRun(settings, Instant.now());
        private final long deadline = System.nanoTime() + TIMEOUT.toNanos();

        Run(ApiRequest request, RequestExecutor executor, Map<InputPosition, Integer> attempts) {
            this.request = request;
            this.executor = executor;
            this.attempts = attempts;
        }

        CompletableFuture<Map<InputPosition, Prediction>> start(List<RedriveItem> items) {
            Map<String, List<RedriveItem>> chains = new LinkedHashMap<>();
            for (RedriveItem item : items) {
                DryRun.Routed routed = dryRun.route(item, attempts.get(item.id()));
                routed.chain()
                        .ifPresentOrElse(
                                chain -> chains.computeIfAbsent(chain, none -> new ArrayList<>())
                                        .add(item),
                                () -> predictions.put(item.id(), routed.undecodable()));
            }
            CompletableFuture<?> all = CompletableFuture.completedFuture(null);
            for (Map.Entry<String, List<RedriveItem>> chain : chains.entrySet()) {
                Group group = new Group(chain.getKey(), chain.getValue(), new AtomicLong());
                all = all.thenCompose(done -> replay(group, dryRun.conversation()));
            }
            return all.thenApply(done -> predictions);
        }

        /** Replays a conversation slice by slice, then judges its dead letters. */
        private CompletableFuture<?> replay(Group group, DryRun.Conversation conversation) {
            return api.read(request, records, Map.of(CHAIN, group.chain(), FROM, Long.toString(conversation.next())))
                    .thenCompose(read -> executor.call(Pool.REMOTE, () -> add(group, conversation, read.records())))
                    .thenCompose(more -> more ? replay(group, conversation) : CompletableFuture.completedFuture(null));
        }

        /** Whether more records follow. */
        private boolean add(Group group, DryRun.Conversation conversation, List<AuditRecord> slice) {
            slice.forEach(conversation::replay);
            group.replayed().addAndGet(ResultSize.of(slice).json());
            boolean tooLong =
                    conversation.next() > MAX_REPLAYED || group.replayed().get() > MAX_REPLAYED_BYTES;
            boolean late = System.nanoTime() - deadline >= 0;
            if (!slice.isEmpty() && !tooLong && !late) {
                return true;
            }
            if (tooLong) {
                conversation.stop("the conversation has more than " + MAX_REPLAYED + " messages or "
                        + (MAX_REPLAYED_BYTES >> 20) + " MiB as JSON.");
            } else if (late) {
                conversation.stop("the dry run took longer than " + TIMEOUT.toSeconds() + " s; select fewer.");
            }
            group.items()
                    .forEach(item -> predictions.put(item.id(), conversation.judge(item, attempts.get(item.id()))));
            return false;
        }
    }
}
