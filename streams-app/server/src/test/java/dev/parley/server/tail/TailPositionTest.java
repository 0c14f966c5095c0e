package dev.parley.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TailPositionTest {

    private static final String TOPIC = new Uuid(1, 2).toString();

    private static Stream<String> hostile() {
        String valid = new TailPosition(new Uuid(1, 2), List.of(5L, 300L)).text();
        return Stream.of(
                "",
                "0",
                "null",
                "../../etc/passwd",
                "x".repeat(1 << 20),
                valid + "A",
                valid + "=",
                valid.substring(1),
                TOPIC,
                TOPIC + ".",
                TOPIC + "..5",
                TOPIC + "=.5",
                TOPIC.substring(2) + ".5",
                TOPIC + ".5".repeat(TailPosition.MAX_PARTITIONS + 1),
                // Negative, not the shortest form, other digits, and more than 63 bits.
                TOPIC + ".-5",
                TOPIC + ".+5",
                TOPIC + ".05",
                TOPIC + ".A",
                TOPIC + ".\u0665",
                TOPIC + ".zzzzzzzzzzzzz",
                "\u00e9".repeat(30));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void anythingButTheTextOfAPositionIsRejected(String text) {
        assertThat(TailPosition.parse(text)).isEmpty();
    }

    @Test
    void positionSurvivesItsText() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            List<Long> offsets = random.longs(1 + random.nextInt(50), 0, 1L << (1 + random.nextInt(62)))
                    .boxed()
                    .toList();
            TailPosition position = new TailPosition(new Uuid(random.nextLong(), random.nextLong()), offsets);
            assertThat(TailPosition.parse(position.text()))
                    .as(offsets.toString())
                    .contains(position);
        }
    }

    @Test
    void textOfAThousandPartitionsFitsIntoAHeader() {
        List<Long> offsets = Collections.nCopies(TailPosition.MAX_PARTITIONS, 1L << 40);

        TailPosition position = new TailPosition(new Uuid(-1, -1), offsets);

        assertThat(position.text()).hasSizeLessThan(16 << 10);
        assertThat(TailPosition.parse(position.text())).contains(position);
    }
}
