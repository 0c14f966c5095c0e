package dev.parley.server.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TailPositionTest {

    private static String encoded(int version, int partitions, int... offsetBytes) {
        ByteBuffer bytes = ByteBuffer.allocate(19 + offsetBytes.length)
                .put((byte) version)
                .putLong(1)
                .putLong(2)
                .putShort((short) partitions);
        for (int each : offsetBytes) {
            bytes.put((byte) each);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static Stream<String> hostile() {
        String valid = new TailPosition(new Uuid(1, 2), new long[] {5, 300}).text();
        return Stream.of(
                "",
                "0",
                "null",
                "../../etc/passwd",
                "x".repeat(1 << 20),
                valid + "A",
                valid + "=",
                valid.substring(1),
                encoded(2, 1, 5),
                encoded(1, 0),
                encoded(1, -1),
                encoded(1, 32_767),
                encoded(1, 2, 6),
                encoded(1, 1, 6, 6),
                // Negative, not the shortest form, and more than 63 bits.
                encoded(1, 1, 5),
                encoded(1, 1, 0x86, 0),
                encoded(1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F),
                "é".repeat(30));
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
            long[] offsets = random.longs(1 + random.nextInt(50), 0, 1L << (1 + random.nextInt(62)))
                    .toArray();
            TailPosition position = new TailPosition(new Uuid(random.nextLong(), random.nextLong()), offsets);
            assertThat(TailPosition.parse(position.text()))
                    .as(Arrays.toString(offsets))
                    .contains(position);
        }
    }

    @Test
    void textOfAThousandPartitionsFitsIntoAHeader() {
        long[] offsets = new long[TailPosition.MAX_PARTITIONS];
        Arrays.fill(offsets, 1L << 40);

        TailPosition position = new TailPosition(new Uuid(-1, -1), offsets);

        assertThat(position.text()).hasSizeLessThan(16 << 10);
        assertThat(TailPosition.parse(position.text())).contains(position);
    }
}
