package dev.parley.topology.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.topology.topics.Statistic;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MinuteCountsTest {
    private static final String MINUTE = "0000000060000";
    private static final String DIMENSIONS = Dimensions.of(
                    Statistic.VIOLATIONS,
                    new String[Statistic.VIOLATIONS.dimensions().size()])
            .toKey();

    @Test
    void entriesOfTasksAreReadable() {
        int numbers = Statistic.VIOLATIONS.measures().size();
        assertThatCode(() -> check(MINUTE + DIMENSIONS, numbers)).doesNotThrowAnyException();
        assertThatCode(() -> check(MINUTE + "~late|" + DIMENSIONS, numbers)).doesNotThrowAnyException();
        assertThatCode(() -> check("!closed", 1)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "!", "0", "x", MINUTE, MINUTE + "traffic|", MINUTE + "violations|x", "00000000600x0traffic|"
            })
    void entriesThatNoTaskWritesAreFound(String key) {
        assertThatThrownBy(() -> check(key, Statistic.TRAFFIC.measures().size()))
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void otherNumbersOfCountsAreFound() {
        int numbers = Statistic.VIOLATIONS.measures().size();
        assertThatThrownBy(() -> check(MINUTE + DIMENSIONS, numbers + 1)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> check("!closed", 2)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> MinuteCounts.check((MINUTE + DIMENSIONS).getBytes(UTF_8), new byte[] {1}))
                .isInstanceOf(RuntimeException.class);
    }

    private static void check(String key, int numbers) {
        MinuteCounts.check(
                key.getBytes(UTF_8), ByteBuffer.allocate(Long.BYTES * numbers).array());
    }
}
