package dev.parley.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairSharesTest {
    private static final long ALICE = 1;
    private static final long BOB = 2;

    private final FairShares<String> shares = new FairShares<>(4);

    @Test
    void callersTakeTurns() {
        shares.add(ALICE, "a1");
        shares.add(ALICE, "a2");
        shares.add(ALICE, "a3");
        shares.add(BOB, "b1");

        assertThat(shares.next()).isEqualTo("a1");
        assertThat(shares.next()).isEqualTo("b1");
        assertThat(shares.next()).isEqualTo("a2");
        assertThat(shares.next()).isEqualTo("a3");
        assertThat(shares.size()).isZero();
    }

    @Test
    void aFullQueueTakesAnItemOfTheCallerWithTheMost() {
        for (int i = 1; i <= 4; i++) {
            shares.add(ALICE, "a" + i);
        }
        assertThat(shares.isFull()).isTrue();
        assertThat(shares.mayDisplace(ALICE)).isFalse();

        for (int i = 1; i <= 2; i++) {
            assertThat(shares.mayDisplace(BOB)).isTrue();
            assertThat(shares.removeNewest(shares.largest().caller())).isEqualTo("a" + (5 - i));
            shares.add(BOB, "b" + i);
        }
        assertThat(shares.mayDisplace(BOB)).as("equal shares").isFalse();
    }
}
