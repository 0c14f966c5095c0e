package dev.parley.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WindowClockTest {
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private long system = 1_000_000;
    private long nanos = 77;
    private final WindowClock clock = new WindowClock(new SystemClock(), () -> nanos);

    @Test
    void withoutAStepBothTimesAreThePresent() {
        pass(10);

        assertThat(clock.earlier()).isEqualTo(1_000_010);
        assertThat(clock.later()).isEqualTo(1_000_010);
    }

    @Test
    void aStepAheadExpiresNothing() {
        system += HOUR;
        pass(10);

        assertThat(clock.earlier()).isEqualTo(1_000_010);
        assertThat(clock.later()).isEqualTo(1_000_010 + HOUR);
    }

    @Test
    void aStepBackMakesNoKeyOlder() {
        system -= HOUR;
        pass(10);

        assertThat(clock.earlier()).isEqualTo(1_000_010 - HOUR);
        assertThat(clock.later()).isEqualTo(1_000_010);
    }

    private void pass(long milliseconds) {
        system += milliseconds;
        nanos += TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    private final class SystemClock extends Clock {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(system);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
