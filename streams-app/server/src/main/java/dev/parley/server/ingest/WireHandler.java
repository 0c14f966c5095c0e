package dev.parley.server.ingest;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Protocol;
import dev.parley.codec.Excerpt;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TraceContext;
import dev.parley.decode.CloudEvent;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.ParkedItem;
import dev.parley.json.model.write.Ingested;
import dev.parley.json.model.write.IngestedBatch;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.api.view.ViewApi;
import dev.parley.server.api.view.ViewRoute;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.SecurityFilter;
import dev.parley.server.ingest.IngestResult.Entered;
import dev.parley.server.ingest.IngestResult.Failed;
import dev.parley.topology.topics.ChainNames;
import io.micrometer.core.instrument.Counter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Handles requests that send messages to the input. No thread waits for the brokers' acknowledgments. */
final class WireHandler {

    static final String PATH = "/v1/wire";

    /** Maximum messages of a request that waits for verdicts. */
    static final int MAX_WAITING = 64;

    private static final int MAX_NAMESPACE_CHARACTERS = 100;
    private static final Set<Code> BROKERS = Set.of(Code.INGEST_LIMITED, Code.BROKERS_UNAVAILABLE);
    private static final int ACCEPTED = 202;
    private static final int MULTI_STATUS = 207;
    private static final String WAIT = "wait";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String EVENT_PREFIX = "ce-";
    private static final String TYPES = "text/plain, application/octet-stream or application/json for one message,"
            + " application/x-ndjson, application/cloudevents+json, or application/cloudevents-batch+json";

    private final Ingester ingester;
    private final WireBody bodies;
    private final ViewApi api;
    private final ViewRoute<InputRecord> verdict;
    private final ViewRoute<ParkedItem> parked;
    private final Map<String, Counter> counters;

    /**
     * The results of the views for the messages of a request.
     *
     * @param verdicts final verdicts by position
     * @param parked parked patches by position
     */
    private record Outcomes(Map<InputPosition, InputRecord> verdicts, Map<InputPosition, ParkedItem> parked) {}

    WireHandler(Ingester ingester, IngestLimits limits, FeatureContext context) {
        this.ingester = ingester;
        this.bodies = new WireBody(limits);
        this.api = context.api();
        this.verdict = api.route("position", InputRecord.class);
        this.parked = api.route("parked/position", ParkedItem.class);
        this.counters = context.metrics()
                .counters(
                        "parley.ingest.messages",
                        "Messages of HTTP ingest by result",
                        "result",
                        List.of("entered", "repeated", "refused", "limited", "unknown"),
                        result -> result);
    }

    /**
     * The items of a request.
     *
     * @param batch whether the response has a result for each
     */
    private record Items(List<WireItem> items, boolean batch) {
        static Items one(WireItem item) {
            return new Items(List.of(item), false);
        }
    }

