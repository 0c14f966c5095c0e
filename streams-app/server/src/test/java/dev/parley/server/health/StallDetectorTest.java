package dev.parley.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.health.SourceProgress.Cause;
import dev.parley.server.health.SourceProgress.Transaction;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StallDetectorTest {
    private static final long LIMIT_MS = 60_000;
    private static final long STEP_MS = 6_000;

    private final StallDetector detector = new StallDetector(LIMIT_MS, STEP_MS);
    private long nowMs;

    @Test
    void aPositionThatStaysWithUnreadRecordsStalls() {
        observe(5, 5, 2_000);
        long lagging = observe(5, 9, 2_000);
        Instant since = now();
        for (int i = 0; i < 29; i++) {
            observe(5, 9 + i, 2_000);
        }
        assertThat(lagging).isEqualTo(4);
        assertThat(detector.isSuspect()).isFalse();

        observe(5, 100, 2_000);
        assertThat(detector.isSuspect()).isTrue();
        assertThat(detector.stall()).isEmpty();
        detector.confirmRecords();
        assertThat(detector.stall()).hasValue(new SourceProgress.Stall(since, 60, Cause.RECORDS, Optional.empty()));
        assertThat(detector.isSuspect()).isFalse();

        observe(6, 100, 2_000);
        assertThat(detector.stall()).isEmpty();
    }

    @Test
    void anIdlePartitionAndAMovingOneNeverStall() {
        for (int i = 0; i < 1_000; i++) {
            observe(7, 7, 2_000);
        }
        assertThat(detector.isSuspect()).isFalse();
        for (int i = 0; i < 1_000; i++) {
            observe(8 + i, 100_000, 2_000);
        }
        assertThat(detector.isSuspect()).isFalse();
    }

    @Test
    void aClockThatIsSetBackHidesNoProgress() {
        observe(5, 9, 2_000);
        long failedMs = nowMs;
        nowMs += 2_000;
        detector.observe(6, 9, nowMs, now().minusSeconds(10_800));
        assertThat(detector.hasMovedSince(failedMs)).isTrue();
        assertThat(detector.hasMovedSince(nowMs)).isFalse();
    }

    @Test
    void timeWithoutObservationsIsNotCounted() {
        observe(5, 9, 2_000);
        observe(5, 9, 3_600_000);
        assertThat(detector.isSuspect()).isFalse();
        for (int i = 0; i < 9; i++) {
            observe(5, 9, STEP_MS);
        }
        assertThat(detector.isSuspect()).isTrue();
    }

    @Test
    void offsetsWithoutRecordsAreNotLag() {
        for (int i = 0; i < 40; i++) {
            observe(5, 9, 2_000);
        }
        detector.clear(9);

        assertThat(observe(5, 9, 2_000)).isZero();
        assertThat(observe(5, 10, 2_000)).isEqualTo(1);
    }

    @Test
    void aTransactionIsLookedUpOnceUntilTheLastStableOffsetMoves() {
        for (int i = 0; i < 40; i++) {
            observe(5, 9, 2_000);
        }
        Transaction transaction = new Transaction(4711, "agent");

        assertThat(detector.hold(6)).isTrue();
        assertThat(detector.stall().orElseThrow().transaction()).isEmpty();
        detector.heldBy(Optional.of(transaction));
        assertThat(observe(5, 12, 2_000)).as("offset 5 has no record").isEqualTo(6);
        assertThat(detector.hold(6)).isFalse();
        assertThat(detector.stall().orElseThrow().cause()).isEqualTo(Cause.OPEN_TRANSACTION);
        assertThat(detector.stall().orElseThrow().transaction()).hasValue(transaction);

        assertThat(detector.hold(8)).as("another transaction").isTrue();
        assertThat(detector.stall().orElseThrow().transaction()).isEmpty();
        observe(12, 12, 2_000);
        assertThat(detector.stall()).isEmpty();
    }

    private long observe(long position, long end, long laterMs) {
        nowMs += laterMs;
        return detector.observe(position, end, nowMs, now());
    }

    private Instant now() {
        return Instant.ofEpochMilli(nowMs);
    }
}
