package dev.parley.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Graceful shutdown: readiness fails first, partitions move to other instances, and no component exceeds the timeout.
 */
@Tag("long")
class GracefulShutdownIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int NOTICE_MS = 5_000;

    @TempDir
    private Path directory;

    @Test
    void readinessFailsWhileTheApiStillServes() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            Application application =
                    Application.start(embeddedEnvironment.config(Map.of(HttpKeys.STOP_NOTICE_MS, NOTICE_MS)));
            URI uri = application.uri();
            RunningParley.ready(application.uri(), TIMEOUT);
            Thread stop = new Thread(application::close);
            stop.start();
            Requests requests = new Requests(uri, HttpClient.newHttpClient());
            await().atMost(TIMEOUT).until(() -> requests.get("/health/ready").statusCode() == 503);
            assertThat(requests.get("/health/ready").body()).contains("stopping");
            assertThat(requests.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(requests.get("/v1/conversations").statusCode()).isEqualTo(200);
            stop.join();
            assertThatThrownBy(() -> requests.get("/health/live")).isInstanceOf(IOException.class);
        }
    }

    /** The group would wait ten minutes for an instance that did not leave it. */
    @Test
    void partitionsMoveAtOnce() throws Exception {
        Map<String, Object> patient = Map.of(
                "kafka.session.timeout.ms", 600_000,
                "kafka.heartbeat.interval.ms", 1_000,
                "kafka.num.standby.replicas", 1);
        RepeatedSamples traffic = new RepeatedSamples();
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory)) {
            Map<String, Object> other = new HashMap<>(patient);
            other.put(ParleyConfig.STATE_DIR, directory.resolve("state-2").toString());
            other.put(ParleyConfig.ROLES, "pipeline");
            Map<String, Object> one = new HashMap<>(patient);
            try (Application staying = Application.start(embeddedEnvironment.config(one))) {
                ApiClient apiClient = RunningParley.ready(staying.uri(), TIMEOUT);
                Application leaving = Application.start(embeddedEnvironment.config(other));
                try {
                    RunningParley.ready(leaving.uri(), TIMEOUT);
                    RunningParley.send(embeddedEnvironment.config(one), traffic.rounds(1));
                    RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                } finally {
                    leaving.close();
                }
                RunningParley.send(embeddedEnvironment.config(one), traffic.rounds(1));
                RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
                embeddedEnvironment.topics().nothingIsLostAndNothingIsTwice().everyChainVerifies();
            }
        }
    }

    @Test
    void shutdownWithoutBrokersEndsWithinItsTimeout() throws Exception {
        EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory);
        Application application;
        try (embeddedEnvironment) {
            application = Application.start(embeddedEnvironment.config(Map.of(ParleyConfig.STOP_MS, 2_000)));
            RunningParley.ready(application.uri(), TIMEOUT);
            RunningParley.send(embeddedEnvironment.config(), new RepeatedSamples().rounds(1));
        }
        // Less than the default of stop.timeout.ms, 25 s.
        assertTimeoutPreemptively(Duration.ofSeconds(24), application::close);
        // A thread that waits for brokers still closes its stores, and may add a file while the directory is deleted.
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .untilAsserted(() -> Utils.delete(directory.resolve("state").toFile()));
    }

    private record Requests(URI base, HttpClient http) {
        HttpResponse<String> get(String path) throws Exception {
            return http.send(
                    HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
