package dev.parley.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.lifecycle.Parts.Phase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests the order, the deadline and the result of a shutdown. */
class PartsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Parts parts = new Parts();
    private final List<String> stopped = Collections.synchronizedList(new ArrayList<>());

    private void add(Phase phase, String name) {
        parts.add(phase, name, () -> stopped.add(name));
    }

    @Test
    void partsStopByPhaseWhateverTheOrderOfTheirStart() {
        add(Phase.LAST, "registry client");
        add(Phase.VIEWS, "views");
        add(Phase.NOTICE, "readiness");
        add(Phase.NOTICE, "watch");
        add(Phase.API, "API");
        add(Phase.APPLICATIONS, "pipeline");
        add(Phase.FEATURES, "access log");
        add(Phase.LAST, "health");

        assertThat(parts.stop(TIMEOUT)).isTrue();
        assertThat(stopped)
                .containsExactly(
                        "readiness", "watch", "pipeline", "API", "access log", "views", "registry client", "health");
    }

    @Test
    void thePipelineStopsWhileTheApiFinishesItsRequests() throws Exception {
        CountDownLatch apiStops = new CountDownLatch(1);
        parts.addBackground(Phase.APPLICATIONS, "pipeline", deadline -> {
            assertThat(apiStops.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            stopped.add("pipeline");
        });
        parts.addTimed(Phase.API, "API", deadline -> apiStops.countDown());
        add(Phase.LAST, "health");

        assertThat(parts.stop(TIMEOUT)).isTrue();
        assertThat(stopped).containsExactly("pipeline", "health");
    }

    @Test
    void aLatePartDoesNotKeepTheLastOnesFromStopping() {
        parts.addBackground(Phase.APPLICATIONS, "pipeline", deadline -> new CountDownLatch(1).await());
        add(Phase.VIEWS, "views");
        add(Phase.LAST, "health");

        assertThat(parts.stop(Duration.ofMillis(50))).isFalse();
        assertThat(stopped).containsExactly("views", "health");
    }

    @Test
    void aPartThatReportsItselfLateIsDisorderly() {
        parts.addBackground(Phase.VIEWS, "views", deadline -> {
            throw new TimeoutException();
        });
        add(Phase.LAST, "health");
        assertThat(parts.stop(TIMEOUT)).isFalse();
        assertThat(stopped).containsExactly("health");
    }

    @Test
    void aPartThatFailsDoesNotKeepOthersFromStopping() {
        parts.add(Phase.NOTICE, "readiness", () -> {
            throw new IllegalStateException("broken");
        });
        parts.addBackground(Phase.FEATURES, "ingest", deadline -> {
            throw new IOException("broken");
        });
        add(Phase.LAST, "health");
        assertThat(parts.stop(TIMEOUT)).isFalse();
        assertThat(stopped).containsExactly("health");
    }

    @Test
    void anErrorOfAPartIsDisorderlyAndKeepsNoOtherFromStopping() {
        parts.addBackground(Phase.APPLICATIONS, "pipeline", deadline -> {
            throw new AssertionError("in the background");
        });
        parts.addTimed(Phase.API, "API", deadline -> {
            throw new AssertionError("in the foreground");
        });
        add(Phase.LAST, "health");

        assertThat(parts.stop(TIMEOUT)).isFalse();
        assertThat(stopped).containsExactly("health");
    }

    @Test
    void allPartsShareOneDeadline() {
        parts.addTimed(Phase.API, "API", deadline -> {
            deadline.pause(TIMEOUT);
            stopped.add("API");
        });
        parts.addTimed(Phase.LAST, "spans", deadline -> {
            assertThat(deadline.remaining()).isEqualTo(Duration.ofMillis(1));
            stopped.add("spans");
        });
        assertThat(parts.stop(Duration.ofMillis(20))).isTrue();
        assertThat(stopped).containsExactly("API", "spans");
    }
}
