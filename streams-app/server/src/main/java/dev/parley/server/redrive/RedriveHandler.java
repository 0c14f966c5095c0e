package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.DeadLetter.RecordPosition;
import dev.parley.json.model.write.ClosureBody;
import dev.parley.json.model.write.RedriveResults;
import dev.parley.server.api.DeadLetterHandler;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.auth.Caller;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Json;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.SecurityFilter;
import dev.parley.server.redrive.RedriveOrder.Candidate;
import dev.parley.server.redrive.RedriveOrder.Cursor;
import dev.parley.server.redrive.RedriveOrder.Place;
import dev.parley.server.redrive.RedriveResult.Outcome;
import dev.parley.server.redrive.Redriver.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests to redrive dead letters: selects them, sorts them, and either sends them or predicts their verdicts.
 */
final class RedriveHandler {

    static final String PATH = "/v1/dead-letters:redrive";
    static final String CLOSE = "/v1/dead-letters:close";
    static final String REOPEN = "/v1/dead-letters:reopen";

    /** Maximum dead letters that a query selects. */
    static final int MAX_SELECTED = 50_000;

    /** Maximum pages that a query reads, each of which examines a bounded number of dead letters. */
    private static final int MAX_PAGES = 100;

    private static final Logger LOG = LoggerFactory.getLogger(RedriveHandler.class);

    private final Redriver redriver;
    private final FeatureContext context;
    private final ConversationPredictor predictor;
    private final ViewRoute<DeadLetter> deadLetters;

    RedriveHandler(Redriver redriver, FeatureContext context, ConversationPredictor predictor) {
        this.redriver = redriver;
        this.context = context;
        this.predictor = predictor;
        this.deadLetters = context.api().route("dead-letters", DeadLetter.class);
    }

    /** The decisions of a request. */
    private record Decided(
            List<RedriveItem> items,
            List<RedriveResult> results,
            Map<InputPosition, Unwrapping.Message> unwrapped,
            Optional<String> next,
            Cursor cursor) {}

