package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.ParkedPatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
    void aRemovedPatchLeavesNoEntry() {
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
    void nothingIsReadWhileNothingWaits() {
        for (int i = 0; i < 5; i++) {
            assertThat(release(C1)).isEmpty();
            assertThat(timeOut(Long.MAX_VALUE / 2)).isEmpty();
        }
        assertThat(index.scans).isZero();
        assertThat(lot.scans).isZero();
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
    void patchesThatAreNotDueAreNotScanned() {
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
    void missingPatchesLeaveNoCountAndDelayNoOther() {
        park(C1, 1, 5, 10);
        park(C1, 2, 5, 20);
        park(C1, 3, 5, 40);
        park(C2, 4, 5, 80);
        lot.delete("n|c|C1|0000000000000000000");
        lot.delete("n|c|C1|0000000000000000002");
        lot.delete("n|c|C2|0000000000000000000");

        assertThat(release(C1)).extracting(ParkedPatch::getArrival).containsExactly(1L);
        assertThat(timeOut(5 + MILLIS)).isEmpty();

        assertThat(contents(index)).isEmpty();
        assertThat(contents(lot)).isEmpty();
    }

    @Test
    void missingPatchesCostOnlyTheEntriesOfTheirBase() {
        for (int i = 0; i < 40; i++) {
            park(i < 2 ? C1 : C2, i, 0);
        }
        lot.delete("n|c|C1|0000000000000000000");
        lot.delete("n|c|C1|0000000000000000001");
        int shown = index.shown;

        assertThat(release(C1)).isEmpty();

        assertThat(index.shown - shown).isEqualTo(2);
    }

    @Test
    void entriesThatAnotherClientWroteAreRemovedAndExpireNothing() {
        park(C1, 1, 500);
        String slot = "n|c|C1|0000000000000000000";
        List<String> forged = List.of(
                "due|",
                "due|x",
                "due|99999999999999999999|" + slot,
                "due|0000000000000000000|" + slot,
                "due|0000000000000000007|n|c|C2|0000000000000000000");
        forged.forEach(entry -> index.put(entry, slot));
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);

        assertThat(timeOut(7 + MILLIS)).isEmpty();
        assertThat(timeOut(500 + MILLIS)).hasSize(1);

        assertThat(entries(index)).isEmpty();
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
    void theIndexCountsPatchesAndBytesOfBaseContextAndTask() {
        CheckpointKey other = new CheckpointKey("n", "d", "C1");
        park(C1, 1, 0, 10);
        park(C1, 2, 7, 20);
        park(C1, 3, 0, 40);
        park(C2, 4, 9, 80);
        park(other, 5, 9, 160);
        assertThat(counts())
                .containsExactly(
                        "parked-for|n|c|C1 = 3 70 0 3",
                        "parked-for|n|c|C2 = 1 80 0 1",
                        "parked-for|n|d|C1 = 1 160 0 1",
                        "parked-in|n|c| = 4 150 0 0",
                        "parked-in|n|d| = 1 160 0 0",
                        "parked| = 5 310 0 0");
        // The second of C1 stays; the first slot that may be taken is known again from the next release on.
        assertThat(timeOut(MILLIS)).hasSize(2);
        assertThat(counts())
                .containsExactly(
                        "parked-for|n|c|C1 = 1 20 1 3",
                        "parked-for|n|c|C2 = 1 80 0 1",
                        "parked-for|n|d|C1 = 1 160 0 1",
                        "parked-in|n|c| = 2 100 0 0",
                        "parked-in|n|d| = 1 160 0 0",
                        "parked| = 3 260 0 0");
        release(C1);
        release(other);
        assertThat(counts())
                .containsExactly("parked-for|n|c|C2 = 1 80 0 1", "parked-in|n|c| = 1 80 0 0", "parked| = 1 80 0 0");
    }

    @Test
    void patchesAreNotCountedAgainWhileTheIndexHasTheirCounts() {
        parkingLot.isEmpty();
        park(C1, 1, 0);
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);
        int scans = index.scans;
        assertThat(parkingLot.isEmpty()).isFalse();
        assertThat(index.scans).isEqualTo(scans);
        assertThat(lot.scans).isZero();
    }

    @Test
    void theBytesOfARecordAreThoseOfKeyValueAndHeaders() {
        List<InboundHeader> headers =
                List.of(new InboundHeader("abc", ByteBuffer.allocate(5)), new InboundHeader("abcd", null));
        assertThat(ParkingLot.bytes(new Inbound(null, ByteBuffer.allocate(20), null, headers, null, null)))
                .isEqualTo(20 + 3 + 5 + 4);
        assertThat(ParkingLot.bytes(new Inbound(null, null, ByteBuffer.allocate(7), null, null, null)))
                .isEqualTo(7);
    }

    @Test
    void aTaskMayHaveAsManyBytesAsItsLimit() {
        park(C1, 1, 0, 1_000);
        CheckpointKey other = new CheckpointKey("n", "d", "C1");
        assertThat(parkingLot.park(other, hash(2), 0, () -> record(501))).isEqualTo(ParkingLot.Result.FULL_TASK_BYTES);
        park(other, 2, 0, 500);
    }

    @Test
    void noMoreDuePatchesAreListedThanWanted() {
        for (int i = 0; i < 5; i++) {
            park(C1, i, 5 - i);
        }
        assertThat(parkingLot.due(5 + MILLIS, 0)).isEmpty();
        assertThat(parkingLot.due(5 + MILLIS, 2))
                .containsExactly(
                        "due|0000000000000000001|n|c|C1|0000000000000000004",
                        "due|0000000000000000002|n|c|C1|0000000000000000003");
        assertThat(parkingLot.due(5 + MILLIS, 5)).hasSize(5);
    }

    @Test
    void aPatchIsDueAtTheEndOfTimeAsWell() {
        park(C1, 1, 0);
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);
        assertThat(timeOut(Long.MAX_VALUE)).hasSize(1);
    }

    @Test
    void countsAreWrittenOnce() {
        park(C1, 1, 0);
        index.delete("parked|");
        parkingLot.save();
        assertThat(index.get("parked|")).isEmpty();
    }

    @Test
    void countsThatWereNotWrittenAreForgottenWithTheTransaction() {
        park(C1, 1, 0);
        park(C1, 2, 0);
        Map<String, String> indexBefore = entries(index);
        Map<String, ParkedPatch> lotBefore = entries(lot);
        assertThat(parkingLot.poll(C1)).isPresent();
        indexBefore.forEach(index::put);
        lotBefore.forEach(lot::put);
        parkingLot = new ParkingLot(index, lot, 50, LIMITS, MILLIS);
        assertThat(release(C1)).extracting(ParkedPatch::getArrival).containsExactly(0L, 1L);
    }

    private List<String> counts() {
        return contents(index).stream()
                .filter(entry -> entry.startsWith("parked"))
                .toList();
    }

    private static <V> List<String> contents(CountingStore<V> store) {
        return entries(store).entrySet().stream()
                .map(entry -> entry.getKey() + " = " + entry.getValue())
                .toList();
    }

    private static <V> Map<String, V> entries(CountingStore<V> store) {
        Map<String, V> entries = new TreeMap<>();
        store.scan("", (key, value) -> {
            entries.put(key, value);
            return true;
        });
        return entries;
    }

    private List<ParkedPatch> release(CheckpointKey base) {
        List<ParkedPatch> taken = new ArrayList<>();
        for (var patch = parkingLot.poll(base); patch.isPresent(); patch = parkingLot.poll(base)) {
            taken.add(patch.get());
        }
        parkingLot.save();
        return taken;
    }

    private List<ParkedPatch> timeOut(long now) {
        List<ParkedPatch> taken = parkingLot.due(now, 100).stream()
                .map(parkingLot::removeDue)
                .flatMap(Optional::stream)
                .toList();
        parkingLot.save();
        return taken;
    }

    private static Inbound record(int bytes) {
        return new Inbound(null, null, ByteBuffer.allocate(bytes), List.of(), null, null);
    }

    private void park(CheckpointKey base, int hash, long now, int bytes) {
        assertThat(parkingLot.park(base, hash(hash), now, () -> record(bytes))).isEqualTo(ParkingLot.Result.PARKED);
    }

    private void park(CheckpointKey base, int hash, long now) {
        assertThat(parkingLot.park(base, hash(hash), now, Inbound::new)).isEqualTo(ParkingLot.Result.PARKED);
    }

    private static ByteBuffer hash(int number) {
        return ByteBuffer.allocate(32).putInt(0, number);
    }
}
