package dev.parley.topology.setup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTraceTest {

    @Test
    void aTraceTellsClassesAndPlacesButNoMessage() {
        Throwable failure = new IllegalStateException("says the payload", new IllegalArgumentException("payload too"));
        assertThat(FailureTrace.of(failure))
                .startsWith("IllegalStateException at dev.parley.topology.setup.FailureTraceTest.")
                .contains(", caused by IllegalArgumentException at dev.parley.")
                .doesNotContain("payload");
    }

    @Test
    void aLongChainOfCausesIsCut() {
        Throwable failure = new IllegalStateException();
        for (int i = 0; i < 10; i++) {
            failure = new IllegalStateException(failure);
        }
        assertThat(FailureTrace.of(failure).split("caused by")).hasSize(5);
    }
}