    /** Starts handling a request. */
    CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) {
        Parameters.of(request);
        RedriveRequest body = RedriveRequest.of(request, context.topics());
        boolean changes = !body.edits().isEmpty() || body.unwrapping().isPresent();
        if (changes && SecurityFilter.caller(request).isBound()) {
            throw Code.NAMESPACE_NOT_ALLOWED.problem("A changed message may belong to any namespace, so a token that is"
                    + " bound to namespaces redrives messages only as they are.");
        }
        return candidates(request, executor, body)
                .thenCompose(found -> executor.call(Pool.REDRIVES, () -> decide(request, body, found)))
                .thenCompose(decided -> body.dryRun()
                        ? predict(request, executor, decided)
                        : CompletableFuture.completedFuture(results(decided, Map.of())));
    }

    /** Closes or reopens the dead letters that a request names. */
    CompletableFuture<?> change(ApiRequest request, RequestExecutor executor, boolean close) {
        Parameters.of(request);
        ClosureBody body = Json.body(request, ClosureBody.class, "The body must be a JSON object with ids and reason.");
        Set<InputPosition> ids = RedriveRequest.ids(body.ids(), context.topics());
        Caller caller = SecurityFilter.caller(request);
        Order order = new Order(
                caller.name(),
                RedriveRequest.reason(body.reason()),
                Cursor.start().operation());
        return executor.call(Pool.REDRIVES, () -> {
            Map<InputPosition, Candidate> found = redriver.find(ids, letter -> letter.isVisibleTo(caller));
            List<RedriveResult> results = new ArrayList<>(redriver.change(found.values(), close, order));
            ids.stream().filter(id -> !found.containsKey(id)).forEach(id -> results.add(expired(id)));
            LOG.info(
                    "{} {} {} dead letters in operation {}; reason: {}",
                    order.by(),
                    close ? "closed" : "reopened",
                    results.size(),
                    order.operation(),
                    order.reason());
            return results(
                    new Decided(
                            List.of(),
                            results,
                            Map.of(),
                            Optional.empty(),
                            new Cursor(order.operation(), Optional.empty())),
                    Map.of());
        });
    }

    private CompletableFuture<Collection<Candidate>> candidates(
            ApiRequest request, RequestExecutor executor, RedriveRequest body) {
        return body.query().isPresent()
                ? page(request, body.query().get(), Optional.empty(), new ArrayList<>(), 1)
                : executor.call(
                        Pool.REDRIVES,
                        () -> redriver.find(body.ids(), letter -> letter.isVisibleTo(SecurityFilter.caller(request)))
                                .values());
    }

    /** Collects the dead letters of a query, page by page. */
    private CompletableFuture<Collection<Candidate>> page(
            ApiRequest request, Map<String, String> query, Optional<Bytes> after, List<Candidate> found, int pages) {
        return context.api().items(request, deadLetters, query, after).thenCompose(page -> {
            page.results().forEach(item -> found.add(candidate(item)));
            if (page.end().isEmpty()) {
                return CompletableFuture.completedFuture(found);
            }
            if (found.size() >= MAX_SELECTED || pages == MAX_PAGES) {
                throw Code.INVALID_REQUEST.problem(
                        "The query reads too many dead letters: it may select " + MAX_SELECTED
                                + ", or read " + MAX_PAGES + " pages. Narrow it by from and to. Nothing was"
                                + " sent.");
            }
            return page(request, query, page.end(), found, pages + 1);
        });
    }

    private static Candidate candidate(DeadLetter item) {
        InputPosition id = position(item.deadLetter()).orElseThrow();
        int bytes = item.valueSize() == null ? 0 : item.valueSize();
        return new Candidate(
                id, position(item.source()).orElse(id), item.timestamp().toEpochMilli(), bytes);
    }

    private static Optional<InputPosition> position(RecordPosition position) {
        return position.topic() == null || position.partition() == null || position.offset() == null
                ? Optional.empty()
                : Optional.of(new InputPosition(position.topic(), position.partition(), position.offset()));
    }

    private Decided decide(ApiRequest request, RedriveRequest body, Collection<Candidate> found) {
        List<Candidate> sorted = RedriveOrder.sorted(found, body.edits().keySet());
        List<Candidate> next = RedriveOrder.next(sorted, body.cursor(), body.limit(), Redriver.MAX_BYTES);
        Redriver.Read read =
                redriver.read(next.stream().map(Candidate::deadLetter).toList());
        List<Candidate> chosen = next.subList(0, read.count());
        List<RedriveItem> items = new ArrayList<>();
        List<RedriveResult> missing = new ArrayList<>();
        Map<InputPosition, Unwrapping.Message> unwrapped = new HashMap<>();
        chosen.forEach(candidate -> {
            InputPosition id = candidate.deadLetter();
            DeadLetterRecord letter = read.letters().get(id);
            if (letter == null) {
                missing.add(expired(id));
                return;
            }
            RedriveEdit edit = body.edits().getOrDefault(id, RedriveEdit.NONE);
            boolean redacted = DeadLetterDetailsHandler.isRedacted(letter, context.local());
            Optional<String> refusal = body.unwrapping().flatMap(unwrapping -> unwrapping.refusal(letter, redacted));
            if (refusal.isPresent()) {
                missing.add(RedriveResult.refused(id, 0, refusal.get()));
                return;
            }
            body.unwrapping().ifPresent(unwrapping -> unwrapped.put(id, unwrapping.message(letter)));
            RedriveEdit sent =
                    unwrapped.containsKey(id) ? edit.withValue(unwrapped.get(id).bytes()) : edit;
            items.add(new RedriveItem(letter, sent, redacted));
        });
        if (body.cursor().after().isEmpty()) {
            Set<InputPosition> left = new LinkedHashSet<>(body.ids());
            sorted.forEach(candidate -> left.remove(candidate.deadLetter()));
            Set<InputPosition> known = found.stream().map(Candidate::deadLetter).collect(Collectors.toSet());
            left.forEach(id -> missing.add(known.contains(id) ? RedriveResult.twice(id) : expired(id)));
        }
        List<RedriveResult> results = new ArrayList<>(
                body.dryRun() ? redriver.check(items, body.cursor().operation()) : redrive(request, body, items));
        results.addAll(missing);
        Optional<String> cursor = Optional.empty();
        if (!chosen.isEmpty() && chosen.get(chosen.size() - 1) != sorted.get(sorted.size() - 1)) {
            Optional<Place> last = Optional.of(chosen.get(chosen.size() - 1).place());
            cursor = Optional.of(new Cursor(body.cursor().operation(), last).text());
        }
        return new Decided(items, results, unwrapped, cursor, body.cursor());
    }

    private static RedriveResult expired(InputPosition id) {
        return RedriveResult.refused(
                id, 0, "There is no dead letter " + DeadLetterHandler.id(id) + ". It may have expired.");
    }

    private List<RedriveResult> redrive(ApiRequest request, RedriveRequest body, List<RedriveItem> items) {
        String caller = SecurityFilter.caller(request).name();
        List<RedriveResult> results = redriver.redrive(
                items, new Order(caller, body.reason(), body.cursor().operation()));
        LOG.info(
                "{} redrove {} of {} dead letters in operation {}; reason: {}",
                caller,
                results.stream()
                        .filter(result -> result.outcome() == Outcome.ENTERED)
                        .count(),
                results.size(),
                body.cursor().operation(),
                body.reason());
        return results;
    }

    private CompletableFuture<RedriveResults> predict(ApiRequest request, RequestExecutor executor, Decided decided) {
        Map<InputPosition, Integer> attempts = new HashMap<>();
        decided.results().stream()
                .filter(result -> result.outcome() == Outcome.WOULD_ENTER)
                .forEach(result -> attempts.put(result.deadLetter(), result.attempt()));
        List<RedriveItem> items = decided.items().stream()
                .filter(item -> attempts.containsKey(item.id()))
                .toList();
        return predictor
                .predict(request, executor, items, attempts)
                .thenApply(predictions -> results(decided, predictions));
    }

    private static RedriveResults results(Decided decided, Map<InputPosition, DryRun.Prediction> predictions) {
        List<RedriveResults.Item> items = decided.results().stream()
                .map(result -> result(result, predictions.get(result.deadLetter()), decided.unwrapped()))
                .toList();
        return new RedriveResults(
                decided.cursor().operation(), items, decided.next().orElse(null));
    }

    private static RedriveResults.Item result(
            RedriveResult result, DryRun.Prediction prediction, Map<InputPosition, Unwrapping.Message> all) {
        Unwrapping.Message unwrapped = all.get(result.deadLetter());
        return new RedriveResults.Item(
                DeadLetterHandler.id(result.deadLetter()),
                result.outcome().name(),
                result.attempt() == 0 ? null : (Integer) result.attempt(),
                result.sent() == null ? null : result.sent().toString(),
                prediction == null ? null : prediction.verdict(),
                prediction == null ? null : prediction.code(),
                prediction == null ? result.detail() : prediction.detail(),
                unwrapped == null ? null : unwrapped.shown());
    }
}
