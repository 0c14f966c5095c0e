package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ParkingLotTest {
    private static final CheckpointKey C1 = new CheckpointKey("n", "c", "C1");
    private static final CheckpointKey C2 = new CheckpointKey("n", "c", "C2");
    private static final long MILLIS = 100;
    private static final ParkingLimits LIMITS = new ParkingLimits(60, 1_000, 80, 1_500);

    private final CountingStore<String> index = new CountingStore<>();
    private final CountingStore<ParkedPatch> lot = new CountingStore<>();
    private ParkingLot parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);

    @Test
    void whatIsTakenOutLeavesNothingBehind() {
        park(C1, 1, 5);
        park(C2, 2, 6);
        assertThat(release(C1)).hasSize(1);
        assertThat(timeOut(6 + MILLIS)).hasSize(1);
        index.scan("", (key, value) -> fail("the index still has " + key));
        lot.scan("", (key, value) -> fail("the lot still has " + key));
    }

    @Test
    void patchesLeaveInTheOrderOfArrivalHoweverManyThereAre() {
        for (int i = 0; i < 12; i++) {
            park(C1, i, 0);
        }
        assertThat(release(C1))
                .extracting(ParkedPatch::getArrival)
                .containsExactlyElementsOf(LongStream.range(0, 12).boxed().toList());
    }

    @Test
    void theLongestWaitComesFirstHoweverManyDigitsItsTimeHas() {
        for (long time : new long[] {10, 9, 100, 11, 99}) {
            park(C1, (int) time, time);
        }
        assertThat(timeOut(99 + MILLIS)).extracting(ParkedPatch::getParkedAt).containsExactly(9L, 10L, 11L, 99L);
    }

    @Test
    void timeIsOverAfterTheWholeTimeAndNotBefore() {
        park(C1, 1, 7);
        assertThat(timeOut(6 + MILLIS)).isEmpty();
        assertThat(timeOut(7 + MILLIS)).hasSize(1);
    }

    @Test
    void aNewMachineOverTheSameStoresFindsTheEarliest() {
        park(C1, 1, 5);
        park(C2, 2, 500);
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);
        assertThat(timeOut(5 + MILLIS)).extracting(ParkedPatch::getBase).containsExactly("C1");
        assertThat(timeOut(500 + MILLIS)).extracting(ParkedPatch::getBase).containsExactly("C2");
    }

    @Test
    void afterClearingTheStoresAreAskedAgain() {
        timeOut(0);
        new ParkingLot(index, lot, 50, LIMITS, MILLIS).park(C1, hash(1), 0, Inbound::new);
        assertThat(release(C1)).isEmpty();
        parkingLot.clear();
        assertThat(release(C1)).hasSize(1);
    }

    @Test
    void nothingIsReadWhileNothingWaits() {
        release(C1);
        assertThat(index.scans).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(release(C1)).isEmpty();
            assertThat(timeOut(Long.MAX_VALUE / 2)).isEmpty();
        }
        assertThat(index.scans).isEqualTo(1);
    }

    @Test
    void nothingIsReadWhileNothingIsDue() {
        park(C1, 1, 5);
        park(C2, 2, 6);
        int scans = index.scans;
        for (long now = 0; now < 5 + MILLIS; now++) {
            assertThat(timeOut(now)).isEmpty();
        }
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void whatIsNotDueIsNotLookedThrough() {
        for (int i = 0; i < 20; i++) {
            park(i == 0 ? C1 : C2, i, i == 0 ? 0 : 1_000);
        }
        int shown = index.shown;
        assertThat(timeOut(MILLIS)).hasSize(1);
        assertThat(index.shown - shown).isEqualTo(2);
    }

    @Test
    void aBaseForWhichNothingWaitsDoesNotMakeTheEarliestUnknown() {
        park(C1, 1, 5);
        release(C2);
        int scans = index.scans;
        timeOut(5);
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void whenTheLastHasLeftNothingIsReadAgain() {
        park(C1, 1, 5);
        release(C1);
        release(C2);
        int scans = index.scans;
        release(C2);
        timeOut(Long.MAX_VALUE / 2);
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void anIndexWithoutItsLotIsReported() {
        park(C1, 1, 5);
        lot.delete("n|c|C1|0000000000000000000");
        assertThatThrownBy(() -> release(C1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("n|c|C1");
        assertThatThrownBy(() -> timeOut(5 + MILLIS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("n|c|C1|0000000000000000000");
    }

    @Test
    void expiredPatchesLeaveGapsThatAReleaseSkips() {
        park(C1, 1, 9);
        park(C1, 2, 1);
        park(C1, 3, 9);
        assertThat(timeOut(1 + MILLIS)).hasSize(1);
        park(C1, 4, 9);
        assertThat(release(C1)).extracting(ParkedPatch::getArrival).containsExactly(0L, 2L, 3L);
    }

    @Test
    void parkingOneMoreReadsNoOtherPatch() {
        for (int i = 0; i < 49; i++) {
            park(C1, i, 0);
        }
        int scans = index.scans;
        int reads = lot.reads;
        park(C1, 49, 0);
        assertThat(parkingLot.park(C1, hash(50), 0, () -> record(1))).isEqualTo(ParkingLot.Result.FULL_BASE);
        assertThat(parkingLot.park(C1, hash(7), 0, () -> record(1))).isEqualTo(ParkingLot.Result.ALREADY);
        assertThat(index.scans).isEqualTo(scans);
        assertThat(lot.reads).isEqualTo(reads);
    }

    @Test
    void aContextHasABoundOverAllItsBases() {
        for (int i = 0; i < 60; i++) {
            park(new CheckpointKey("n", "c", "B" + i), i, 0);
        }
        assertThat(parkingLot.park(C1, hash(99), 0, Inbound::new)).isEqualTo(ParkingLot.Result.FULL_CONTEXT);
        release(new CheckpointKey("n", "c", "B7"));
        park(C1, 99, 0);
    }

    @Test
    void aTaskHasABoundOverAllItsContexts() {
        for (int i = 0; i < 80; i++) {
            park(new CheckpointKey("n", "c" + i, "C1"), i, 0);
        }
        assertThat(parkingLot.park(C1, hash(99), 0, Inbound::new)).isEqualTo(ParkingLot.Result.FULL_TASK);
        timeOut(MILLIS);
        park(C1, 99, 0);
    }

    @Test
    void theBytesOfAContextAndOfATaskAreBounded() {
        assertThat(parkingLot.park(C1, hash(0), 0, () -> record(1_001)))
                .isEqualTo(ParkingLot.Result.FULL_CONTEXT_BYTES);
        assertThat(parkingLot.park(C1, hash(1), 0, () -> record(600))).isEqualTo(ParkingLot.Result.PARKED);
        assertThat(parkingLot.park(C2, hash(2), 0, () -> record(401))).isEqualTo(ParkingLot.Result.FULL_CONTEXT_BYTES);
        assertThat(parkingLot.park(C2, hash(2), 0, () -> record(400))).isEqualTo(ParkingLot.Result.PARKED);
        CheckpointKey other = new CheckpointKey("n", "d", "C1");
        assertThat(parkingLot.park(other, hash(3), 0, () -> record(501))).isEqualTo(ParkingLot.Result.FULL_TASK_BYTES);
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);
        assertThat(parkingLot.park(other, hash(3), 0, () -> record(501))).isEqualTo(ParkingLot.Result.FULL_TASK_BYTES);
        assertThat(release(C1)).hasSize(1);
        assertThat(parkingLot.park(other, hash(3), 0, () -> record(501))).isEqualTo(ParkingLot.Result.PARKED);
    }

    @Test
    void patchesThatAnEarlierReleaseParkedAreCounted() {
        for (int i = 0; i < 3; i++) {
            park(C1, i, i);
        }
        // As it was before the counts: slots by time, and by base with their hashes.
        for (String key : List.of("parked|", "parked-in|n|c|", "parked-for|n|c|C1")) {
            assertThat(index.get(key)).isPresent();
            index.delete(key);
        }
        for (int i = 0; i < 3; i++) {
            String hash = HexFormat.of().formatHex(hash(i).array());
            index.delete("hash|n|c|C1|" + hash);
            index.put("wait|n|c|C1|000000000000000000" + i, hash);
        }
        parkingLot.clear();
        assertThat(parkingLot.park(C1, hash(1), 0, Inbound::new)).isEqualTo(ParkingLot.Result.ALREADY);
        park(C1, 3, 3);
        assertThat(release(C1)).extracting(ParkedPatch::getArrival).containsExactly(0L, 1L, 2L, 3L);
        index.scan("", (key, value) -> fail("the index still has " + key));
    }

    private List<ParkedPatch> release(CheckpointKey base) {
        List<ParkedPatch> taken = new ArrayList<>();
        for (var patch = parkingLot.take(base); patch.isPresent(); patch = parkingLot.take(base)) {
            taken.add(patch.get());
        }
        parkingLot.save();
        return taken;
    }

    private List<ParkedPatch> timeOut(long now) {
        List<ParkedPatch> taken =
                parkingLot.due(now, 100).stream().map(parkingLot::takeSlot).toList();
        parkingLot.save();
        return taken;
    }

    private static Inbound record(int bytes) {
        return new Inbound(null, null, ByteBuffer.allocate(bytes), List.of(), null, null);
    }

    private void park(CheckpointKey base, int hash, long now) {
        assertThat(parkingLot.park(base, hash(hash), now, Inbound::new)).isEqualTo(ParkingLot.Result.PARKED);
    }

    private static ByteBuffer hash(int number) {
        return ByteBuffer.allocate(32).putInt(0, number);
    }
}
