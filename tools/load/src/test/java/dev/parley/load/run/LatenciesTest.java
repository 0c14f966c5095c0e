package dev.parley.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.load.run.Latencies.Summary;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void aSummaryHasThePercentilesSinceTheLastOne() {
        Latencies latencies = new Latencies();
        for (int millis = 1; millis <= 1_000; millis++) {
            latencies.add(millis);
        }

        assertThat(latencies.summarize()).isEqualTo(new Summary(1_000, 500, 990, 999));
        latencies.add(7);
        assertThat(latencies.summarize()).isEqualTo(new Summary(1, 7, 7, 7));
    }

    @Test
    void latenciesOutsideTheRangeCountAtItsEnds() {
        Latencies latencies = new Latencies();
        latencies.add(-5);
        latencies.add(100_000);

        assertThat(latencies.summarize()).isEqualTo(new Summary(2, 0, 60_000, 60_000));
    }
}
