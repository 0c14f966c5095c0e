package dev.parley.server.redrive;

import dev.parley.audit.InputPosition;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Redrive;
import dev.parley.json.model.DeadLetterDetails;
import dev.parley.json.model.EncodedText;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.RecordHeader;
import dev.parley.json.model.Redrives;
import dev.parley.server.api.DeadLetterHandler;
import dev.parley.server.api.MaskedGloss;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Exchange;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResponseBudget;
import dev.parley.server.http.SecurityFilter;
import dev.parley.topology.views.DeadLetterView.State;
import dev.parley.topology.views.Views;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;

/**
 * Answers requests about dead letters from their topics: the bytes of one, and redrives.
 */
final class DeadLetterDetailsHandler {

    static final String PATH = "/v1/dead-letters/{topic}/{partition}/{offset}";
    static final String REDRIVES = "/v1/redrives";

    private static final String INPUTS = "inputs";

    private final Redriver redriver;
    private final FeatureContext context;
    private final ViewRoute<InputRecord> position;

    DeadLetterDetailsHandler(Redriver redriver, FeatureContext context) {
        this.redriver = redriver;
        this.context = context;
        this.position = context.api().route("position", InputRecord.class);
    }

    /** Whether a dead letter is that of a redacted message. Every instance has all redactions. */
    static boolean isRedacted(DeadLetterRecord letter, Views local) {
        return letter.source()
                .filter(source -> local.redactions().isRedacted(source))
                .isPresent();
    }

    /** Answers with the dead letter that a request names. */
    CompletableFuture<?> show(ApiRequest request, RequestExecutor executor) {
        return executor.call(Pool.DEAD_LETTERS, () -> read(request))
                .thenCompose(shown -> visible(request, shown.redrives())
                        .thenApply(redrives ->
                                new Redriver.Shown(shown.letter(), redrives, shown.closures(), shown.closed())))
                .thenCompose(shown -> shown.letter()
                        .source()
                        .map(source -> context.api().find(request, position, source))
                        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
                        .thenApply(recorded -> details(request, shown, recorded)));
    }

    private Redriver.Shown read(ApiRequest request) {
        Parameters.of(request);
        InputPosition id = RedriveRequest.deadLetter(
                request.pathParam("topic") + "/" + request.pathParam("partition") + "/" + request.pathParam("offset"),
                context.topics());
        return redriver.show(id)
                .filter(shown -> shown.letter().isVisibleTo(SecurityFilter.caller(request)))
                .orElseThrow(() -> Code.UNKNOWN_DEAD_LETTER.problem(
                        "There is no dead letter " + DeadLetterHandler.id(id) + ". It may have expired."));
    }

    /** Answers with the redrives of the input records that a request names. */
    CompletableFuture<?> redrives(ApiRequest request, RequestExecutor executor) {
        Set<InputPosition> inputs = inputs(Parameters.of(request, INPUTS).required(INPUTS, positions()));
        return executor.call(Pool.DEAD_LETTERS, () -> redriver.redrives(inputs))
                .thenCompose(found -> visible(request, found))
                .thenApply(found -> ResponseBudget.of(request)
                        .addAnswer(new Redrives(
                                shown(found, policy(request), context.local().redactions()::isRedacted))));
    }

    /** The redrives that the caller may see: those whose failed record has an audit record in its namespaces. */
    private CompletableFuture<List<Redrive>> visible(ApiRequest request, List<Redrive> redrives) {
        CompletableFuture<List<Redrive>> visible = CompletableFuture.completedFuture(new ArrayList<>());
        if (!SecurityFilter.caller(request).isBound()) {
            return CompletableFuture.completedFuture(redrives);
        }
        for (Redrive redrive : redrives) {
            Optional<InputPosition> source = InputPosition.parse(redrive.getSource());
            if (source.isPresent()) {
                visible = visible.thenCompose(earlier -> context.api()
                        .find(request, position, source.get())
                        .thenApply(recorded -> {
                            recorded.ifPresent(found -> earlier.add(redrive));
                            return earlier;
                        }));
            }
        }
        return visible;
    }

