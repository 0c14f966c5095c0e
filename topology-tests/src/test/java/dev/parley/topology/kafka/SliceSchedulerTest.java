package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Test;

class SliceSchedulerTest {
    private final MockProcessorContext<String, String> context = new MockProcessorContext<>();
    private final List<Long> slices = new ArrayList<>();
    private long remaining;
    private final SliceScheduler scheduler = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> {
        slices.add(time);
        return --remaining > 0;
    });

    @Test
    void nothingIsScheduledWithoutWork() {
        assertThat(running()).isEmpty();
    }

    @Test
    void slicesRunUntilNoWorkRemains() {
        remaining = 2;
        scheduler.start();
        scheduler.start();
        assertThat(running())
                .singleElement()
                .returns(
                        SliceScheduler.INTERVAL.toMillis(), p -> p.getInterval().toMillis());

        punctuate(1_000);
        assertThat(running()).hasSize(1);
        punctuate(1_100);

        assertThat(running()).isEmpty();
        assertThat(slices).containsExactly(1_000L, 1_100L);
    }

    @Test
    void aLaterStartRunsThemAgain() {
        remaining = 1;
        scheduler.start();
        punctuate(1_000);
        remaining = 1;
        scheduler.start();
        punctuate(2_000);

        assertThat(slices).containsExactly(1_000L, 2_000L);
        assertThat(running()).isEmpty();
    }

    private void punctuate(long time) {
        running().forEach(scheduled -> scheduled.getPunctuator().punctuate(time));
    }

    private List<CapturedPunctuator> running() {
        return context.scheduledPunctuators().stream()
                .filter(scheduled -> !scheduled.cancelled())
                .toList();
    }
}
