package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.server.health.Readiness;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GracefulStopTest extends HttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public QueryServer.Components api() {
        return Loopback.components(Optional.of(Standalone.distributed(views)), this::slowly, metrics, List.of());
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

        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> stop(TIMEOUT));
        await().atMost(TIMEOUT).until(this::takesNothing);
        assertThat(stop).isNotDone();
        goOn.countDown();

        assertThat(request.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).body()).contains("It took its time.");
        stop.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Whether new connections fail, or requests on an open one get 503. */
    private boolean takesNothing() {
        try {
            return send("GET", "/openapi.yaml").statusCode() == 503;
        } catch (AssertionError | IllegalArgumentException refused) {
            return true;
        }
    }
}