    private MaskingPolicy policy(ApiRequest request) {
        return context.api().masking(SecurityFilter.caller(request));
    }

    /** Redrives without the hashes of redacted or masked bytes, which would confirm a guess. */
    private static List<Redrive> shown(
            List<Redrive> redrives, MaskingPolicy policy, Predicate<InputPosition> isRedacted) {
        return redrives.stream()
                .map(redrive -> policy.masksHashes()
                                || Stream.of(redrive.getSource(), redrive.getSent())
                                        .flatMap(position -> InputPosition.parse(position).stream())
                                        .anyMatch(isRedacted)
                        ? Redrive.newBuilder(redrive)
                                .setOriginalHash(null)
                                .setSentHash(null)
                                .build()
                        : redrive)
                .toList();
    }

    private String positions() {
        return "input positions, such as " + context.topics().wire() + "-0@42, separated by commas";
    }

    private Set<InputPosition> inputs(String text) {
        Set<InputPosition> inputs = new LinkedHashSet<>();
        for (String input : text.split(",", -1)) {
            inputs.add(InputPosition.parse(input)
                    .orElseThrow(() -> Parameters.invalid(INPUTS, "must have " + positions())));
            if (inputs.size() > Redriver.MAX_INPUTS) {
                throw Parameters.invalid(INPUTS, "must have at most " + Redriver.MAX_INPUTS + " positions");
            }
        }
        return inputs;
    }

    /** The headers of an input record, in order. */
    static List<RecordHeader> headers(Headers input) {
        List<RecordHeader> headers = new ArrayList<>();
        input.forEach(header -> headers.add(RecordHeader.of(header.key(), header.value())));
        return headers;
    }

    /**
     * Describes a dead letter.
     *
     * @param recorded what the views say about the input position of its record; empty if it is not visible
     */
    private DeadLetterDetails details(ApiRequest request, Redriver.Shown shown, Optional<InputRecord> recorded) {
        DeadLetterRecord letter = shown.letter();
        recorded.ifPresent(found -> Exchange.of(request).reads(found.chain()));
        MaskingPolicy policy = policy(request);
        DeadLetterSummary summary = letter.summary();
        boolean redacted = isRedacted(letter, context.local())
                || recorded.filter(InputRecord::redacted).isPresent();
        boolean hidden = redacted || policy.masks(summary);
        String gloss = hidden ? null : new MaskedGloss(context.glosses(), policy).of(summary, Optional.empty());
        byte[] value = hidden ? null : letter.value();
        // Key and headers have no marks of their own, and bridges copy credentials into headers.
        boolean whole = !hidden && policy.content().isEmpty();
        Optional<String> source = letter.source().map(InputPosition::toString);
        boolean returned =
                shown.redrives().stream().anyMatch(redrive -> source.equals(Optional.of(redrive.getSource())));
        State state = returned ? State.RETURNED : shown.closed() ? State.CLOSED : State.OPEN;
        int attempts = shown.redrives().stream()
                .filter(redrive -> source.equals(Optional.of(redrive.getSent())))
                .findFirst()
                .map(Redrive::getAttempt)
                .orElse(1);
        return ResponseBudget.of(request)
                .addAnswer(new DeadLetterDetails(
                        DeadLetterHandler.item(summary, redacted, policy, true, gloss, state),
                        value == null ? null : Base64.getEncoder().encodeToString(value),
                        whole && letter.key() != null ? EncodedText.of(letter.key()) : null,
                        whole ? headers(letter.inputHeaders()) : null,
                        hidden ? List.of() : letter.inner(),
                        attempts,
                        shown(
                                shown.redrives(),
                                policy,
                                position -> redacted && letter.source().equals(Optional.of(position))
                                        || context.local().redactions().isRedacted(position)),
                        shown.closures()));
    }
}
