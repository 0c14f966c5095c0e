package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.io.Api;
import dev.parley.server.Application;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parley in this process, on the broker and the registry that users run. */
@NeedsDocker
class ParleyInProcessContainerIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 2;

    @TempDir
    private Path directory;

    @Test
    void trafficIsRecordedOnceAndWholeOnABrokerAndARegistryInContainers() throws Exception {
        Traffic traffic = new Traffic();
        try (Harbour harbour = Harbour.open();
                Application application = Application.start(harbour.config(directory))) {
            Api api = new Api(application.uri());
            api.awaitReady(PATIENCE, new CountDownLatch(1));
            harbour.feed(traffic.rounds(ROUNDS));

            assertThat(api.awaitAccounted(traffic.taken(), PATIENCE, new CountDownLatch(1)))
                    .as("accounted %d: %s", traffic.taken(), api.get("/v1/accounting"))
                    .isTrue();
            Evidence evidence = harbour.evidence();
            assertThat(evidence.inputCount()).isEqualTo(traffic.taken());
            evidence.nothingIsLostAndNothingIsTwice().everyChainVerifies().everyDeadLetterIsItsInput();
        }
    }
}
