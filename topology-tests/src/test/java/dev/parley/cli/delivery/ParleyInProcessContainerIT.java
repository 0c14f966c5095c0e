package dev.parley.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ContainerEnvironment;
import dev.parley.cli.environment.NeedsDocker;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.TopicAssertions;
import dev.parley.server.lifecycle.Application;
import java.nio.file.Path;
import java.time.Duration;
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
            ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
            containerEnvironment.feed(traffic.rounds(ROUNDS));

            RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
            TopicAssertions topicAssertions = containerEnvironment.topics();
            assertThat(topicAssertions.inputCount()).isEqualTo(traffic.taken());
            topicAssertions
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
        }
    }
}
