package dev.parley.cli.instances;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.demo.Samples;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo with its broker in one process, killed with SIGKILL and restarted on the same directory. */
@Tag("long")
class ProcessKillIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final List<String> ANY_PORTS =
            List.of("--set", "bootstrap.servers=127.0.0.1:0", "--set", "schema.registry.url=http://127.0.0.1:0");
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    @TempDir
    private Path directory;

    @Test
    void killedWhileProducingAndWhileJudgingItLosesAndDuplicatesNothing() throws Exception {
        killWhen((demo, apiClient) -> demo.hasSaid("sending"));
        killWhen((demo, apiClient) -> demo.hasSaid("sending")
                && !apiClient
                        .get("/v1/conversations?limit=1", JsonNode.class)
                        .path("items")
                        .isEmpty());

        ChildProcess again = demo("--set", "http.port=0", "--exit");
        assertThat(again.exitStatus()).as(again.said()).isZero();
        assertThat(again.said()).contains(": balanced");
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.open(directory.resolve("data"))) {
            TopicAssertions topicAssertions = embeddedEnvironment.topics();
            assertThat(topicAssertions.inputCount()).isEqualTo(Samples.load().size());
            topicAssertions
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
        }
    }

    private void killWhen(BiPredicate<ChildProcess, ApiClient> moment) throws Exception {
        int port = freePort();
        ChildProcess demo = demo("--set", "http.port=" + port);
        try {
            ApiClient apiClient = new ApiClient(URI.create("http://127.0.0.1:" + port));
            await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL).until(() -> moment.test(demo, apiClient));
        } finally {
            demo.kill();
        }
    }

    private ChildProcess demo(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("demo", "--data", directory.resolve("data").toString()));
        arguments.addAll(ANY_PORTS);
        arguments.addAll(List.of(options));
        return ChildProcess.start(directory, arguments);
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }
}
