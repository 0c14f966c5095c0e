package dev.parley.cli.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** Sends the sample traffic once to a running instance. */
public final class SampleTraffic {
    private SampleTraffic() {}

    /** Sends the messages, and waits until each has an outcome. */
    public static void feed(ParleyConfig config, Application application, Duration timeout) throws Exception {
        feed(config, new ApiClient(application.uri()), timeout);
    }

    /** Sends the messages, and waits until each has an outcome. */
    public static void feed(ParleyConfig config, ApiClient apiClient, Duration timeout) throws Exception {
        feed(config, apiClient, timeout, line -> line);
    }

    /** Sends the changed messages, and waits until each has an outcome. */
    public static void feed(
            ParleyConfig config, ApiClient apiClient, Duration timeout, UnaryOperator<Transcript.Line> change)
            throws Exception {
        apiClient.awaitReady(timeout, new CountDownLatch(1));
        RepeatedSamples traffic = new RepeatedSamples();
        try (TranscriptProducer producer = new TranscriptProducer(config)) {
            traffic.rounds(1).forEach(line -> producer.send(change.apply(line)));
            producer.flush();
        }
        assertThat(apiClient.awaitAccounted(traffic.taken(), timeout, new CountDownLatch(1)))
                .isTrue();
    }
}
