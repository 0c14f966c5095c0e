package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.server.health.Readiness;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GracefulStopTest extends HttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public QueryServer.Components api() {
        return Loopback.components(
                Optional.of(Standalone.distributed(views.views())), this::slowly, metrics, List.of());
    }

    private List<Readiness.Part> slowly() {
        arrived.countDown();
        try {
            assertThat(goOn.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return List.of(new Readiness.Part("slow", Readiness.Status.READY, "It took its time."));
    }

    @Test
    void aRequestInProgressCompletesAndNewOnesAreRejected() throws Exception {
        CompletableFuture<HttpResponse<String>> request =
                CompletableFuture.supplyAsync(() -> send("GET", "/health/ready"));
        assertThat(arrived.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        URI uri = server().uri().resolve("/openapi.yaml");
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> stop(TIMEOUT));
        await().atMost(TIMEOUT).until(() -> rejects(uri));
        assertThat(stop).isNotDone();
        goOn.countDown();

        assertThat(request.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).body()).contains("It took its time.");
        stop.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Whether new connections fail, or requests on an open one get 503. */
    private boolean rejects(URI uri) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 503;
        } catch (IOException refused) {
            return true;
        }
    }
}
