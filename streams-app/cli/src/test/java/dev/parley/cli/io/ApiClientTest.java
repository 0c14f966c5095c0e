package dev.parley.cli.io;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.http.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ApiClientTest {

    @Test
    void whoeverWaitedInVainIsToldForWhat() {
        List<Part> parts = List.of(
                new Part("pipeline", Status.READY, "Kafka Streams is RUNNING."),
                new Part("views", Status.STARTING, "Kafka Streams is REBALANCING."));
        try (Metrics metrics = Metrics.create();
                QueryServer server = QueryServer.start(
                        Loopback.bind(),
                        new QueryServer.Components(Optional.empty(), () -> parts, metrics, List.of()),
                        Loopback.OPEN)) {
            ApiClient apiClient = new ApiClient(server.uri());
            assertThatThrownBy(() -> apiClient.awaitReady(Duration.ofMillis(10), new CountDownLatch(1)))
                    .hasMessage("not ready after 0 s: views: Kafka Streams is REBALANCING.");
        }
    }
}
