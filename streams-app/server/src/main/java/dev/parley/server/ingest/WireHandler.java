package dev.parley.server.ingest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.audit.InputPosition;
import dev.parley.codec.Excerpt;
import dev.parley.decode.RecordHeaders;
import dev.parley.json.model.InputRecord;
import dev.parley.server.api.Parameters;
import dev.parley.server.auth.Caller;
import dev.parley.server.http.Json;
import dev.parley.server.http.Metrics;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.SecurityFilter;
import dev.parley.server.ingest.IngestResult.Entered;
import dev.parley.server.ingest.IngestResult.Failed;
import dev.parley.server.ingest.WireItem.Invalid;
import dev.parley.server.ingest.WireItem.Valid;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Handles requests that send messages to the input. No thread waits for the brokers' acknowledgments. */
final class WireHandler {

    static final String PATH = "/v1/wire";

    /** Maximum messages of a request that waits for verdicts. */
    static final int MAX_WAITING = 64;

    private static final int MAX_NAMESPACE_CHARACTERS = 100;
    private static final String WAIT = "wait";
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String EVENT_PREFIX = "ce-";
    private static final String TYPES = "text/plain, application/octet-stream or application/json for one message,"
            + " application/x-ndjson, application/cloudevents+json, or application/cloudevents-batch+json";

    private final Ingester ingester;
    private final WireBody bodies;
    private final VerdictReader verdicts;
    private final Metrics metrics;

    /** Finds verdicts. */
    @FunctionalInterface
    interface VerdictReader {

        /**
         * Waits for the verdicts of messages, for a bounded time.
         *
         * @return the results of {@code /v1/positions} by position; without those that are not visible in time
         */
        CompletableFuture<Map<InputPosition, InputRecord>> await(Context request, List<InputPosition> positions);
    }

    WireHandler(Ingester ingester, IngestLimits limits, VerdictReader verdicts, Metrics metrics) {
        this.ingester = ingester;
        this.bodies = new WireBody(limits);
        this.verdicts = verdicts;
        this.metrics = metrics;
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

        /** Without the messages of namespaces to which the caller may not send. */
        Items within(Caller caller) {
            return new Items(
                    items.stream().map(item -> WireHandler.within(caller, item)).toList(), batch);
        }
    }

    private static WireItem within(Caller caller, WireItem item) {
        if (!(item instanceof Valid valid)) {
            return item;
        }
        String named = valid.message().headers().getOrDefault(RecordHeaders.NAMESPACE, "");
        String namespace = named.isEmpty() ? RecordHeaders.DEFAULT_NAMESPACE : named;
        return caller.maySendTo(namespace)
                ? item
                : new Invalid(
                        Code.NAMESPACE_NOT_ALLOWED,
                        "The token does not allow messages of the namespace '"
                                + Excerpt.of(namespace, MAX_NAMESPACE_CHARACTERS)
                                + "'. Set the header parley-namespace to one that it allows.");
    }

    /** Starts handling a request; the response is set on it when the future completes. */
    CompletableFuture<?> start(Context request, RequestExecutor executor) {
        boolean wait = Parameters.of(request, WAIT)
                .text(WAIT)
                .map(text -> {
                    if (!text.equals("verdict")) {
                        throw Parameters.invalid(WAIT, "must be \"verdict\"");
                    }
                    return true;
                })
                .orElse(false);
        return executor.call(Pool.REMOTE, () -> send(request, wait)).thenCompose(answer -> answer);
    }

    private CompletableFuture<?> send(Context request, boolean wait) {
        Items read = items(request).within(SecurityFilter.caller(request));
        List<WireItem> items = read.items();
        if (wait && items.size() > MAX_WAITING) {
            throw ProblemException.of(
                    Code.INVALID_REQUEST,
                    "A request with wait=verdict must have at most " + MAX_WAITING + " messages. Nothing was sent.");
        }
        List<IngestMessage> messages = new ArrayList<>();
        for (WireItem item : items) {
            if (item instanceof Valid valid) {
                messages.add(valid.message());
            } else if (!read.batch()) {
                metrics.ingested("refused");
                Invalid invalid = (Invalid) item;
                throw ProblemException.of(invalid.code(), invalid.detail());
            }
        }
        List<CompletableFuture<IngestResult>> sent =
                ingester.send(SecurityFilter.caller(request).name(), messages);
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                .thenApply(all -> sent.stream().map(CompletableFuture::join).toList())
                .thenCompose(results -> {
                    results.forEach(result -> metrics.ingested(label(result)));
                    List<InputPosition> positions = results.stream()
                            .filter(Entered.class::isInstance)
                            .map(result -> ((Entered) result).position())
                            .distinct()
                            .toList();
                    CompletableFuture<Map<InputPosition, InputRecord>> found =
                            wait ? verdicts.await(request, positions) : CompletableFuture.completedFuture(null);
                    return found.thenAccept(known -> answer(request, read, results, known));
                });
    }

    private static String label(IngestResult result) {
        if (result instanceof Entered entered) {
            return entered.repeated() ? "repeated" : "entered";
        }
        if (result instanceof IngestResult.Limited) {
            return "limited";
        }
        return result instanceof IngestResult.Unknown ? "unknown" : "refused";
    }

    private static ProblemException problem(Failed failed) {
        if (failed instanceof IngestResult.KeyReused) {
            return ProblemException.of(Code.IDEMPOTENCY_KEY_REUSED, failed.detail());
        }
        if (failed instanceof IngestResult.TooLarge) {
            return ProblemException.of(Code.BODY_TOO_LARGE, failed.detail());
        }
        return failed instanceof IngestResult.Limited
                ? ProblemException.ingestLimited(failed.detail())
                : ProblemException.brokersUnavailable(failed.detail());
    }

