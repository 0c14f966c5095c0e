package dev.parley.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An instance with only the role pipeline, and the jar that has nothing else. */
@Tag("long")
class PipelineOnlyIT {
    private static final Path JAR = Path.of("streams-app", "topology", "target", "parley-pipeline.jar");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @Test
    void servesHealthAndMetricsAndNamesTheRoleForOtherRequests() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            Map<String, Object> values =
                    new HashMap<>(embeddedEnvironment.config().originals());
            values.put(ParleyConfig.ROLES, "pipeline");
            try (Application application = Application.start(ServerConfig.of(values))) {
                await().atMost(TIMEOUT)
                        .until(() -> get(application, "/health/ready").statusCode() == 200);
                assertThat(get(application, "/health/ready").body())
                        .contains("\"name\":\"pipeline\"")
                        .doesNotContain("\"name\":\"views\"", "\"name\":\"traffic\"", "\"name\":\"stores\"");
                assertThat(get(application, "/health/live").statusCode()).isEqualTo(200);
                assertThat(get(application, "/metrics").body())
                        .contains("kafka_stream_", "application=\"pipeline\"", "jvm_memory_used_bytes");
                HttpResponse<String> elsewhere = get(application, "/v1/conversations");
                assertThat(elsewhere.statusCode()).isEqualTo(404);
                assertThat(elsewhere.body()).contains("roles=views");
            }
        }
    }

    @Test
    void anInstanceIsLiveWhileItReadsItsLocalState() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory);
                ServerSocket free = new ServerSocket(0)) {
            Map<String, Object> values =
                    new HashMap<>(embeddedEnvironment.config().originals());
            values.put(ParleyConfig.ROLES, "pipeline");
            values.put(HttpKeys.HEALTH_PORT, free.getLocalPort());
            free.close();
            ParleyConfig config = ServerConfig.of(values);
            Path state = unreadableState(config);
            FutureTask<Application> start = new FutureTask<>(() -> Application.start(config));
            new Thread(start, "start").start();
            // Opens as soon as the instance reads it.
            try (OutputStream reading = Files.newOutputStream(state)) {
                assertThat(get(URI.create("http://127.0.0.1:" + free.getLocalPort()), "/health/live")
                                .statusCode())
                        .isEqualTo(200);
                reading.write('?');
            }
            try (Application application = start.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(state).doesNotExist();
            }
        }
    }

    @Test
    void aProcessThatReadsItsLocalStateStops() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config();
            Path state = unreadableState(config);
            try (ChildProcess pipeline = start(Map.of(
                    "PARLEY_TOPICS_PREFIX", config.topics().prefix(),
                    "PARLEY_TOPICS_REPLICATION_FACTOR", "1",
                    "PARLEY_BOOTSTRAP_SERVERS", embeddedEnvironment.brokers(),
                    "PARLEY_SCHEMA_REGISTRY_URL", config.getString(ParleyConfig.REGISTRY_URL),
                    "PARLEY_STATE_DIR", config.getString(ParleyConfig.STATE_DIR)))) {
                try (OutputStream reading = Files.newOutputStream(state)) {
                    pipeline.process().destroy();
                    assertThat(pipeline.exitStatus()).as(pipeline.said()).isZero();
                }
            }
        }
    }

    /** Creates a file of a database as a pipe, which can be opened for writing while an instance reads it. */
    private static Path unreadableState(ParleyConfig config) throws Exception {
        Path store = Files.createDirectories(Path.of(
                config.getString(ParleyConfig.STATE_DIR),
                config.getString(ParleyConfig.APPLICATION_ID),
                "9_9/rocksdb/store"));
        Path current = store.resolve("CURRENT");
        assertThat(new ProcessBuilder("mkfifo", current.toString()).start().waitFor())
                .isZero();
        return current;
    }

    @Test
    void theJarJudgesAndLeavesItsGroupOnSigterm() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            ParleyConfig config = embeddedEnvironment.config();
            Path file = directory.resolve("parley.properties");
            Files.writeString(file, "topics.partitions=2\ntopics.replication.factor=1\n");
            Map<String, String> environment = Map.of(
                    "PARLEY_CONFIG", file.toString(),
                    "PARLEY_TOPICS_PREFIX", config.topics().prefix(),
                    "PARLEY_BOOTSTRAP_SERVERS", embeddedEnvironment.brokers(),
                    "PARLEY_SCHEMA_REGISTRY_URL", config.getString(ParleyConfig.REGISTRY_URL),
                    "PARLEY_STATE_DIR", config.getString(ParleyConfig.STATE_DIR));
            try (ChildProcess pipeline = start(environment)) {
                await().atMost(TIMEOUT).until(() -> pipeline.hasSaid("The pipeline is RUNNING"));
                try (TranscriptProducer producer = new TranscriptProducer(config)) {
                    new RepeatedSamples().rounds(1).forEach(producer::send);
                    assertThat(producer.flush()).isPositive();
                }
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> embeddedEnvironment
                                .topics()
                                .nothingIsLostAndNothingIsTwice()
                                .everyChainVerifies()
                                .everyDeadLetterIsItsInput());
                pipeline.process().destroy();
                assertThat(pipeline.exitStatus()).as(pipeline.said()).isZero();
                assertThat(pipeline.said()).contains("Stopped").doesNotContain("not gracefully", "ERROR");
            }
            String group = config.getString(ParleyConfig.APPLICATION_ID);
            try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
                assertThat(admin.describeConsumerGroups(List.of(group)).all().get())
                        .satisfies(groups ->
                                assertThat(groups.get(group).members()).isEmpty());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_PIPELINE_THREADS, none, pipeline.threads",
        "PARLEY_HTTP_PORT, 8080, PARLEY_HTTP_PORT",
        "PARLEY_ROLES, views, roles: Value must be pipeline",
        "PARLEY_CONFIG, no-such-file, cannot read no-such-file"
    })
    void theJarReportsAnInvalidConfigurationInOneLine(String variable, String value, String message) throws Exception {
        try (ChildProcess pipeline = start(Map.of(variable, value))) {
            assertThat(pipeline.exitStatus()).as(pipeline.said()).isEqualTo(2);
            assertThat(pipeline.said().lines()).singleElement().asString().contains("ERROR", message);
        }
    }

    private ChildProcess start(Map<String, String> environment) throws IOException {
        assertThat(JAR).as("built by mvn package").exists();
        Path output = directory.resolve("pipeline.txt");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return new ChildProcess(builder.start(), output);
    }

    private static HttpResponse<String> get(Application application, String path)
            throws IOException, InterruptedException {
        return get(application.uri(), path);
    }

    private static HttpResponse<String> get(URI uri, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri.resolve(path)).build(), BodyHandlers.ofString());
    }
}
