package dev.parley.server.redrive;

import dev.parley.avro.AuditRecord;
import dev.parley.server.api.Parameters;
import dev.parley.server.api.ViewRoute;
import dev.parley.server.auth.Role;
import dev.parley.server.cluster.RoutingScope;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResultSize;
import dev.parley.server.redrive.DryRun.Prediction;
import dev.parley.topology.pipeline.PipelineSettings;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Predicts verdicts by a {@link DryRun} over recorded messages, read from the owners of their conversations. */
final class ConversationPredictor implements RedriveHandler.Predictor {

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

    /** Operation that returns audit records of a chain from a sequence on, unmasked, for operators only. */
    static final ViewRoute<Records> OPERATION = ViewRoute.of(
            "conversation/records",
            Records.class,
            request -> new RoutingScope.SinglePartition(request.pathParam(CHAIN)),
            (request, views) -> {
                if (!request.caller().role().includes(Role.OPERATOR)) {
                    throw ProblemException.of(Code.ROLE_MISSING, "Only operators read records.");
                }
                return new Records(views.messages(
                        request.pathParam(CHAIN),
                        Parameters.number(FROM, request.pathParam(FROM), 0, Long.MAX_VALUE),
                        SLICE));
            });

    private final PipelineSettings settings;
    private final RecordReader records;
    private final RequestExecutor executor;
    private final Clock clock;

    /** Reads records. */
    @FunctionalInterface
    interface RecordReader {

        /** The result of {@link #OPERATION}. */
        CompletableFuture<Records> read(Context request, Map<String, String> subject);
    }

    ConversationPredictor(PipelineSettings settings, RecordReader records, RequestExecutor executor, Clock clock) {
        this.settings = settings;
        this.records = records;
        this.executor = executor;
        this.clock = clock;
    }

    /** Dead letters of one conversation, by their index in the request. */
    private record Group(String chain, List<Integer> indexes, AtomicLong replayed) {}

    /** A dry run in progress. */
    private final class Run {
        private final Context request;
        private final List<RedriveItem> items;
        private final List<Integer> attempts;
        private final Prediction[] predictions;
        private final DryRun dryRun = new DryRun(settings, clock.instant());
        private final long deadline = System.nanoTime() + TIMEOUT.toNanos();

        Run(Context request, List<RedriveItem> items, List<Integer> attempts) {
            this.request = request;
            this.items = items;
            this.attempts = attempts;
            this.predictions = new Prediction[items.size()];
        }

        CompletableFuture<List<Prediction>> start() {
            Map<String, List<Integer>> chains = new LinkedHashMap<>();
            for (int i = 0; i < items.size(); i++) {
                int index = i;
                DryRun.Routed routed = dryRun.route(items.get(i), attempts.get(i));
                routed.chain()
                        .ifPresentOrElse(
                                chain -> chains.computeIfAbsent(chain, none -> new ArrayList<>())
                                        .add(index),
                                () -> predictions[index] = routed.undecodable());
            }
            Iterator<Group> groups = chains.entrySet().stream()
                    .map(chain -> new Group(chain.getKey(), chain.getValue(), new AtomicLong()))
                    .iterator();
            return next(groups).thenApply(done -> List.of(predictions));
        }

        private CompletableFuture<?> next(Iterator<Group> groups) {
            if (!groups.hasNext()) {
                return CompletableFuture.completedFuture(null);
            }
            Group group = groups.next();
            DryRun.Conversation conversation = dryRun.conversation();
            return replay(group, conversation).thenCompose(done -> next(groups));
        }

        /** Replays a conversation slice by slice, then judges its dead letters. */
        private CompletableFuture<?> replay(Group group, DryRun.Conversation conversation) {
            return records.read(request, Map.of(CHAIN, group.chain(), FROM, Long.toString(conversation.next())))
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
            for (int index : group.indexes()) {
                predictions[index] = conversation.judge(items.get(index), attempts.get(index));
            }
            return false;
        }
    }

    @Override
    public CompletableFuture<List<Prediction>> predict(
            Context request, List<RedriveItem> items, List<Integer> attempts) {
        return executor.call(Pool.REMOTE, () -> new Run(request, items, attempts).start())
                .thenCompose(predictions -> predictions);
    }
}
