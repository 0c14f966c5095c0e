package dev.parley.cli.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.telemetry.OtlpKeys;
import dev.parley.server.telemetry.VerdictSpans;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance that sends spans and metrics to a collector. */
@Tag("long")
class OtlpIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    @TempDir
    private Path directory;

    private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
    private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer collector;
    private volatile boolean hangs;

    @BeforeEach
    void startCollector() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.setExecutor(threads);
        collector.createContext("/v1/traces", exchange -> {
            byte[] body = body(exchange);
            traces.add(ExportTraceServiceRequest.parseFrom(body));
        });
        collector.createContext("/v1/metrics", exchange -> {
            byte[] body = body(exchange);
            metrics.add(ExportMetricsServiceRequest.parseFrom(body));
        });
        collector.start();
    }

    @AfterEach
    void stopCollector() {
        hanging.countDown();
        collector.stop(0);
        threads.shutdownNow();
    }

    @Test
    void aCollectorReceivesSpansAndMetricsAndDelaysNeitherVerdictsNorTheShutdownWhenItHangs() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = environment.config(Map.of(
                    OtlpKeys.ENDPOINT,
                            "http://127.0.0.1:" + collector.getAddress().getPort(),
                    OtlpKeys.INTERVAL_MS, 1_000,
                    OtlpKeys.TIMEOUT_MS, 60_000,
                    ParleyConfig.STOP_MS, 8_000));
            Application application = Application.start(config);
            try {
                send(config, "@a3|f0|c1|S0|d1|T1|k1#");
                await().atMost(TIMEOUT).until(() -> !spans().isEmpty());
                await().atMost(TIMEOUT).until(() -> names().contains("parley.verdicts"));

                Span span = spans().get(0);
                assertThat(HexFormat.of().formatHex(span.getTraceId().toByteArray()))
                        .isEqualTo(TRACE);
                assertThat(HexFormat.of().formatHex(span.getParentSpanId().toByteArray()))
                        .isEqualTo(PARENT);
                assertThat(span.getAttributesList())
                        .extracting(KeyValue::getKey, value -> value.getValue().getStringValue())
                        .contains(tuple("parley.verdict", "ACCEPTED"), tuple("gen_ai.conversation.id", "1"));
                assertThat(traces.get(0).getResourceSpans(0).getScopeSpans(0).getSchemaUrl())
                        .isEqualTo(VerdictSpans.SCHEMA_URL);
                assertThat(metrics.get(0).getResourceMetrics(0).getResource().getAttributesList())
                        .extracting(KeyValue::getKey, value -> value.getValue().getStringValue())
                        .contains(tuple("service.name", environment.names().applicationId()));
                // Gauges that only a refresh reads.
                await().atMost(TIMEOUT)
                        .until(() -> names().containsAll(
                                        List.of("parley.accounting.balanced", "parley.source.lag", "parley.spans")));

                hangs = true;
                send(config, "@a3|f0|c2|S0|d1|T1|k1#");
                await().atMost(TIMEOUT).until(() -> environment.topics().audit().size() == 2);
            } finally {
                // Within stop.timeout.ms, although the collector has longer for a request.
                assertThat(application.stop()).isTrue();
            }
        }
    }

    private static void send(ParleyConfig config, String message) throws Exception {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(config.topics().wire(), message.getBytes(StandardCharsets.UTF_8));
        record.headers().add("traceparent", ("00-" + TRACE + "-" + PARENT + "-01").getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(record).get();
        }
    }

    private List<Span> spans() {
        return traces.stream()
                .flatMap(request -> request.getResourceSpansList().stream())
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    private List<String> names() {
        return metrics.stream()
                .flatMap(request -> request.getResourceMetricsList().stream())
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .map(Metric::getName)
                .distinct()
                .toList();
    }

    /** Reads a request and answers it; waits before if the collector hangs. */
    private byte[] body(HttpExchange exchange) throws IOException {
        try (exchange) {
            InputStream in = exchange.getRequestBody();
            boolean compressed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            byte[] body = (compressed ? new GZIPInputStream(in) : in).readAllBytes();
            if (hangs) {
                hanging.await();
            }
            exchange.sendResponseHeaders(200, -1);
            return body;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
