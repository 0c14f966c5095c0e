package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.InputPosition;
import dev.parley.avro.Redaction;
import dev.parley.codec.TrustedRecords;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import dev.parley.server.ingest.IngestFeature;
import dev.parley.server.ingest.IngestLimits;
import dev.parley.server.ingest.IngestResult;
import dev.parley.server.ingest.Ingester;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.metrics.PipelineMeters;
import dev.parley.server.metrics.ViewMeters;
import dev.parley.server.redaction.RedactionFeature;
import dev.parley.server.redrive.DeadLetterRecord;
import dev.parley.server.redrive.FakeRedriver;
import dev.parley.server.redrive.RedriveFeature;
import dev.parley.server.tail.FakeTailSource;
import dev.parley.server.tail.TailFeature;
import dev.parley.server.tail.TailReader;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.views.DeadLetterSummaries;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A running API over views that a test fills. */
public abstract class HttpTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    static {
        // Avro trusts the classes of records once the application's serdes are loaded.
        TrustedRecords.trust();
    }

    public final FakeViews views = new FakeViews();
    protected final List<Readiness.Part> parts = new ArrayList<>();
    protected Optional<SourceProgress> progress = Optional.empty();
    protected final FakeRedriver redriver = new FakeRedriver();
    protected final FakeTailSource tail = new FakeTailSource();
    protected Function<Redaction, InputPosition> redactor = redaction -> {
        throw ProblemException.Code.BROKERS_UNAVAILABLE.problem("There are no brokers.");
    };
    protected Ingester ingester = (caller, messages) -> messages.stream()
            .map(message -> CompletableFuture.<IngestResult>completedFuture(
                    new IngestResult.Failed(ProblemException.Code.INGEST_LIMITED, "There are no brokers.")))
            .toList();
    private final HttpClient client = HttpClient.newHttpClient();
    protected Metrics metrics;
    protected PipelineMeters pipelineMeters;
    protected ViewMeters viewMeters;
    private QueryServer server;

    @BeforeEach
    void start() {
        metrics = new Metrics(Optional.empty(), false);
        pipelineMeters = new PipelineMeters(metrics);
        viewMeters = Standalone.meters(metrics, views.views());
        server = QueryServer.start(Loopback.bind(), api(), security());
    }

    /** Access control; open by default. */
    protected HttpSecurity security() {
        return Loopback.OPEN;
    }

    /** Dependencies of the API. */
    public QueryServer.Components api() {
        return Loopback.components(
                Optional.of(Standalone.distributed(views.views())), readiness(), metrics, readers(), features());
    }

    /** The content that readers may see. */
    protected PublicContent readers() {
        return PublicContent.WITHOUT_RULES;
    }

    private Readiness readiness() {
        return new Readiness() {
            @Override
            public List<Part> parts() {
                return List.copyOf(parts);
            }

            @Override
            public Optional<SourceProgress> progress() {
                return progress;
            }

            @Override
            public List<Integer> unsignedLogs() {
                return pipelineMeters.unsignedLogs();
            }
        };
    }

    /** All features, over the fakes of this test. */
    protected List<RunningFeature> features() {
        return List.of(
                new RedriveFeature.Running(redriver, PipelineSettings.of(new ParleyConfig(Map.of()))),
                new IngestFeature.Running((caller, messages) -> ingester.send(caller, messages), ingestLimits()),
                new RedactionFeature.Running(redaction -> redactor.apply(redaction), () -> {}),
                new TailFeature.Running(tail, 16, 12, tailLimits()));
    }

    /** Limits of a stream of the tail. */
    protected TailReader.Limits tailLimits() {
        return new TailReader.Limits(Duration.ofMinutes(10), Duration.ofSeconds(10));
    }

    /** Limits of HTTP ingest. */
    protected IngestLimits ingestLimits() {
        return new IngestLimits(256 << 10, 1 << 20, 100, 64 << 10);
    }

    @AfterEach
    void stop() {
        server.close();
        metrics.close();
    }

    /** Stops the API with a timeout for requests in progress. */
    protected void stop(Duration timeout) {
        server.close(timeout);
    }

    protected HttpResponse<String> send(String method, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        return send(
                headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    protected HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public QueryServer server() {
        return server;
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path);
    }

    /** Asserts success and returns the body. */
    protected JsonNode json(String path) {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        return parse(response.body());
    }

    /** Asserts a problem and returns the body. */
    public JsonNode problem(String path, ProblemException.Code code) {
        HttpResponse<String> response = get(path);
        return problem(response, code);
    }

    public static JsonNode problem(HttpResponse<String> response, ProblemException.Code code) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(code.status());
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode body = parse(response.body());
        assertThat(body.path("code").asText()).isEqualTo(code.name());
        assertThat(body.path("status").asInt()).isEqualTo(code.status());
        assertThat(body.path("type").asText()).isEqualTo(code.type());
        assertThat(body.path("title").asText()).isEqualTo(code.title());
        return body;
    }

    /** Reads one member of every item on every page. */
    protected List<String> walk(String path, String member) {
        List<String> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(path + (path.indexOf('?') < 0 ? '?' : '&') + "cursor=" + cursor);
            page.path("items").forEach(item -> all.add(item.path(member).asText()));
            cursor = page.path("next").isNull() ? null : page.path("next").asText();
        } while (cursor != null);
        return all;
    }

    public static JsonNode parse(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new AssertionError(body, e);
        }
    }

    /** Makes each request that sends messages count down {@code working}, and wait for {@code go}. */
    protected void blockIngest(CountDownLatch working, CountDownLatch go) {
        Ingester free = ingester;
        ingester = (caller, messages) -> {
            working.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return free.send(caller, messages);
        };
    }

    /** Adds a dead letter of an offset of parley.wire-0. Returns its ID. */
    protected final String letter(long offset, String value) {
        Headers headers = new RecordHeaders()
                .add("__streams.errors.topic", "parley.wire".getBytes(UTF_8))
                .add("__streams.errors.partition", "0".getBytes(UTF_8))
                .add("__streams.errors.offset", Long.toString(offset).getBytes(UTF_8))
                .add("parley.error.code", "SLIP_NO_PROPOSAL".getBytes(UTF_8))
                .add("parley.error.stage", "JUDGE".getBytes(UTF_8))
                .add("parley.error.protocol", "SLIP".getBytes(UTF_8));
        InputPosition id = new InputPosition("parley.dlq.judge.v1", 0, 100 - offset);
        DeadLetterRecord letter = new DeadLetterRecord(id, 1_000 * offset, null, value.getBytes(UTF_8), headers);
        redriver.add(letter);
        views.deadLetters.add(DeadLetterSummaries.of(
                id.topic(), id.partition(), id.offset(), letter.timestamp(), headers, letter.value()));
        return "parley.dlq.judge.v1/0/" + (100 - offset);
    }
}
