package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNotes;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.server.cluster.AllowedPeers;
import dev.parley.server.cluster.DistributedViews;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.health.StreamsReadiness;
import dev.parley.server.http.ProblemException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthHandlerTest extends HttpTest {

    @Test
    void theCountsOfAllTasksAreSummedByInputPartition() {
        views.accounting.add(Samples.accounting("parley.wire", 1, 10, 9, 1));
        views.accounting.add(Samples.accounting("parley.wire", 0, 4, 4, 0));
        views.accounting.add(Samples.accounting("parley.wire", 1, 5, 5, 0));
        progress = read(source("parley.wire", 0, 4, 4), source("parley.wire", 1, 15, 15));

        JsonNode answer = json("/v1/accounting");

        assertThat(answer.path("partitions").findValuesAsText("partition")).containsExactly("0", "1");
        assertThat(answer.at("/partitions/1/inputs").asLong()).isEqualTo(15);
        assertThat(answer.at("/partitions/1/accepted").asLong()).isEqualTo(14);
        assertThat(answer.at("/partitions/1/parked").asLong()).isEqualTo(1);
        assertThat(answer.at("/total/inputs").asLong()).isEqualTo(19);
        assertThat(answer.path("balanced").asBoolean()).isTrue();
    }

    @Test
    void aPartitionDoesNotBalanceAnother() {
        views.accounting.add(Samples.accounting("parley.wire", 0, 10, 9, 0));
        views.accounting.add(Samples.accounting("parley.wire", 1, 10, 11, 0));
        progress = read(source("parley.wire", 0, 10, 10), source("parley.wire", 1, 10, 10));

        JsonNode answer = json("/v1/accounting");

        assertThat(answer.at("/partitions/0/balanced").asBoolean()).isFalse();
        assertThat(answer.at("/partitions/1/inputs").asLong())
                .as("an outcome proves its input")
                .isEqualTo(11);
        assertThat(answer.at("/total/pending").asLong()).isEqualTo(1);
        assertThat(answer.at("/total/balanced").asBoolean()).isFalse();
        assertThat(answer.path("balanced").asBoolean()).isFalse();
    }

    @Test
    void anUnreadPartitionIsNotBalanced() {
        views.accounting.add(Samples.accounting("parley.wire", 0, 4, 4, 0));
        SourceProgress.Stall stall =
                new SourceProgress.Stall(Instant.EPOCH, 90, SourceProgress.Cause.RECORDS, Optional.empty());
        progress = read(
                source("parley.wire", 0, 4, 4),
                new SourceProgress.Partition("pipeline", "parley.wire.csp", 1, 0, 7, 7, 7, Optional.of(stall)),
                source("parley.wire.lambda", 0, 0, 0));

        JsonNode answer = json("/v1/accounting");

        assertThat(answer.path("partitions")).hasSize(2);
        assertThat(answer.at("/partitions/0/lag").asLong(-1)).isZero();
        assertThat(answer.at("/partitions/0/balanced").asBoolean()).isTrue();
        assertThat(answer.at("/partitions/1/topic").asText()).isEqualTo("parley.wire.csp");
        assertThat(answer.at("/partitions/1/inputs").asLong(-1)).isZero();
        assertThat(answer.at("/partitions/1/end").asLong()).isEqualTo(7);
        assertThat(answer.at("/partitions/1/lag").asLong()).isEqualTo(7);
        assertThat(answer.at("/partitions/1/stalledSince").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(answer.at("/partitions/1/balanced").asBoolean()).isFalse();
        assertThat(answer.at("/total/lag").asLong()).isEqualTo(7);
        assertThat(answer.at("/total/balanced").asBoolean()).isFalse();
        assertThat(answer.path("balanced").asBoolean()).isFalse();
    }

    @Test
    void anUnknownLagIsNotBalanced() {
        views.accounting.add(Samples.accounting("parley.wire", 0, 4, 4, 0));

        JsonNode answer = json("/v1/accounting");

        assertThat(answer.at("/partitions/0/lag").isNull()).isTrue();
        assertThat(answer.path("lagAsOf").isNull()).isTrue();
        assertThat(answer.path("balanced").asBoolean()).isFalse();
    }

    @Test
    void aStalledComponentIsNotReadyButLive() {
        parts.add(StreamsReadiness.part(
                "pipeline",
                KafkaStreams.State.RUNNING,
                Optional.of("No progress in parley.wire-0."),
                Optional.empty()));

        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/health/ready").body()).contains("\"status\":\"stalled\"", "No progress in parley.wire-0.");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aStoppingInstanceIsNotReadyButHasNotFailed() {
        StreamsReadiness readiness =
                new StreamsReadiness(Map.of(), Optional.of(Standalone.distributed(views.views())), null, null);
        assertThat(readiness.parts()).isNotEmpty().extracting(Part::status).containsOnly(Status.READY);

        readiness.stopping();
        assertThat(readiness.parts()).isNotEmpty().allSatisfy(part -> {
            assertThat(part.status()).isEqualTo(Status.STOPPING);
            assertThat(part.detail()).startsWith("The instance is stopping. ");
        });
    }

    @Test
    void partitionsOfAStrangerAreNamedAndEndNoReadiness() {
        HostInfo self = new HostInfo("10.1.2.3", 8080);
        HostInfo stranger = new HostInfo("stranger.example", 80);
        StreamsReadiness readiness = new StreamsReadiness(
                Map.of(),
                Optional.of(new DistributedViews(
                        views.views(),
                        Clusters.of(() -> self, () -> stranger),
                        new AllowedPeers(Standalone.noPeers(), List.of(), self.host()),
                        Duration.ZERO)),
                null,
                null);
        parts.addAll(readiness.parts());

        HttpResponse<String> response = get("/health/ready");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"name\":\"peers\",\"status\":\"partial\"", "stranger.example:80", "http.peers.allowed");
    }

    /** Of instances that advertise one address, Kafka Streams knows the partitions of only one. */
    @Test
    void partitionsWithoutAKnownOwnerAreNamed() {
        HostInfo self = new HostInfo("10.1.2.3", 8080);
        DistributedViews instances = new DistributedViews(
                views.views(), Clusters.of(() -> self, () -> self, 3), Standalone.noPeers(), Duration.ZERO);
        parts.addAll(new StreamsReadiness(Map.of(), Optional.of(instances), null, null).parts());

        HttpResponse<String> response = get("/health/ready");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"name\":\"peers\",\"status\":\"partial\"", "partitions [1, 2]", "http.advertised");
    }

    private static Optional<SourceProgress> read(SourceProgress.Partition... partitions) {
        return Optional.of(new SourceProgress(Instant.EPOCH, List.of(partitions)));
    }

    private static SourceProgress.Partition source(String topic, int partition, long position, long end) {
        return new SourceProgress.Partition(
                "pipeline", topic, partition, position, end, end - position, 0, Optional.empty());
    }

    @Test
    void readinessNamesTheComponentThatIsNotReady() {
        parts.add(new Part("pipeline", Status.READY, "Kafka Streams is RUNNING."));
        assertThat(json("/health/ready").path("status").asText()).isEqualTo("UP");

        parts.add(new Part("views", Status.STARTING, "Kafka Streams is REBALANCING."));
        HttpResponse<String> response = get("/health/ready");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
        assertThat(parse(response.body()).path("status").asText()).isEqualTo("DOWN");
        assertThat(parse(response.body()).at("/parts/1/name").asText()).isEqualTo("views");
        assertThat(parse(response.body()).at("/parts/1/status").asText()).isEqualTo("starting");
    }

    @Test
    void aStartingInstanceIsLiveAndAFailedOneIsNot() {
        parts.add(new Part("views", Status.STARTING, "Kafka Streams is REBALANCING."));
        assertThat(json("/health/live").path("status").asText()).isEqualTo("UP");

        parts.add(new Part("pipeline", Status.FAILED, "Kafka Streams is ERROR."));
        assertThat(get("/health/live").statusCode()).isEqualTo(503);
        assertThat(get("/health/live").body()).as("no details without a token").doesNotContain("pipeline", "Kafka");
    }

    @ParameterizedTest
    @EnumSource(KafkaStreams.State.class)
    void onlyRunningIsReady(KafkaStreams.State state) {
        assertThat(StreamsReadiness.part("views", state, Optional.empty(), Optional.of("A note."))
                                .status()
                        == Status.READY)
                .isEqualTo(state == KafkaStreams.State.RUNNING);
    }

    @Test
    void largeTextIsCompressedIfTheClientAcceptsThat() throws Exception {
        HttpResponse<byte[]> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(server().uri() + "/openapi.yaml"))
                                .header("Accept-Encoding", "gzip")
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(response.headers().allValues("Vary")).containsExactly("Accept-Encoding");
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(get("/openapi.yaml").body());
        }
        assertThat(send("GET", "/openapi.yaml", "Accept-Encoding", "gzip;q=0")
                        .headers()
                        .map())
                .doesNotContainKey("content-encoding");
    }

    @Test
    void metricsHaveTheAccounting() {
        views.accounting.add(Samples.accounting("parley.wire", 0, 10, 9, 0));

        HttpResponse<String> response = get("/metrics");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(response.body())
                .contains("parley_accounting_records{count=\"inputs\",partition=\"0\",topic=\"parley.wire\"} 10.0")
                .contains("parley_accounting_records{count=\"accepted\",partition=\"0\",topic=\"parley.wire\"} 9.0")
                .contains("parley_accounting_balanced{partition=\"0\",topic=\"parley.wire\"} 0.0")
                .contains("jvm_memory_used_bytes");
    }

    @Test
    void metricsHaveSizeAndAgeOfTheLogs() {
        LogNotes signed = new LogNotes("parley/audit", List.of(NoteSigner.of("parley/audit", KeyFiles.newPair())));
        views.heads.addAll(List.of(
                signed.statement(2, Collections.emptySortedMap(), Instant.now()),
                signed.head(0, 7, new byte[32], Instant.now().minusSeconds(100)),
                new LogNotes("parley/audit", List.of()).head(1, 5, new byte[32], Instant.now())));
        AuditRecord record = Samples.slip("7", 11);
        pipelineMeters.recorded(record, new RecordHeaders());

        assertThat(get("/metrics").body())
                .contains("parley_audit_log_size{partition=\"0\"} 12.0")
                .contains("parley_audit_head_size{partition=\"0\"} 7.0")
                .contains("parley_audit_head_size{partition=\"1\"} 5.0")
                .containsPattern("parley_audit_head_age_seconds\\{partition=\"0\"} 1\\d\\d\\.0")
                .doesNotContain("parley_audit_head_age_seconds{partition=\"1\"}", "partition=\"-1\"");
    }

    @Test
    void metricsHaveTheLogsThatAreNotSigned() {
        pipelineMeters.signing(0, false);
        pipelineMeters.signing(1, true);

        assertThat(get("/metrics").body())
                .contains("parley_audit_log_unsigned{partition=\"0\"} 1.0")
                .contains("parley_audit_log_unsigned{partition=\"1\"} 0.0");
        assertThat(pipelineMeters.unsignedLogs()).containsExactly(0);
        pipelineMeters.signing(0, true);
        assertThat(pipelineMeters.unsignedLogs()).isEmpty();
    }

    @Test
    void metricsCountVerdictsByStageAndCode() {
        pipelineMeters.recorded(Protocol.SLIP, Verdict.ACCEPTED, Stage.NONE, null);
        pipelineMeters.recorded(Protocol.SLIP, Verdict.REJECTED, Stage.JUDGE, "SLIP_TURN_REUSED");
        pipelineMeters.recorded(Protocol.SLIP, Verdict.REJECTED, Stage.JUDGE, "SLIP_TURN_REUSED");

        assertThat(get("/metrics").body())
                .contains(
                        "parley_verdicts_total{code=\"NONE\",protocol=\"SLIP\",stage=\"NONE\",verdict=\"ACCEPTED\"} 1.0")
                .contains(
                        "parley_verdicts_total{code=\"SLIP_TURN_REUSED\",protocol=\"SLIP\",stage=\"JUDGE\",verdict=\"REJECTED\"} 2.0");
    }

    @Test
    void theLatencyCoversOnlyRecordsSinceTheStart() {
        viewMeters.visible(Instant.now().minusSeconds(3_600));
        assertThat(get("/metrics").body()).contains("parley_latency_seconds_count 0");

        viewMeters.visible(Instant.now().plusSeconds(60));
        assertThat(get("/metrics").body())
                .contains("parley_latency_seconds_count 1")
                .contains("parley_latency_seconds_bucket{le=\"0.05\"} 1");
    }

    @Test
    void metricsAreAvailableWhileStoresAreNot() {
        views.failure = new ViewsUnavailableException("The store is away.", null);

        assertThat(get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void theIndexListsEveryPath() {
        Set<String> links = new HashSet<>();
        json("/").path("links").forEach(link -> links.add(link.asText()));

        assertThat(links).contains("/v1/conversations", "/openapi.yaml", "/metrics", "/health/ready");
        assertThat(get("/openapi.yaml").statusCode()).isEqualTo(200);
    }

    @Test
    void aPathThatDoesNotExistIsNamed() {
        assertThat(problem("/v2/conversations", ProblemException.Code.UNKNOWN_PATH)
                        .path("detail")
                        .asText())
                .contains("/v2/conversations");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void nothingCanBeWritten(String method) {
        HttpResponse<String> response = send(method, "/v1/conversations");

        problem(response, ProblemException.Code.METHOD_NOT_ALLOWED);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    @Test
    void headIsAnsweredWithoutABody() {
        HttpResponse<String> response = send("HEAD", "/v1/conversations");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1/conversations",
                "/v1/conversations/default/SLIP/none",
                "/v1/accounting?unknown=1",
                "/health/live",
                "/health/ready",
                "/openapi.yaml"
            })
    void headHasTheStatusAndTheHeadersOfGet(String path) {
        HttpResponse<String> get = get(path);
        HttpResponse<String> head = send("HEAD", path);

        assertThat(head.statusCode()).isEqualTo(get.statusCode());
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).isPresent();
        Map<String, List<String>> expected = new HashMap<>(get.headers().map());
        Map<String, List<String>> actual = new HashMap<>(head.headers().map());
        expected.remove("date");
        actual.remove("date");
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/conversations",
                "/v1/conversations/default/SLIP/1",
                "/v1/conversations/default/SLIP/1/messages",
                "/v1/conversations/default/csp/c/checkpoints",
                "/v1/conversations/default/csp/c/checkpoints/C1",
                "/v1/conversations/default/csp/c/state?at=checkpoint:C1",
                "/v1/conversations/default/csp/c/state?at=time:1",
                "/v1/conversations/default/csp/c/diff?from=checkpoint:C0&to=checkpoint:C1",
                "/v1/dead-letters",
                "/v1/accounting"
            })
    void whileStoresAreUnavailableTheResponseHasRetryAfter(String path) {
        views.failure = new ViewsUnavailableException("The store view-audit cannot be read now.", null);

        HttpResponse<String> response = get(path);

        assertThat(problem(response, ProblemException.Code.VIEWS_UNAVAILABLE)
                        .path("detail")
                        .asText())
                .contains("view-audit");
        assertThat(response.headers().firstValue("Retry-After")).hasValue("2");
    }

    @Test
    void aFailureHasAnErrorIdAndNoStackTrace() {
        views.failure = new IllegalArgumentException("inner secret");

        HttpResponse<String> response = get("/v1/accounting");

        assertThat(problem(response, ProblemException.Code.INTERNAL)
                        .path("detail")
                        .asText())
                .containsPattern("error ID [0-9a-f-]{36}");
        assertThat(response.body()).doesNotContain("secret", "Exception");
    }

    @ParameterizedTest
    @CsvSource({"/health/live", "/health/ready", "/metrics", "/openapi.yaml", "/", "/v1/accounting"})
    void anEndpointWithoutParametersRejectsThem(String path) {
        problem(path + "?verbose=1", ProblemException.Code.INVALID_PARAMETER);
    }

    @Test
    void itListensOnLoopbackAndReportsItsPort() {
        assertThat(server().port()).isPositive();
        assertThat(server().uri()).hasHost("127.0.0.1").hasPort(server().port());
    }
}
