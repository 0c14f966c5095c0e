package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BacklogTest {
    private final Backlog backlog = new Backlog();

    @Test
    void recordsThatWereThereAtTheStartAreOld() {
        assertThat(backlog.observe(100, 16_983, 0)).isEqualTo(16_883);
        assertThat(backlog.observe(16_000, 17_000, 1_000)).isEqualTo(983);
        assertThat(backlog.observe(16_990, 17_000, 2_000)).isZero();
    }

    @Test
    void recordsThatAnApplicationMayHaveReadWithoutACommitAreNotOld() {
        assertThat(backlog.observe(0, 0, 0)).isZero();
        for (int second = 1; second < 600; second++) {
            long committed = second / 30 * 30 * 1_000L;
            assertThat(backlog.observe(committed, second * 1_000L, second * 1_000L))
                    .as("at second " + second)
                    .isZero();
        }
    }

    @Test
    void recordsOfAnApplicationThatStopsBecomeOldWithinTwoIntervals() {
        assertThat(backlog.observe(0, 0, 0)).isZero();
        assertThat(backlog.observe(0, 500, 1_000)).isZero();
        backlog.observe(0, 900, 31_000);
        assertThat(backlog.observe(0, 900, 61_000)).isEqualTo(900);
        assertThat(backlog.observe(900, 900, 62_000)).isZero();
    }
}
