package dev.parley.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.server.ServerConfig;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An instance with only the role pipeline. */
class PipelineOnlyIT {

    @TempDir
    private Path directory;

    @Test
    void servesHealthAndMetricsAndNamesTheRoleForOtherRequests() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory)) {
            Map<String, Object> values =
                    new HashMap<>(embeddedEnvironment.config().originals());
            values.put(ParleyConfig.ROLES, "pipeline");
            try (Application application = Application.start(ServerConfig.of(values))) {
                await().atMost(Duration.ofSeconds(60))
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

    private static HttpResponse<String> get(Application application, String path)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(application.uri().resolve(path)).build(), BodyHandlers.ofString());
    }
}
