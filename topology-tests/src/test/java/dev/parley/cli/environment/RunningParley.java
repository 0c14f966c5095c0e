package dev.parley.cli.environment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Waits for a running Parley, sends messages, and waits for their outcomes. */
public final class RunningParley {
    private RunningParley() {}

    /** Writes a file with one token, for {@code http.auth.tokens.file}. */
    public static Path tokens(Path directory, String token, String name, Role role) throws IOException {
        StoredToken stored = StoredToken.of(token, name, role, Optional.empty(), Optional.empty());
        return Files.writeString(directory.resolve("tokens.jsonl"), stored.line());
    }

    /** Returns a client when the instance at an address is ready. */
    public static ApiClient ready(URI uri, Duration timeout) throws InterruptedException {
        ApiClient apiClient = new ApiClient(uri);
        apiClient.awaitReady(timeout, new CountDownLatch(1));
        return apiClient;
    }

    /** Sends messages, and waits until the brokers have acknowledged all of them. */
    public static void send(ParleyConfig config, List<Transcript.Line> lines) {
        try (TranscriptProducer producer = new TranscriptProducer(config)) {
            lines.forEach(producer::send);
            assertThat(producer.flush()).isEqualTo(lines.size());
        }
    }

    /** Waits until that many messages have an outcome. */
    public static void awaitAccounted(ApiClient apiClient, long messages, Duration timeout)
            throws InterruptedException {
        assertThat(apiClient.awaitAccounted(messages, timeout, new CountDownLatch(1)))
                .as("accounted %d: %s", messages, apiClient.get("/v1/accounting", JsonNode.class))
                .isTrue();
    }

    /** Waits until an instance is ready, sends it the samples, and waits until each has an outcome. */
    public static void feed(ParleyConfig config, ApiClient apiClient, Duration timeout) throws InterruptedException {
        apiClient.awaitReady(timeout, new CountDownLatch(1));
        List<Transcript.Line> lines = new RepeatedSamples().rounds(1);
        send(config, lines);
        awaitAccounted(apiClient, lines.size(), timeout);
    }
}
