package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ParkingTest {
    private static final CheckpointKey C1 = new CheckpointKey("n", "c", "C1");
    private static final CheckpointKey C2 = new CheckpointKey("n", "c", "C2");
    private static final long MILLIS = 100;

    private final CountingStore<String> index = new CountingStore<>();
    private final CountingStore<ParkedPatch> lot = new CountingStore<>();
    private Parking parking = new Parking(index, lot, 50, MILLIS);

    @Test
    void whatIsTakenOutLeavesNothingBehind() {
        park(C1, 1, 5);
        park(C2, 2, 6);
        assertThat(parking.release(C1)).hasSize(1);
        assertThat(parking.timeOut(6 + MILLIS)).hasSize(1);
        index.scan("", (key, value) -> fail("the index still has " + key));
        lot.scan("", (key, value) -> fail("the lot still has " + key));
    }

    @Test
    void patchesLeaveInTheOrderOfArrivalHoweverManyThereAre() {
        for (int i = 0; i < 12; i++) {
            park(C1, i, 0);
        }
        assertThat(parking.release(C1))
                .extracting(ParkedPatch::getArrival)
                .containsExactlyElementsOf(LongStream.range(0, 12).boxed().toList());
    }

    @Test
    void theLongestWaitComesFirstHoweverManyDigitsItsTimeHas() {
        for (long time : new long[] {10, 9, 100, 11, 99}) {
            park(C1, (int) time, time);
        }
        assertThat(parking.timeOut(99 + MILLIS))
                .extracting(ParkedPatch::getParkedAt)
                .containsExactly(9L, 10L, 11L, 99L);
    }

    @Test
    void timeIsOverAfterTheWholeTimeAndNotBefore() {
        park(C1, 1, 7);
        assertThat(parking.timeOut(6 + MILLIS)).isEmpty();
        assertThat(parking.timeOut(7 + MILLIS)).hasSize(1);
    }

    @Test
    void aNewMachineOverTheSameStoresFindsTheEarliest() {
        park(C1, 1, 5);
        park(C2, 2, 500);
        parking = new Parking(index, lot, 50, MILLIS);
        assertThat(parking.timeOut(5 + MILLIS)).extracting(ParkedPatch::getBase).containsExactly("C1");
        assertThat(parking.timeOut(500 + MILLIS))
                .extracting(ParkedPatch::getBase)
                .containsExactly("C2");
    }

    @Test
    void afterClearingTheStoresAreAskedAgain() {
        parking.timeOut(0);
        new Parking(index, lot, 50, MILLIS).park(C1, hash(1), 0, Inbound::new);
        assertThat(parking.release(C1)).isEmpty();
        parking.clear();
        assertThat(parking.release(C1)).hasSize(1);
    }

    @Test
    void nothingIsReadWhileNothingWaits() {
        parking.release(C1);
        assertThat(index.scans).isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(parking.release(C1)).isEmpty();
            assertThat(parking.timeOut(Long.MAX_VALUE / 2)).isEmpty();
        }
        assertThat(index.scans).isEqualTo(1);
    }

    @Test
    void nothingIsReadWhileNothingIsDue() {
        park(C1, 1, 5);
        park(C2, 2, 6);
        int scans = index.scans;
        for (long now = 0; now < 5 + MILLIS; now++) {
            assertThat(parking.timeOut(now)).isEmpty();
        }
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void whatIsNotDueIsNotLookedThrough() {
        for (int i = 0; i < 20; i++) {
            park(i == 0 ? C1 : C2, i, i == 0 ? 0 : 1_000);
        }
        int shown = index.shown;
        assertThat(parking.timeOut(MILLIS)).hasSize(1);
        assertThat(index.shown - shown).isEqualTo(2);
    }

    @Test
    void aBaseForWhichNothingWaitsDoesNotMakeTheEarliestUnknown() {
        park(C1, 1, 5);
        parking.release(C2);
        int scans = index.scans;
        parking.timeOut(5);
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void whenTheLastHasLeftNothingIsReadAgain() {
        park(C1, 1, 5);
        parking.release(C1);
        parking.release(C2);
        int scans = index.scans;
        parking.release(C2);
        parking.timeOut(Long.MAX_VALUE / 2);
        assertThat(index.scans).isEqualTo(scans);
    }

    @Test
    void anIndexWithoutItsLotIsTold() {
        park(C1, 1, 5);
        lot.delete("n|c|C1|0000000000000000000");
        assertThatThrownBy(() -> parking.release(C1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("n|c|C1|0000000000000000000");
    }

    private void park(CheckpointKey base, int hash, long now) {
        assertThat(parking.park(base, hash(hash), now, Inbound::new)).isEqualTo(Parking.Answer.PARKED);
    }

    private static ByteBuffer hash(int number) {
        return ByteBuffer.allocate(32).putInt(0, number);
    }
}
