package dev.parley.query.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.query.cluster.DistributedViews;
import dev.parley.query.http.Readiness;
import dev.parley.query.read.MaskingPolicy;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GracefulStopTest extends HttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public QueryServer.Parts api() {
        return new QueryServer.Parts(
                Optional.of(DistributedViews.one(views)),
                this::slowly,
                MaskingPolicy.PRIVATE,
                metrics,
                Optional.empty(),
                Optional.empty());
    }

    private List<Readiness.Part> slowly() {
        arrived.countDown();
        try {
            assertThat(goOn.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return List.of(new Readiness.Part("slow", Readiness.Status.READY, "It took its time."));
    }

    @Test
    void aRequestInProgressEndsAndNoNewOneIsTaken() throws Exception {
        CompletableFuture<HttpResponse<String>> request =
                CompletableFuture.supplyAsync(() -> send("GET", "/health/ready"));
        assertThat(arrived.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> stop(PATIENCE));
        await().atMost(PATIENCE).until(this::takesNothing);
        assertThat(stop).isNotDone();
        goOn.countDown();

        assertThat(request.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body()).contains("It took its time.");
        stop.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** No port or connection any more, or 503 on one that was there. */
    private boolean takesNothing() {
        try {
            return send("GET", "/openapi.yaml").statusCode() == 503;
        } catch (AssertionError | IllegalArgumentException refused) {
            return true;
        }
    }
}
