package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
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
        StateDiff none = new StateDiff(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        assertThat(StateDiff.between(BEFORE, BEFORE)).isEqualTo(none);
        assertThat(StateDiff.between(Map.of(), Map.of())).isEqualTo(none);
        assertThat(StateDiff.between(Map.of(), Map.of("A", "1"))).isNotEqualTo(none);
        assertThat(StateDiff.between(Map.of("A", "1"), Map.of("A", "2"))).isNotEqualTo(none);
        assertThat(StateDiff.between(Map.of("A", "1"), Map.of())).isNotEqualTo(none);
    }
}
