package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExceptionSummaryTest {

    @Test
    void summaryContainsClassesAndFramesButNoMessage() {
        Throwable failure = new IllegalStateException("says the payload", new IllegalArgumentException("payload too"));
        assertThat(ExceptionSummary.of(failure))
                .startsWith("IllegalStateException at dev.parley.topology.kafka.ExceptionSummaryTest.")
                .contains(", caused by IllegalArgumentException at dev.parley.")
                .doesNotContain("payload");
    }

    @Test
    void aLongChainOfCausesIsCut() {
        Throwable failure = new IllegalStateException();
        for (int i = 0; i < 10; i++) {
            failure = new IllegalStateException(failure);
        }
        assertThat(ExceptionSummary.of(failure).split("caused by")).hasSize(5);
    }
}
