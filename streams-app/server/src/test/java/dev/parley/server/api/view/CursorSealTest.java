package dev.parley.server.api.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.topology.views.read.InvalidCursorException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class CursorSealTest {
    private static final byte[] CURRENT = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    private static final byte[] PREVIOUS = "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.UTF_8);

    private final CursorSeal seal = CursorSeal.of(List.of(CURRENT));

    private static Bytes key(int length) {
        return Bytes.wrap("n".repeat(length).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCursorIsOpenedByEveryInstanceAlsoDuringARotation() {
        for (int length : new int[] {0, 1, 59, 60, 61, 5_000}) {
            String cursor = seal.close(key(length));

            assertThat(seal.open(cursor)).isEqualTo(key(length));
            assertThat(CursorSeal.of(List.of(PREVIOUS, CURRENT)).open(cursor)).isEqualTo(key(length));
        }
    }

    @Test
    void aCursorTellsNeitherTheKeyNorItsExactLength() {
        assertThat(seal.close(key(1))).isNotEqualTo(seal.close(key(1))).hasSameSizeAs(seal.close(key(60)));
    }

    @Test
    void otherCursorsAreInvalid() {
        String cursor = seal.close(key(20));
        String changed = (cursor.charAt(0) == 'A' ? 'B' : 'A') + cursor.substring(1);
        for (String wrong : List.of(
                "",
                "AAAA",
                "no base64!",
                changed,
                cursor.substring(4),
                CursorSeal.of(List.of(PREVIOUS)).close(key(20)),
                CursorSeal.of(List.of()).close(key(20)))) {
            assertThatThrownBy(() -> seal.open(wrong)).isInstanceOf(InvalidCursorException.class);
        }
    }
}