    /** Starts handling a request. */
    CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) {
        Optional<String> wait = Parameters.of(request, WAIT).text(WAIT);
        if (wait.isPresent() && !wait.get().equals("verdict")) {
            throw Parameters.invalid(WAIT, "must be \"verdict\"");
        }
        return executor.call(Pool.REMOTE, () -> send(request, wait.isPresent())).thenCompose(answer -> answer);
    }

    private CompletableFuture<?> send(ApiRequest request, boolean wait) {
        Caller caller = SecurityFilter.caller(request);
        Items read = items(request);
        if (read.items().isEmpty()) {
            throw Code.INVALID_REQUEST.problem("The request has no message.");
        }
        if (wait && read.items().size() > MAX_WAITING) {
            throw Code.INVALID_REQUEST.problem(
                    "A request with wait=verdict must have at most " + MAX_WAITING + " messages. Nothing was sent.");
        }
        List<WireItem> items =
                read.items().stream().map(item -> within(caller, item)).toList();
        Iterator<CompletableFuture<IngestResult>> sent = ingester.send(
                        caller.name(),
                        items.stream()
                                .filter(IngestMessage.class::isInstance)
                                .map(IngestMessage.class::cast)
                                .toList())
                .iterator();
        List<CompletableFuture<IngestResult>> results = items.stream()
                .map(item -> item instanceof Failed failed
                        ? CompletableFuture.<IngestResult>completedFuture(failed)
                        : sent.next())
                .toList();
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenCompose(all -> answer(
                        request, results.stream().map(CompletableFuture::join).toList(), read.batch(), wait));
    }

    /** Refuses a message of a namespace to which the caller may not send. */
    private static WireItem within(Caller caller, WireItem item) {
        if (!(item instanceof IngestMessage message)) {
            return item;
        }
        String named = message.headers().getOrDefault(RecordHeaders.NAMESPACE, "");
        String namespace = named.isEmpty() ? RecordHeaders.DEFAULT_NAMESPACE : named;
        return caller.maySendTo(namespace)
                ? item
                : new Failed(
                        Code.NAMESPACE_NOT_ALLOWED,
                        "The token does not allow messages of the namespace '"
                                + Excerpt.of(namespace, MAX_NAMESPACE_CHARACTERS)
                                + "'. Set the header parley-namespace to one that it allows.");
    }

    private CompletableFuture<?> answer(ApiRequest request, List<IngestResult> results, boolean batch, boolean wait) {
        results.forEach(result -> counters.get(label(result)).increment());
        // If the brokers confirmed no message of a batch, the batch fails as a whole.
        if (results.get(0) instanceof Failed first
                && (!batch
                        || BROKERS.contains(first.code())
                                && results.stream().allMatch(result -> hasCode(result, first.code())))) {
            throw first.code().problem(first.detail());
        }
        List<InputPosition> positions = results.stream()
                .filter(Entered.class::isInstance)
                .map(result -> ((Entered) result).position())
                .distinct()
                .toList();
        CompletableFuture<Optional<Outcomes>> outcomes = wait
                ? outcomes(request, positions).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        return outcomes.thenApply(known -> {
            if (batch) {
                return batch(request, results, known);
            }
            Ingested ingested = ingested((Entered) results.get(0), known);
            requireExpectedPosition(ingested.verdict());
            request.status(ACCEPTED);
            return ingested;
        });
    }

    /**
     * Refuses a message that was judged at another position than it expects.
     *
     * @param verdict null if the request did not wait for it
     */
    private static void requireExpectedPosition(Ingested.Verdict verdict) {
        InputRecord record = verdict == null ? null : verdict.record();
        if (record != null
                && dev.parley.codec.Code.CONVERSATION_MOVED
                        .name()
                        .equals(record.judged().code())) {
            String next = Long.toString(record.sequence() + 1);
            throw Code.CONVERSATION_MOVED
                    .problem("The conversation was at " + record.sequence() + ", not where " + RecordHeaders.EXPECT
                            + " says, so the message was recorded there and not applied. Read what came in between;"
                            + " then send it with a new idempotency key and " + next + ".")
                    .with(Map.of(RecordHeaders.EXPECT, next));
        }
    }

    /**
     * Waits for verdicts; a message without one in time may be a parked patch. The result has none of namespaces to
     * which the caller may not send. The names that a decoder found decide, not those of the request.
     */
    private CompletableFuture<Outcomes> outcomes(ApiRequest request, List<InputPosition> positions) {
        Caller caller = SecurityFilter.caller(request);
        return api.verdicts(request, verdict, positions, true).thenCompose(found -> {
            List<InputPosition> open = positions.stream()
                    .filter(position -> !found.containsKey(position))
                    .toList();
            Map<InputPosition, InputRecord> visible = new HashMap<>(found);
            visible.values().removeIf(record -> {
                ChainNames names = ChainNames.of(record.chain());
                return names.protocol() != Protocol.UNKNOWN && !caller.maySendTo(names.namespace());
            });
            return api.verdicts(request, parked, open, false).thenApply(patches -> {
                Map<InputPosition, ParkedItem> waiting = new HashMap<>(patches);
                waiting.values().removeIf(item -> !caller.maySendTo(item.namespace()));
                return new Outcomes(visible, waiting);
            });
        });
    }

    private static boolean hasCode(IngestResult result, Code code) {
        return result instanceof Failed failed && failed.code() == code;
    }

    private static String label(IngestResult result) {
        if (result instanceof Entered entered) {
            return entered.repeated() ? "repeated" : "entered";
        }
        return hasCode(result, Code.INGEST_LIMITED)
                ? "limited"
                : hasCode(result, Code.BROKERS_UNAVAILABLE) ? "unknown" : "refused";
    }

    private static IngestedBatch batch(ApiRequest request, List<IngestResult> results, Optional<Outcomes> outcomes) {
        List<IngestedBatch.Item> items = new ArrayList<>();
        int entered = 0;
        int repeated = 0;
        for (IngestResult result : results) {
            if (result instanceof Entered in) {
                entered += in.repeated() ? 0 : 1;
                repeated += in.repeated() ? 1 : 0;
                items.add(new IngestedBatch.Sent(items.size(), ACCEPTED, ingested(in, outcomes)));
            } else {
                Failed failed = (Failed) result;
                items.add(new IngestedBatch.Failed(
                        items.size(), failed.code().status(), failed.code().name(), failed.detail()));
            }
        }
        if (results.stream().anyMatch(result -> hasCode(result, Code.INGEST_LIMITED))) {
            request.header("Retry-After", ProblemException.RETRY_AFTER_SECONDS);
        }
        int failed = items.size() - entered - repeated;
        request.status(failed == 0 ? ACCEPTED : MULTI_STATUS);
        return new IngestedBatch(items, entered, repeated, failed);
    }

    /** @param outcomes empty if the request does not wait for verdicts */
    private static Ingested ingested(Entered entered, Optional<Outcomes> outcomes) {
        InputPosition position = entered.position();
        return new Ingested(
                position.toString(),
                position.topic(),
                position.partition(),
                position.offset(),
                entered.repeated(),
                outcomes.map(known -> new Ingested.Verdict(known.verdicts().get(position)))
                        .orElse(null),
                outcomes.map(known -> known.parked().get(position)).orElse(null));
    }

    private Items items(ApiRequest request) {
        byte[] body = SecurityFilter.body(request);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : CloudEvent.HEADERS.keySet()) {
            if (!name.equals(RecordHeaders.TIME)) {
                header(request, name).ifPresent(value -> headers.put(name, value));
            }
        }
        String type = mediaType(request);
        return switch (type) {
            case "application/x-ndjson" ->
                new Items(
                        bodies.lines(
                                body,
                                headers,
                                idempotencyKey(request),
                                SecurityFilter.caller(request).role().includes(Role.RECORDER)),
                        true);
            case "application/cloudevents-batch+json" -> new Items(bodies.events(body, headers), true);
            case "application/cloudevents+json" -> Items.one(bodies.event(body, headers));
            default -> {
                if (request.header(EVENT_PREFIX + "specversion") != null) {
                    yield Items.one(bodies.binary(body, eventAttributes(request), headers));
                }
                if (!List.of("text/plain", "application/octet-stream", "application/json")
                        .contains(type)) {
                    throw Code.UNSUPPORTED_CONTENT_TYPE.problem("The header Content-Type must be " + TYPES + ".");
                }
                yield Items.one(bodies.single(body, headers, idempotencyKey(request)));
            }
        };
    }

    /** The media type without parameters, in lower case; empty without one. */
    private static String mediaType(ApiRequest request) {
        String type = header(request, "Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** The idempotency key; an empty one is a mistake of the client, which expects protection from repetition. */
    private static Optional<String> idempotencyKey(ApiRequest request) {
        Optional<String> key = header(request, IDEMPOTENCY_KEY);
        if (key.isEmpty() && request.header(IDEMPOTENCY_KEY) != null) {
            throw Code.INVALID_REQUEST.problem(
                    "The header " + IDEMPOTENCY_KEY + " must not be empty. Nothing was sent.");
        }
        return key;
    }

    /** A header of the request; empty if it is missing, the empty string, or an invalid one of the trace context. */
    private static Optional<String> header(ApiRequest request, String name) {
        List<String> values = request.headers(name);
        if (TraceContext.NAMES.contains(name)) {
            return TraceContext.text(name, values);
        }
        if (values.size() > 1) {
            throw Code.INVALID_REQUEST.problem("The header " + name + " may be given only once.");
        }
        values.forEach(value -> requireAscii(name, value));
        return values.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    private static void requireAscii(String name, String value) {
        if (value.chars().anyMatch(unit -> unit < ' ' || unit > '~')) {
            throw Code.INVALID_REQUEST.problem("The header " + name
                    + " must have printable ASCII only. Send other names in JSON: application/x-ndjson or"
                    + " application/cloudevents+json.");
        }
    }

    /** The attributes of a CloudEvent in binary mode that are read. */
    private static Map<String, String> eventAttributes(ApiRequest request) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (String name : request.headerNames()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith(EVENT_PREFIX)) {
                String attribute = lower.substring(EVENT_PREFIX.length());
                if (TraceContext.NAMES.contains(attribute)) {
                    TraceContext.text(attribute, decoded(name, request.headers(name)))
                            .ifPresent(value -> attributes.put(attribute, value));
                } else if (CloudEvent.header(attribute) != null || CloudEvent.REQUIRED.contains(attribute)) {
                    header(request, name).ifPresent(value -> attributes.put(attribute, EventHeader.value(name, value)));
                }
            }
        }
        return attributes;
    }

    /** The decoded values of a header of the trace context, without those that are invalid. */
    private static List<String> decoded(String name, List<String> values) {
        List<String> decoded = new ArrayList<>();
        for (String value : values) {
            try {
                decoded.add(EventHeader.value(name, value));
            } catch (ProblemException e) {
                // Metadata of tracing never refuses a message.
            }
        }
        return decoded;
    }
}
