package dev.parley.server.tail;

import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.json.ApiJson;
import dev.parley.json.model.TailEvent;
import dev.parley.server.api.MaskedGloss;
import dev.parley.server.api.MessageOutline;
import dev.parley.server.api.Verdicts;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.MaskingPolicy;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.Exchange;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.RequestExecutor;
import dev.parley.server.http.RequestExecutor.Pool;
import dev.parley.server.http.ResponseStream;
import dev.parley.server.http.SecurityFilter;
import dev.parley.server.tail.TailSource.Cursor;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpMethod;

/** Handles requests to follow the audit topic as server-sent events. Bounds the streams of a caller and of all. */
final class TailHandler implements AutoCloseable {

    static final String PATH = "/v1/tail";

    static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final String AFTER = "after";
    private static final int MAX_RECIPIENTS = 100;

    /** Times that a request at the limit probes the streams of its caller: together a second. */
    private static final int PROBES = 10;

    private static final Duration PROBE_INTERVAL = Duration.ofMillis(100);

    private final Settings settings;
    /** Its local views have every redaction. */
    private final FeatureContext context;

    /** The caller of each stream. */
    private final List<String> open = new CopyOnWriteArrayList<>();

    private final Map<TailReader, String> readers = new HashMap<>();
    private boolean closed;

    /**
     * Settings of the tails of an instance.
     *
     * @param source opens readers
     * @param streams maximum streams
     * @param callerStreams maximum streams of one caller
     * @param limits limits of each stream
     */
    record Settings(TailSource source, int streams, int callerStreams, TailReader.Limits limits) {}

    TailHandler(Settings settings, FeatureContext context) {
        this.settings = settings;
        this.context = context;
        Gauge.builder("parley.tail.streams", open::size)
                .description("Streams of the live tail")
                .register(context.metrics().registry());
    }

    /** Starts handling a request; the stream starts when the future completes. */
    CompletableFuture<?> start(ApiRequest request, RequestExecutor executor) {
        Parameters parameters =
                Parameters.of(request, "namespace", "protocol", "conversation", "sender", "verdict", "code", AFTER);
        Caller reader = SecurityFilter.caller(request);
        TailFilter filter = new TailFilter(
                parameters.text("namespace"),
                parameters.protocol(),
                parameters.text("conversation"),
                parameters.text("sender"),
                parameters.verdict(),
                parameters.code(),
                context.api().masking(reader),
                reader.scope());
        Optional<TailPosition> after = after(request, parameters);
        String caller = reader.name();
        if (filter.isOneConversation()) {
            Exchange.of(request)
                    .reads(ChainPartitioner.chainOf(
                            filter.namespace().get(),
                            filter.protocol().get(),
                            filter.conversation().get()));
        }
        request.contentType("text/event-stream").header("X-Accel-Buffering", "no");
        if (HttpMethod.HEAD.is(request.method())) {
            return CompletableFuture.completedFuture(null);
        }
        return acquire(caller, PROBES)
                .thenCompose(taken -> executor.call(Pool.REMOTE, () -> source(after))
                        .whenComplete((cursor, failure) -> {
                            if (failure != null) {
                                open.remove(caller);
                            }
                        }))
                .thenAccept(cursor -> follow(request, caller, cursor, filter));
    }

    private static Optional<TailPosition> after(ApiRequest request, Parameters parameters) {
        List<String> headers = request.headers(LAST_EVENT_ID);
        if (headers.size() > 1) {
            throw Code.INVALID_REQUEST.problem("The header Last-Event-ID may be given only once.");
        }
        return headers.stream()
                .filter(text -> !text.isEmpty())
                .findFirst()
                .or(() -> parameters.text(AFTER))
                .map(text -> TailPosition.parse(text).orElseThrow(() -> invalid("The position is malformed.")));
    }

    /** The problem of a position after which no tail can start. */
    static ProblemException invalid(String reason) {
        return Code.INVALID_CURSOR.problem(reason + " Last-Event-ID must be the ID of an event of a tail, or absent.");
    }

