package dev.parley.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
    private final long[] nanos = {0};

    @Test
    void atMostTheGivenLinesAreLoggedPerMinute() {
        LogThrottle throttle = new LogThrottle(() -> nanos[0], 2);
        List<Long> suppressed = new ArrayList<>();

        for (int line = 0; line < 5; line++) {
            throttle.log(suppressed::add);
        }
        nanos[0] += Duration.ofMinutes(1).toNanos();
        throttle.log(suppressed::add);
        throttle.log(suppressed::add);
        throttle.log(suppressed::add);

        assertThat(suppressed).containsExactly(0L, 0L, 3L, 0L);
    }
}
