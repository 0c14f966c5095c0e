package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdlePollingTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    /** Any value, also just before an overflow. */
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);

    private final IdlePolling polling = new IdlePolling(nanoTime::get);

    @Test
    void anIdleThreadPollsLonger() {
        pass(Duration.ofMillis(1_001));

        assertThat(polling.timeout(SHORT)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void aThreadPollsAsKafkaStreamsChoosesUntilItIsIdle() {
        assertThat(polling.timeout(SHORT)).isEqualTo(SHORT);
        pass(Duration.ofMillis(999));
        assertThat(polling.timeout(SHORT)).isEqualTo(SHORT);
    }

    @Test
    void recordsAndCommitsEndTheIdleTime() {
        pass(Duration.ofHours(1));

        polling.worked();

        assertThat(polling.timeout(SHORT)).isEqualTo(SHORT);
    }

    @Test
    void anIdleThreadDoesNotWaitIfKafkaStreamsMustNot() {
        pass(Duration.ofHours(1));

        assertThat(polling.timeout(Duration.ZERO)).isZero();
    }

    @Test
    void aLongerPollStaysAsItIs() {
        pass(Duration.ofHours(1));

        assertThat(polling.timeout(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
    }

    private void pass(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }
}
