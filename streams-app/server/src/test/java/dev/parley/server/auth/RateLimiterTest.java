package dev.parley.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private long now = Long.MAX_VALUE - 5;

    private final RateLimiter limit = new RateLimiter(2, 3, 2, () -> now);

    @Test
    void aFullBucketGrantsItsBurstAndThenReportsTheWait() {
        assertThat(limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isOne();
    }

    @Test
    void onlyTheRefilledRequestsAreGranted() {
        for (int i = 0; i < 3; i++) {
            limit.acquire("a");
        }
        pass(499);
        assertThat(limit.acquire("a")).isOne();
        pass(1);
        assertThat(limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isOne();
    }

    @Test
    void aRefusedRequestCostsNothing() {
        for (int i = 0; i < 100; i++) {
            limit.acquire("a");
        }
        pass(500);
        assertThat(limit.acquire("a")).isZero();
    }

    @Test
    void aBucketNeverHoldsMoreThanItsBurst() {
        limit.acquire("a");
        pass(TimeUnit.DAYS.toMillis(1));
        assertThat(limit.acquire("a") + limit.acquire("a") + limit.acquire("a")).isZero();
        assertThat(limit.acquire("a")).isOne();
    }

    @Test
    void callersHaveSeparateBuckets() {
        for (int i = 0; i < 4; i++) {
            limit.acquire("a");
        }
        assertThat(limit.acquire("b")).isZero();
    }

    @Test
    void onlyTheMostRecentCallersAreKept() {
        for (int i = 0; i < 1_000; i++) {
            limit.acquire("caller " + i);
        }
        assertThat(limit.remembered()).isEqualTo(2);
    }

    @Test
    void aSlowRateReportsTheWholeWait() {
        RateLimiter slow = new RateLimiter(1, 1, 2, () -> now);
        assertThat(slow.acquire("a")).isZero();
        pass(1);
        assertThat(slow.acquire("a")).isOne();
    }

    @Test
    void withoutARateNoCallerWaitsOrIsKept() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(RateLimiter.NONE.acquire("a")).isZero();
        }
        assertThat(RateLimiter.NONE.remembered()).isZero();
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
