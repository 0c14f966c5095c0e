package dev.parley.server.telemetry;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.codec.TraceContext;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.telemetry.SpanMeters.Result;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.topics.KafkaHeaders;
import io.micrometer.registry.otlp.OtlpConfig;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Records a span for each final verdict, from the time of the input record to the verdict. It is a child of the span
 * that the header {@code traceparent} names. A message whose producer sampled it gets a span, one without a valid
 * header by a ratio, and all of them only up to a rate. Never waits for the collector: it drops spans instead.
 * docs/operations.md describes the attributes.
 *
 * <p>Headers, names and rates are chosen by agents. A span has no content of a message.
 */
public final class VerdictSpans implements PipelineListener {
    /** The semantic conventions of the attributes. */
    public static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.37.0";

    /** Maximum characters of an attribute from a message. */
    static final int MAX_ATTRIBUTE_CHARS = 256;

    /** A span does not begin earlier than this before its end: agents may choose the time of their records. */
    private static final long MAX_DURATION_MS = Duration.ofDays(1).toMillis();

    /** Maximum time for which a span waits for others of its batch. */
    private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(1);

    private static final String PROCESS = "process";

    /** The SDK reports failures to java.util.logging as well; CountingExporter logs them. Keeps the logger alive. */
    private static final Logger SDK_LOG = Logger.getLogger("io.opentelemetry");

