package dev.parley.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ContainerEnvironment;
import dev.parley.cli.environment.NeedsDocker;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.server.lifecycle.Application;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parley in this process, on the broker and the registry that users run. */
@NeedsDocker
class ParleyInProcessContainerIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ROUNDS = 2;

    @TempDir
    private Path directory;

    @Test
    void trafficIsRecordedCompletelyAndOnceWithBrokerAndRegistryInContainers() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        try (ContainerEnvironment containerEnvironment = ContainerEnvironment.open();
                Application application = Application.start(containerEnvironment.config(directory))) {
            ApiClient apiClient = new ApiClient(application.uri());
            apiClient.awaitReady(TIMEOUT, new CountDownLatch(1));
            containerEnvironment.feed(traffic.rounds(ROUNDS));

            assertThat(apiClient.awaitAccounted(traffic.taken(), TIMEOUT, new CountDownLatch(1)))
                    .as("accounted %d: %s", traffic.taken(), apiClient.get("/v1/accounting"))
                    .isTrue();
            TopicAssertions topicAssertions = containerEnvironment.topics();
            assertThat(topicAssertions.inputCount()).isEqualTo(traffic.taken());
            topicAssertions
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
        }
    }
}
