package dev.parley.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNamesTest {

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "state, state, 0",
        "'', abc, 3",
        "abc, '', 3",
        "stat, state, 1",
        "sttate, state, 1",
        "stale, state, 1",
        "tsate, state, 1",
        "staet, state, 1",
        "stauts, status, 1",
        "stauts, state, 2",
        "kitten, sitting, 3",
        "badc, abcd, 2",
    })
    void aSwapOfNeighborsIsOneEdit(String from, String to, int edits) {
        assertThat(NearestNames.distance(from, to)).isEqualTo(edits);
        assertThat(NearestNames.distance(to, from)).isEqualTo(edits);
    }

    @Test
    void theNameWithTheFewestEditsIsSuggested() {
        assertThat(NearestNames.suggestion("stauts", List.of("state", "status")))
                .contains("status");
        assertThat(NearestNames.suggestion("STAUTS", List.of("state", "status")))
                .contains("status");
        assertThat(NearestNames.suggestion("frobnicate", List.of("state", "status")))
                .isEmpty();
    }
}