    private Cursor source(Optional<TailPosition> after) {
        // Fails while the redactions are unknown.
        Objects.requireNonNull(context.local());
        return settings.source().open(after);
    }

    /**
     * Counts another stream of a caller. The server learns from failed writes that a client has gone, such as a page
     * that was reloaded. At the limit it therefore writes to all streams of this caller, and tries again soon.
     */
    private CompletableFuture<Void> acquire(String caller, int probes) {
        List<TailReader> own;
        synchronized (this) {
            own = readers.entrySet().stream()
                    .filter(reader -> reader.getValue().equals(caller))
                    .map(Map.Entry::getKey)
                    .toList();
            if (probes == 0 || own.isEmpty() || isFree(caller)) {
                requireFree(caller);
                open.add(caller);
                return CompletableFuture.completedFuture(null);
            }
        }
        own.forEach(TailReader::probe);
        Executor later = CompletableFuture.delayedExecutor(PROBE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        return CompletableFuture.supplyAsync(() -> acquire(caller, probes - 1), later)
                .thenCompose(taken -> taken);
    }

    private boolean isFree(String caller) {
        return !closed
                && open.size() < settings.streams()
                && Collections.frequency(open, caller) < settings.callerStreams();
    }

    private void requireFree(String caller) {
        if (!isFree(caller)) {
            throw Code.CONCURRENCY_LIMITED
                    .problem("Too many tails: the maximum is " + settings.streams() + " (http.tail.streams), and "
                            + settings.callerStreams() + " of one caller. Retry when one of them has ended.")
                    .with(Map.of("Retry-After", "5"));
        }
    }

    private void follow(ApiRequest request, String caller, Cursor cursor, TailFilter filter) {
        ResponseStream stream = ResponseStream.of(request);
        TailReader reader = new TailReader(
                cursor,
                filter,
                record -> Optional.of(visible(record))
                        // A filter must not find a message by what its redaction removed.
                        .filter(filter::matches)
                        .map(shown -> ApiJson.text(event(shown, filter.masking()))),
                stream,
                settings.limits());
        synchronized (this) {
            readers.put(reader, caller);
            if (closed) {
                reader.stop();
            }
        }
        Thread thread = new Thread(
                () -> {
                    try {
                        reader.run();
                    } finally {
                        synchronized (this) {
                            readers.remove(reader);
                        }
                        open.remove(caller);
                    }
                },
                "parley-tail-" + caller);
        thread.setDaemon(true);
        thread.start();
    }

    /** The data of an event: a message without its body, as in lists. */
    private TailEvent event(AuditRecord record, MaskingPolicy policy) {
        ChainNames names = ChainNames.of(record.getChain());
        MessageOutline outline = MessageOutline.of(record);
        return new TailEvent(
                record.getChain(),
                names.namespace(),
                names.protocol().name(),
                names.conversation(),
                record.getSequence(),
                outline.time(),
                outline.sender(),
                outline.recipients().stream().limit(MAX_RECIPIENTS).toList(),
                outline.performative(),
                Verdicts.of(record, policy),
                outline.bytes(),
                new MaskedGloss(context.glosses(), policy).brief(record));
    }

    /** The record as lists show it: the audit topic keeps the content of redacted messages. */
    private AuditRecord visible(AuditRecord record) {
        try {
            return context.local()
                    .redactions()
                    .of(InputPosition.of(record.getSource()), record.getHash())
                    .filter(redaction -> Redactions.concerns(redaction, record))
                    .map(redaction -> Redactions.redact(record, redaction))
                    .orElse(record);
        } catch (ViewsUnavailableException e) {
            throw new TailEndException(TailReader.End.UNAVAILABLE, "The redactions cannot be read: " + e.getMessage());
        }
    }

    /** Ends all streams. */
    @Override
    public synchronized void close() {
        closed = true;
        readers.keySet().forEach(TailReader::stop);
    }
}