    /** @param verdicts verdicts by position; null if the request does not wait for them */
    private static void answer(
            Context request, Items read, List<IngestResult> results, Map<InputPosition, InputRecord> verdicts) {
        ObjectNode body = Json.object();
        if (!read.batch()) {
            if (results.get(0) instanceof Failed failed) {
                throw problem(failed);
            }
            request.status(202);
            put(body, (Entered) results.get(0), verdicts);
        } else {
            answerBatch(request, read.items(), results, verdicts, body);
        }
        request.contentType("application/json").result(Json.bytes(body));
    }

    private static void answerBatch(
            Context request,
            List<WireItem> items,
            List<IngestResult> results,
            Map<InputPosition, InputRecord> verdicts,
            ObjectNode body) {
        requireAny(items, results);
        int entered = 0;
        int repeated = 0;
        ArrayNode list = body.putArray("items");
        int next = 0;
        for (int index = 0; index < items.size(); index++) {
            ObjectNode node = list.addObject().put("index", index);
            if (items.get(index) instanceof Invalid invalid) {
                put(node, ProblemException.of(invalid.code(), invalid.detail()));
                continue;
            }
            IngestResult result = results.get(next++);
            if (result instanceof Entered in) {
                entered += in.repeated() ? 0 : 1;
                repeated += in.repeated() ? 1 : 0;
                put(node.put("status", 202), in, verdicts);
            } else {
                put(node, problem((Failed) result));
            }
        }
        int failed = items.size() - entered - repeated;
        body.put("entered", entered).put("repeated", repeated).put("failed", failed);
        if (results.stream().anyMatch(IngestResult.Limited.class::isInstance)) {
            request.header("Retry-After", ProblemException.RETRY_AFTER_SECONDS);
        }
        request.status(failed == 0 ? 202 : 207);
    }

    /** A batch of which nothing is known to have entered, because of the brokers, fails as a whole. */
    private static void requireAny(List<WireItem> items, List<IngestResult> results) {
        if (items.isEmpty()) {
            throw ProblemException.of(Code.INVALID_REQUEST, "The request has no message.");
        }
        boolean all = results.size() == items.size();
        if (all && results.stream().allMatch(IngestResult.Limited.class::isInstance)
                || all && results.stream().allMatch(IngestResult.Unknown.class::isInstance)) {
            throw problem((Failed) results.get(0));
        }
    }

    private static void put(ObjectNode node, Entered entered, Map<InputPosition, InputRecord> verdicts) {
        InputPosition position = entered.position();
        Json.putPosition(
                        node.put("position", position.toString()),
                        position.topic(),
                        position.partition(),
                        position.offset())
                .put("repeated", entered.repeated());
        if (verdicts != null) {
            node.putPOJO("verdict", verdicts.get(position));
        }
    }

    private static void put(ObjectNode node, ProblemException problem) {
        node.put("status", problem.code().status())
                .put("code", problem.code().name())
                .put("detail", problem.getMessage());
    }

    private Items items(Context request) {
        byte[] body = SecurityFilter.body(request);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : WireBody.HEADERS.keySet()) {
            if (!name.equals(RecordHeaders.TIME)) {
                header(request, name).ifPresent(value -> headers.put(name, value));
            }
        }
        Optional<String> key = header(request, IDEMPOTENCY_KEY);
        String type = mediaType(request);
        return switch (type) {
            case "application/x-ndjson" -> new Items(bodies.lines(body, headers, key), true);
            case "application/cloudevents-batch+json" -> new Items(bodies.events(body, headers), true);
            case "application/cloudevents+json" -> Items.one(bodies.event(body, headers));
            default -> {
                if (request.header(EVENT_PREFIX + "specversion") != null) {
                    yield Items.one(bodies.binary(body, eventAttributes(request), headers));
                }
                if (!List.of("text/plain", "application/octet-stream", "application/json")
                        .contains(type)) {
                    throw ProblemException.of(
                            Code.UNSUPPORTED_CONTENT_TYPE, "The header Content-Type must be " + TYPES + ".");
                }
                yield Items.one(bodies.single(body, headers, key));
            }
        };
    }

    /** The media type without parameters, in lower case; empty without one. */
    private static String mediaType(Context request) {
        String type = request.contentType() == null ? "" : request.contentType();
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** A header of the request. */
    private static Optional<String> header(Context request, String name) {
        List<String> values = Collections.list(request.req().getHeaders(name));
        if (values.size() > 1) {
            throw ProblemException.of(Code.INVALID_REQUEST, "The header " + name + " may be given only once.");
        }
        values.forEach(value -> requireAscii(name, value));
        return values.stream().filter(value -> !value.isEmpty()).findFirst();
    }

    private static void requireAscii(String name, String value) {
        if (value.chars().anyMatch(unit -> unit < ' ' || unit > '~')) {
            throw ProblemException.of(
                    Code.INVALID_REQUEST,
                    "The header " + name
                            + " must have printable ASCII only. Send other names in JSON: application/x-ndjson or"
                            + " application/cloudevents+json.");
        }
    }

    /** The attributes of a CloudEvent in binary mode, whose values are percent-encoded. */
    private static Map<String, String> eventAttributes(Context request) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (String name : Collections.list(request.req().getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith(EVENT_PREFIX)) {
                header(request, name)
                        .ifPresent(
                                value -> attributes.put(lower.substring(EVENT_PREFIX.length()), decoded(name, value)));
            }
        }
        return attributes;
    }

    private static String decoded(String name, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(
                    Code.INVALID_REQUEST,
                    "The header " + name + " must be percent-encoded UTF-8, as CloudEvents require.");
        }
    }
}
