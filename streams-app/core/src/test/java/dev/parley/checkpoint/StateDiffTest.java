package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StateDiffTest {
    private static final Map<String, String> BEFORE = Map.of("SAME", "1", "OLD", "2", "GONE", "3");

    @Test
    void namesWithTheSameValueStandInNoPart() {
        StateDiff diff = StateDiff.between(BEFORE, Map.of("SAME", "1", "OLD", "9", "NEW", "4"));
        assertThat(diff.added()).isEqualTo(Map.of("NEW", "4"));
        assertThat(diff.changed()).isEqualTo(Map.of("OLD", new StateDiff.Change("2", "9")));
        assertThat(diff.removed()).isEqualTo(Map.of("GONE", "3"));
    }

    @Test
    void aDifferenceIsEmptyWhenTheStatesAreEqualAndOnlyThen() {
        assertThat(StateDiff.between(BEFORE, BEFORE).isEmpty()).isTrue();
        assertThat(StateDiff.between(Map.of(), Map.of()).isEmpty()).isTrue();
        assertThat(StateDiff.between(Map.of(), Map.of("A", "1")).isEmpty()).isFalse();
        assertThat(StateDiff.between(Map.of("A", "1"), Map.of("A", "2")).isEmpty())
                .isFalse();
        assertThat(StateDiff.between(Map.of("A", "1"), Map.of()).isEmpty()).isFalse();
    }
}
