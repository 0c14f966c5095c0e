package dev.parley.server.telemetry;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.avro.AuditRecord;
import dev.parley.server.ServerConfig;
import dev.parley.server.telemetry.SpanMeters.Result;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.views.AuditRecords;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictSpansTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static final List<String> MALFORMED = List.of(
            "",
            "00",
            "00-1-1-01",
            "00-" + TRACE + "-" + SPAN,
            "00-" + TRACE + "-" + SPAN + "-1",
            "00-" + TRACE + "-" + SPAN + "-01-more",
            "ff-" + TRACE + "-" + SPAN + "-01",
            "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
            "00-00000000000000000000000000000000-" + SPAN + "-01",
            "00-" + TRACE + "-0000000000000000-01",
            "00_" + TRACE + "-" + SPAN + "-01",
            "00-" + TRACE + "-b7ad6b716920333\u00e9-01",
            "\u0000\uffff");

    @TempDir
    private Path directory;

    private final Collector collector = new Collector();
    private final Map<Result, Integer> counts = new EnumMap<>(Result.class);

    @Test
    void anAcceptedMessageHasASpanInTheTraceOfItsProducer() {
        Instant sent = Instant.now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);

        SpanData span =
                only(settings(0, 100), request(1).header("traceparent", SAMPLED).at(sent));

        assertThat(span.getName()).isEqualTo("process parley.wire");
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(SPAN);
        assertThat(span.getStartEpochNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(sent.toEpochMilli()));
        assertThat(span.getEndEpochNanos() - span.getStartEpochNanos())
                .isBetween(TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(60));
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getInstrumentationScopeInfo().getSchemaUrl()).isEqualTo(VerdictSpans.SCHEMA_URL);
        assertThat(span.getResource().getAttribute(stringKey("service.name"))).isEqualTo("parley");
        assertThat(span.getAttributes().asMap())
                .isEqualTo(Attributes.builder()
                        .put("messaging.system", "kafka")
                        .put("messaging.operation.name", "process")
                        .put("messaging.operation.type", "process")
                        .put("messaging.destination.name", "parley.wire")
                        .put("messaging.destination.partition.id", "0")
                        .put("messaging.kafka.offset", 0L)
                        .put("messaging.consumer.group.name", "parley")
                        .put("gen_ai.conversation.id", "1")
                        .put("gen_ai.agent.id", "0")
                        .put("gen_ai.operation.name", "request")
                        .put("parley.namespace", "default")
                        .put("parley.protocol", "SLIP")
                        .put("parley.verdict", "ACCEPTED")
                        .put("parley.stage", "NONE")
                        .build()
                        .asMap());
        assertThat(counts).isEqualTo(Map.of(Result.RECORDED, 1, Result.EXPORTED, 1));
    }

    @Test
    void aRejectedMessageIsAnErrorWithItsCode() {
        SpanData span = only(settings(1, 100), InputRecord.text("@a6|f1|c1|S0|d1|T1|k9#"));

        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEqualTo("SLIP_NOTHING_TO_ACCEPT");
        assertThat(span.getAttributes().asMap())
                .containsEntry(stringKey("error.type"), "SLIP_NOTHING_TO_ACCEPT")
                .containsEntry(stringKey("parley.code"), "SLIP_NOTHING_TO_ACCEPT")
                .containsEntry(stringKey("parley.verdict"), "REJECTED")
                .containsEntry(stringKey("parley.stage"), "JUDGE");
    }

    @Test
    void aFlaggedMessageHasItsCodeAndIsNoError() {
        SpanData span = only(
                settings(1, 100), Map.of(ParleyConfig.MODE, "observe"), InputRecord.text("@a6|f1|c1|S0|d1|T1|k9#"));

        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(span.getAttributes().get(stringKey("parley.code"))).isEqualTo("SLIP_NOTHING_TO_ACCEPT");
        assertThat(span.getAttributes().get(stringKey("error.type"))).isNull();
    }

    @Test
    void theSpanOfAnUndecodableRecordHasNothingOfItsContent() {
        SpanData span = only(settings(1, 100), InputRecord.text("@a3|secret"));

        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getAttributes().get(stringKey("parley.verdict"))).isEqualTo("UNDECODABLE");
        assertThat(span.toString()).doesNotContain("secret", "gen_ai.");
    }

    @Test
    void aMessageWithoutATraceContextIsARootByTheRatio() {
        SpanData span = only(settings(1, 100), request(1));

        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(spansOf(settings(0, 100), Map.of(), List.of(request(1)))).isEmpty();
    }

    @Test
    void aMessageThatItsProducerDidNotSampleHasNoSpan() {
        InputRecord unsampled = request(1).header("traceparent", "00-" + TRACE + "-" + SPAN + "-00");

        assertThat(spansOf(settings(1, 100), Map.of(), List.of(unsampled))).isEmpty();
        assertThat(counts).isEmpty();
    }

    @Test
    void aParkedPatchHasOneSpanWhenItIsReleased() {
        String other = "1af7651916cd43dd8448eb211c80319c";
        InputRecord second = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 2")
                .header("traceparent", "00-" + other + "-" + SPAN + "-01");
        InputRecord first =
                InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1").header("traceparent", SAMPLED);

        assertThat(spansOf(settings(0, 100), Map.of(), List.of(second))).isEmpty();
        assertThat(spansOf(settings(0, 100), Map.of(), List.of(second, first)))
                .extracting(SpanData::getTraceId, span -> span.getAttributes().get(longKey("messaging.kafka.offset")))
                .containsExactlyInAnyOrder(tuple(TRACE, 1L), tuple(other, 0L));
    }

    @Test
    void aRedactionRequestHasNoSpan() {
        VerdictSpans spans = spans(settings(1, 100));
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of(), spans)) {
            pipeline.send(request(1));
            AuditRecord audit = pipeline.audit().get(0);
            pipeline.redact(AuditRecords.redaction(audit));
            assertThat(pipeline.audit()).hasSize(2);
        }
        spans.close(TIMEOUT);

        assertThat(collector.spans).hasSize(1);
    }

    @Test
    void aMalformedTraceContextIsIgnored() {
        List<InputRecord> hostile = new ArrayList<>();
        for (String header : MALFORMED) {
            hostile.add(request(hostile.size()).header("traceparent", header));
        }

        assertThat(spansOf(settings(1, 100), Map.of(), hostile))
                .hasSize(MALFORMED.size())
                .allSatisfy(span ->
                        assertThat(span.getParentSpanContext().isValid()).isFalse());
        assertThat(spansOf(settings(0, 100), Map.of(), hostile)).isEmpty();
    }

    @Test
    void aTraceContextOfAnySizeIsBounded() {
        InputRecord hostile = request(1)
                .header("traceparent", SAMPLED + "-" + "a".repeat(60_000))
                .header("tracestate", "a=b");
        InputRecord wide = request(2).header("traceparent", SAMPLED).header("tracestate", "a=" + "b".repeat(60_000));
        InputRecord many = request(3).header("traceparent", SAMPLED).header("tracestate", "a=b,".repeat(120));

        assertThat(only(settings(1, 100), hostile).getParentSpanContext().isValid())
                .isFalse();
        assertThat(only(settings(0, 100), wide).getSpanContext().getTraceState().isEmpty())
                .isTrue();
        assertThat(only(settings(0, 100), many).getSpanContext().getTraceState().size())
                .isLessThanOrEqualTo(32);
    }

    @Test
    void longNamesAreCutOff() {
        SpanData span = only(
                settings(1, 100),
                InputRecord.text("?Uc/la")
                        .key("c".repeat(4_000))
                        .header("parley-protocol", "lambda")
                        .header("parley-namespace", "n".repeat(4_000))
                        .header("parley-sender", "\ud83d\ude00".repeat(1_000)));

        assertThat(span.getAttributes().get(stringKey("parley.verdict"))).isEqualTo("ACCEPTED");
        for (String name : List.of("gen_ai.conversation.id", "parley.namespace", "gen_ai.agent.id")) {
            AttributeKey<String> key = stringKey(name);
            assertThat(span.getAttributes().get(key))
                    .as(name)
                    .hasSizeBetween(VerdictSpans.MAX_ATTRIBUTE_CHARS - 1, VerdictSpans.MAX_ATTRIBUTE_CHARS)
                    .endsWith("…")
                    .matches(text -> UTF_8.newEncoder().canEncode(text), "has whole characters");
        }
    }

    @Test
    void aFloodOfSampledMessagesIsBoundedPerSecond() {
        int messages = 300;
        int rate = 5;
        long began = System.nanoTime();
        List<InputRecord> flood = IntStream.range(0, messages)
                .mapToObj(turn -> request(turn).header("traceparent", SAMPLED))
                .toList();

        List<SpanData> recorded = spansOf(settings(0, rate), Map.of(), flood);

        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) + 1;
        assertThat(recorded).hasSizeBetween(rate, (int) (rate + rate * seconds));
        assertThat(counts.get(Result.RECORDED) + counts.get(Result.LIMITED)).isEqualTo(messages);
        assertThat(counts.get(Result.RECORDED)).isEqualTo(recorded.size());
    }

    @Test
    void aClaimedTimeMakesNoSpanOfYears() {
        SpanData span = only(settings(1, 100), request(1).at(Instant.now().minus(Duration.ofDays(20))));

        assertThat(span.getEndEpochNanos() - span.getStartEpochNanos())
                .isEqualTo(Duration.ofDays(1).toNanos());
    }

    @Test
    void aCollectorThatHangsDelaysNoVerdict() {
        collector.hang = new CountDownLatch(1);
        ParleyConfig small = ServerConfig.of(
                Map.of(OtlpKeys.RATIO, 1, OtlpKeys.RATE, 100_000, OtlpKeys.QUEUE, 8, OtlpKeys.TIMEOUT_MS, 60_000));
        VerdictSpans spans = spans(small);
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of(), spans)) {
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                for (int i = 0; i < 1_000; i++) {
                    pipeline.send(request(i));
                }
            });
            assertThat(pipeline.audit()).hasSize(1_000);
        }

        // The collector hangs until the latch opens.
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> spans.close(Duration.ofMillis(100)));
        collector.hang.countDown();
        assertThat(counts).containsEntry(Result.RECORDED, 1_000);
        assertThat(collector.spans).hasSizeLessThanOrEqualTo(3 * 8);
    }

    @Test
    void spansThatTheCollectorRefusesAreCounted() {
        collector.refuse = true;

        assertThat(spansOf(settings(1, 100), Map.of(), List.of(request(1), request(2))))
                .isEmpty();
        assertThat(counts).isEqualTo(Map.of(Result.RECORDED, 2, Result.FAILED, 2));
    }

    @Test
    void withoutAnEndpointNothingIsSent() {
        assertThat(OtlpKeys.sends(ServerConfig.of(Map.of()), "traces")).isFalse();

        ParleyConfig config =
                ServerConfig.of(Map.of(OtlpKeys.ENDPOINT, "http://127.0.0.1:4318/", OtlpKeys.SIGNALS, "traces"));
        assertThat(OtlpKeys.sends(config, "traces")).isTrue();
        assertThat(OtlpKeys.sends(config, "metrics")).isFalse();
        assertThat(OtlpKeys.url(config, "traces")).isEqualTo("http://127.0.0.1:4318/v1/traces");
    }

    /** An nSLIP request, the first message of a conversation. */
    private static InputRecord request(int conversation) {
        return InputRecord.text("@a3|f0|c" + Integer.toString(conversation, 36) + "|S0|d1|T1|k1#");
    }

    private static ParleyConfig settings(double ratio, int rate) {
        return ServerConfig.of(
                Map.of(OtlpKeys.RATIO, ratio, OtlpKeys.RATE, rate, OtlpKeys.TIMEOUT_MS, (int) TIMEOUT.toMillis()));
    }

    private SpanData only(ParleyConfig settings, InputRecord record) {
        return only(settings, Map.of(), record);
    }

    private SpanData only(ParleyConfig settings, Map<String, ?> config, InputRecord record) {
        List<SpanData> spans = spansOf(settings, config, List.of(record));
        assertThat(spans).hasSize(1);
        return spans.get(0);
    }

    /** The spans of a pipeline of its own that judges these records. */
    private List<SpanData> spansOf(ParleyConfig settings, Map<String, ?> config, List<InputRecord> records) {
        collector.spans.clear();
        VerdictSpans spans = spans(settings);
        Path state = directory.resolve("state" + System.nanoTime());
        try (PipelineDriver pipeline = PipelineDriver.in(state, config, spans)) {
            records.forEach(pipeline::send);
        }
        spans.close(TIMEOUT);
        return List.copyOf(collector.spans);
    }

    private VerdictSpans spans(ParleyConfig settings) {
        return new VerdictSpans(settings, collector, PipelineListener.NONE, (result, number) -> {
            synchronized (counts) {
                counts.merge(result, number, Integer::sum);
            }
        });
    }

    /** Keeps the spans, or refuses them, or hangs. */
    private static final class Collector implements SpanExporter {
        private final List<SpanData> spans = new CopyOnWriteArrayList<>();
        private volatile CountDownLatch hang = new CountDownLatch(0);
        private volatile boolean refuse;

        @Override
        public CompletableResultCode export(Collection<SpanData> batch) {
            try {
                hang.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableResultCode.ofFailure();
            }
            if (refuse) {
                return CompletableResultCode.ofFailure();
            }
            spans.addAll(batch);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}
