package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the offsets with a set of numbers. */
class InputOffsetsTest {
    private static final int MANY = 5 * InputOffsets.BLOCK + 17;
    private static final long SEED = Long.getLong("parley.seed", 20_26L);

    @Test
    void aNewSetIsEmpty() {
        InputOffsets offsets = new InputOffsets();
        assertThat(offsets.count()).isZero();
        assertThat(offsets.end()).isZero();
        assertThat(offsets.first()).isEqualTo(Long.MAX_VALUE);
        assertThat(offsets.has(0)).isFalse();
        assertThat(offsets.nextAbsent(5)).isEqualTo(5);
        assertThat(offsets.nextPresent(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(offsets.lastBefore(Long.MAX_VALUE)).isEqualTo(-1);
    }

    @Test
    void anOffsetIsAddedOnce() {
        InputOffsets offsets = new InputOffsets();
        for (long offset = 0; offset < MANY; offset++) {
            assertThat(offsets.add(offset)).isTrue();
        }
        for (long offset = 0; offset < MANY; offset++) {
            assertThat(offsets.add(offset)).isFalse();
            assertThat(offsets.has(offset)).isTrue();
        }
        assertThat(offsets.count()).isEqualTo(MANY);
        assertThat(offsets.has(MANY)).isFalse();
    }

    @Test
    void fullBlocksTakeNoBits() {
        InputOffsets offsets = new InputOffsets();
        for (long offset = 0; offset < 100 * InputOffsets.BLOCK; offset++) {
            offsets.add(offset);
            assertThat(offsets.openBlocks()).isLessThanOrEqualTo(1);
        }
        assertThat(offsets.openBlocks()).isZero();
        assertThat(offsets.nextAbsent(0)).isEqualTo(100L * InputOffsets.BLOCK);
        assertThat(offsets.nextPresent(7)).isEqualTo(7);
    }

    @Test
    void aBlockIsFullWithItsLastMissingOffset() {
        for (int last : new int[] {0, 1, 2_000, InputOffsets.BLOCK - 1}) {
            InputOffsets offsets = new InputOffsets();
            for (int offset = InputOffsets.BLOCK - 1; offset >= 0; offset--) {
                if (offset != last) {
                    offsets.add(offset);
                }
            }
            assertThat(offsets.openBlocks()).isEqualTo(1);
            assertThat(offsets.add(last)).isTrue();
            assertThat(offsets.openBlocks()).isZero();
        }
    }

    @Test
    void emptyBlocksAreAllowed() {
        InputOffsets offsets = new InputOffsets();
        long far = 7L * InputOffsets.BLOCK + 3;
        offsets.add(1);
        offsets.add(far);
        assertThat(offsets.openBlocks()).isEqualTo(2);
        assertThat(offsets.nextPresent(0)).isEqualTo(1);
        assertThat(offsets.nextPresent(2)).isEqualTo(far);
        assertThat(offsets.nextPresent(far)).isEqualTo(far);
        assertThat(offsets.nextPresent(far + 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(offsets.nextPresent(far + InputOffsets.BLOCK)).isEqualTo(Long.MAX_VALUE);
        assertThat(offsets.nextAbsent(far)).isEqualTo(far + 1);
        assertThat(offsets.lastBefore(Long.MAX_VALUE)).isEqualTo(far);
        assertThat(offsets.lastBefore(far)).isEqualTo(1);
        assertThat(offsets.lastBefore(1)).isEqualTo(-1);
    }

    @Test
    void theFirstOffsetOfABlockIsFoundFromTheBlockBefore() {
        InputOffsets offsets = new InputOffsets();
        offsets.add(InputOffsets.BLOCK);
        assertThat(offsets.nextPresent(5)).isEqualTo(InputOffsets.BLOCK);
    }

    @Test
    void possibleOffsetsStartAtZeroAndHaveALimit() {
        long most = (long) Integer.MAX_VALUE * InputOffsets.BLOCK;
        assertThat(InputOffsets.isPossible(-1)).isFalse();
        assertThat(InputOffsets.isPossible(0)).isTrue();
        assertThat(InputOffsets.isPossible(most - 1)).isTrue();
        assertThat(InputOffsets.isPossible(most)).isFalse();
        InputOffsets offsets = new InputOffsets();
        assertThat(offsets.add(most - 1)).isTrue();
        assertThat(offsets.end()).isEqualTo(most);
        for (long impossible : new long[] {most, 1L << 62, Long.MAX_VALUE}) {
            assertThat(offsets.nextAbsent(impossible)).isEqualTo(impossible);
            assertThat(offsets.nextPresent(impossible)).isEqualTo(Long.MAX_VALUE);
        }
        assertThat(offsets.nextAbsent(most - 1)).isEqualTo(most);
    }

    @Test
    @Timeout(10)
    void anOffsetFarAwayTakesNeitherTimeNorMemory() {
        long most = (long) Integer.MAX_VALUE * InputOffsets.BLOCK;
        long far = most - 1_000L * InputOffsets.BLOCK;
        List<InputOffsets> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            InputOffsets offsets = new InputOffsets();
            offsets.add(3);
            for (long offset = far; offset < far + InputOffsets.BLOCK; offset++) {
                offsets.add(offset);
            }
            many.add(offsets);
        }
        for (InputOffsets offsets : many) {
            assertThat(offsets.openBlocks()).isEqualTo(1);
            assertThat(offsets.nextPresent(4)).isEqualTo(far);
            assertThat(offsets.nextAbsent(far)).isEqualTo(far + InputOffsets.BLOCK);
            assertThat(offsets.lastBefore(far)).isEqualTo(3);
            assertThat(offsets.countBefore(most)).isEqualTo(InputOffsets.BLOCK + 1);
        }
    }

    @Test
    void offsetsInAnyOrderWithHolesMatchASet() {
        Random random = new Random(SEED);
        for (int round = 0; round < 20; round++) {
            List<Long> come = new ArrayList<>();
            int holes = random.nextInt(200);
            for (long offset = 0; offset < MANY; offset++) {
                come.add(offset);
            }
            Collections.shuffle(come, random);
            TreeSet<Long> set = new TreeSet<>(come.subList(holes, come.size()));
            InputOffsets offsets = new InputOffsets();
            come.subList(holes, come.size()).forEach(offsets::add);
            String of = "seed " + SEED + ", round " + round;
            assertThat(offsets.count()).as(of).isEqualTo(set.size());
            assertThat(offsets.first()).as(of).isEqualTo(set.first());
            assertThat(offsets.end()).as(of).isEqualTo(set.last() + 1);
            List<Long> absent = new ArrayList<>();
            for (long at = offsets.nextAbsent(0); at < MANY; at = offsets.nextAbsent(at + 1)) {
                absent.add(at);
            }
            assertThat(absent).as(of).containsExactlyElementsOf(new TreeSet<>(come.subList(0, holes)));
            for (long at = random.nextInt(100); at < MANY + 5; at += 1 + random.nextInt(900)) {
                Long next = set.ceiling(at);
                assertThat(offsets.nextPresent(at)).as(of).isEqualTo(next == null ? Long.MAX_VALUE : next);
                Long before = set.lower(at);
                assertThat(offsets.lastBefore(at)).as(of).isEqualTo(before == null ? -1 : before);
            }
        }
    }
}
