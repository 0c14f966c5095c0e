package dev.parley.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.load.run.Measured.Observation;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedTest {

    @Test
    void theSpeedIsThatBetweenTwoObservations() {
        Measured speed = Measured.between(
                "run",
                new Observation(1_000_000_000L, 10_000, 500_000_000L, 100_000_000L),
                new Observation(3_000_000_000L, 50_000, 2_500_000_000L, 500_000_000L));
        assertThat(speed).isEqualTo(new Measured(20_000, 50, 10));
    }

    @Test
    void aCellHasTheMedianAndTheRange() {
        assertThat(spread(3_000, 1_000, 2_000)).hasToString("2,000 (1,000 to 3,000)");
        assertThat(spread(1, 2)).hasToString("1.5 (1.0 to 2.0)");
        assertThat(spread(7)).hasToString("7.0");
        assertThatThrownBy(SpeedTest::spread).isInstanceOf(IllegalArgumentException.class);
    }

    private static Spread spread(double... values) {
        return Spread.of(java.util.Arrays.stream(values).boxed().toList(), value -> value);
    }

    @Test
    void theGuardComparesTheBestRounds() {
        List<Measured> shape = List.of(speed(90_000), speed(40_000));
        assertThat(Throughput.reaches(0.5, List.of(speed(10_000), speed(46_000)), shape))
                .isTrue();
        assertThat(Throughput.reaches(0.5, List.of(speed(44_000), speed(44_000)), shape))
                .isFalse();
    }

    private static Measured speed(double perSecond) {
        return new Measured(perSecond, 50, 10);
    }

    @Test
    void aSizedShapeHasTheSizesOfParleysTopics() throws IOException {
        TopicBytes audit = new TopicBytes("parley.audit.v1", 1, 20, 210, 7, 300);
        TopicBytes message = new TopicBytes("parley.message.v1", 1, 20, 200, 7, 180);
        Sizes sizes = Sizes.of(List.of(
                new TopicBytes("by-conversation-repartition", 1, 20, 0, 0, 230.4),
                new TopicBytes("conversations-changelog", 1, 20, 0, 0, 120),
                new TopicBytes("outcomes-changelog", 0.1, 20, 0, 0, 90),
                audit,
                message));
        assertThat(sizes).isEqualTo(new Sizes(230, 120, 90, audit, message));
        assertThat(Sizes.parse(sizes.json())).isEqualTo(sizes);
        assertThatThrownBy(() -> Sizes.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parley.audit.v1");
    }

    @Test
    void theTableOfTopicsHasTheirSum() {
        assertThat(TopicBytes.table(List.of(
                        new TopicBytes("small", 0.001, 10, 0, 0, 10),
                        new TopicBytes("a", 1, 10, 0, 0, 100),
                        new TopicBytes("b", 0.5, 10, 200, 7, 90))))
                .endsWith("""
                        | b | 0.50 | 10 | 200 | 90 | 150 |
                        | a | 1.00 | 10 | 0 | 100 | 110 |
                        | all topics | | | | | 260 |
                        """);
    }
}
