package dev.parley.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.cli.io.Options;
import dev.parley.decode.ConversationKey;
import dev.parley.server.api.Loopback;
import dev.parley.server.api.QueryServer;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.http.Metrics;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiClientTest {

    @ParameterizedTest
    @CsvSource({
        "http://h:1,http://h:1/v1/x?a=b",
        "http://h:1/,http://h:1/v1/x?a=b",
        "https://h/team/parley,https://h/team/parley/v1/x?a=b",
        "https://h/team/parley/,https://h/team/parley/v1/x?a=b"
    })
    void pathsAreBelowTheUrlOfTheApi(URI url, URI expected) {
        assertThat(new ApiClient(url).uri("/v1/x?a=b")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "default/slip/1,default|SLIP|1,/v1/conversations/default/slip/1",
        "default/SLIP/a/b,default|SLIP|a/b,/v1/conversations/default/slip/~YS9i",
        "default/acme/7,default|ACME|7,/v1/conversations/default/extension/ACME%7C7",
        "default/extension/ACME|7,default|ACME|7,/v1/conversations/default/extension/ACME%7C7"
    })
    void aConversationHasOneNameInOptionsChainsAndPaths(String option, String chain, String path) {
        ConversationKey key = Options.conversation(option);
        assertThat(key).hasToString(chain);
        assertThat(ApiClient.conversation(key)).isEqualTo(path);
    }

    @Test
    void whoeverWaitedInVainIsToldForWhat() {
        List<Part> parts = List.of(
                new Part("pipeline", Status.READY, "Kafka Streams is RUNNING."),
                new Part("views", Status.STARTING, "Kafka Streams is REBALANCING."));
        try (Metrics metrics = new Metrics(Optional.empty(), false);
                QueryServer server = QueryServer.start(
                        Loopback.bind(),
                        Loopback.components(Optional.empty(), () -> parts, metrics, List.of()),
                        Loopback.OPEN)) {
            ApiClient apiClient = new ApiClient(server.uri());
            assertThatThrownBy(() -> apiClient.awaitReady(Duration.ofMillis(10), new CountDownLatch(1)))
                    .hasMessage("not ready after 0 s: views: Kafka Streams is REBALANCING.");
        }
    }
}