    private static final TextMapGetter<Headers> TRACE_CONTEXT = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Headers headers) {
            return TraceContext.NAMES;
        }

        @Override
        public String get(Headers headers, String name) {
            Header header = headers == null ? null : headers.lastHeader(name);
            return header == null ? null : new String(header.value(), StandardCharsets.US_ASCII);
        }
    };

    private final PipelineListener next;
    private final ObjIntConsumer<Result> results;
    private final String service;
    private final String redactions;
    private final double ratio;
    private final RateLimiter rate;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /**
     * Creates it, with a thread that exports the spans.
     *
     * @param config ratio, rate, queue and timeout
     * @param exporter receives the spans in batches
     * @param next receives every call as well
     * @param results receives the numbers of spans by what became of them; called concurrently, and must not throw
     */
    public VerdictSpans(
            ParleyConfig config, SpanExporter exporter, PipelineListener next, ObjIntConsumer<Result> results) {
        this.next = next;
        this.results = results;
        this.service = config.getString(ParleyConfig.APPLICATION_ID);
        this.redactions = config.topics().redaction();
        this.ratio = config.getDouble(OtlpKeys.RATIO);
        int spans = config.getInt(OtlpKeys.RATE);
        this.rate = new RateLimiter(spans, spans, 1, System::nanoTime);
        int queue = config.getInt(OtlpKeys.QUEUE);
        this.provider = SdkTracerProvider.builder()
                // recorded() decides before a span is made.
                .setSampler(Sampler.alwaysOn())
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(MAX_ATTRIBUTE_CHARS)
                        .build())
                .setResource(Resource.create(Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        service,
                        AttributeKey.stringKey("service.instance.id"),
                        OtlpKeys.INSTANCE)))
                .addSpanProcessor(BatchSpanProcessor.builder(new CountingExporter(exporter, results))
                        .setScheduleDelay(EXPORT_INTERVAL)
                        .setMaxQueueSize(queue)
                        .setMaxExportBatchSize(Math.min(512, queue))
                        .setExporterTimeout(config.getInt(OtlpKeys.TIMEOUT_MS), TimeUnit.MILLISECONDS)
                        .build())
                .build();
        this.tracer =
                provider.tracerBuilder("dev.parley").setSchemaUrl(SCHEMA_URL).build();
    }

    /** Creates it with the exporter of OTLP over HTTP; otherwise like the constructor. */
    public static VerdictSpans overHttp(ParleyConfig config, PipelineListener next, ObjIntConsumer<Result> results) {
        SDK_LOG.setLevel(Level.OFF);
        int timeout = config.getInt(OtlpKeys.TIMEOUT_MS);
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(OtlpKeys.url(config, "traces"))
                .setTimeout(timeout, TimeUnit.MILLISECONDS)
                .setConnectTimeout(timeout, TimeUnit.MILLISECONDS);
        // Headers of the request, such as credentials, are in the variables that OpenTelemetry defines for them.
        OtlpConfig.DEFAULT.headers().forEach(exporter::addHeader);
        return new VerdictSpans(config, exporter.build(), next, results);
    }

    @Override
    public void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {
        next.recorded(protocol, verdict, stage, code);
    }

    @Override
    public void signing(int partition, boolean signs) {
        next.signing(partition, signs);
    }

    @Override
    public void recorded(AuditRecord audit, Headers headers) {
        next.recorded(audit, headers);
        if (!isMessage(audit)) {
            return;
        }
        Context context = W3CTraceContextPropagator.getInstance()
                .extract(Context.root(), KafkaHeaders.traceContext(headers), TRACE_CONTEXT);
        SpanContext parent = Span.fromContext(context).getSpanContext();
        boolean sampled = parent.isValid()
                ? parent.isSampled()
                : ThreadLocalRandom.current().nextDouble() < ratio;
        if (!sampled) {
            return;
        }
        if (rate.acquire("") > 0) {
            results.accept(Result.LIMITED, 1);
            return;
        }
        results.accept(Result.RECORDED, 1);
        record(audit, context);
    }

    /** A redaction request is no message, and deleted input has neither headers nor a time of its own. */
    private boolean isMessage(AuditRecord audit) {
        return !redactions.equals(audit.getSource().getTopic())
                && !Code.INPUT_EXPIRED.name().equals(audit.getCode());
    }

    private void record(AuditRecord audit, Context parent) {
        Source source = audit.getSource();
        long end = System.currentTimeMillis();
        long start = Math.min(end, Math.max(source.getTimestamp().toEpochMilli(), end - MAX_DURATION_MS));
        SpanBuilder builder = tracer.spanBuilder(PROCESS + ' ' + source.getTopic())
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .setStartTimestamp(start, TimeUnit.MILLISECONDS)
                .setAttribute("messaging.system", "kafka")
                .setAttribute("messaging.operation.name", PROCESS)
                .setAttribute("messaging.operation.type", PROCESS)
                .setAttribute("messaging.destination.name", source.getTopic())
                .setAttribute("messaging.destination.partition.id", Integer.toString(source.getPartition()))
                .setAttribute("messaging.kafka.offset", source.getOffset())
                .setAttribute("messaging.consumer.group.name", service)
                .setAttribute("parley.verdict", audit.getVerdict())
                .setAttribute("parley.stage", audit.getStage());
        AgentMessage message = audit.getMessage();
        if (message != null) {
            builder.setAttribute("gen_ai.conversation.id", shown(message.getConversation()))
                    .setAttribute(
                            "gen_ai.operation.name",
                            shown(message.getPerformative().toLowerCase(Locale.ROOT)))
                    .setAttribute("parley.namespace", shown(message.getNamespace()))
                    .setAttribute("parley.protocol", message.getProtocol());
            if (message.getSender() != null) {
                builder.setAttribute("gen_ai.agent.id", shown(message.getSender()));
            }
        }
        Span span = builder.startSpan();
        if (audit.getCode() != null) {
            span.setAttribute("parley.code", audit.getCode());
        }
        if (audit.getVerdict().equals(Verdict.REJECTED.name())
                || audit.getVerdict().equals(Verdict.UNDECODABLE.name())) {
            span.setAttribute("error.type", audit.getCode());
            // Not the detail, which may quote the message.
            span.setStatus(StatusCode.ERROR, audit.getCode());
        }
        span.end(end, TimeUnit.MILLISECONDS);
    }

    /** The SDK would cut in the middle of a character. */
    private static String shown(String text) {
        return Excerpt.cut(text, MAX_ATTRIBUTE_CHARS);
    }

    /**
     * Exports what is queued and ends the thread.
     *
     * @param timeout maximum time; spans that the collector has not accepted by then are dropped
     */
    public void close(Duration timeout) {
        provider.shutdown().join(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
