package dev.parley.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests that the buffer grows at each of its methods, wherever its array ends. */
class HashBufferTest {
    private static final int INITIAL = 512;

    /** A buffer with that many octets of one. */
    private static HashBuffer filled(int octets) {
        HashBuffer buffer = new HashBuffer();
        buffer.raw(expected(octets), 0, octets);
        return buffer;
    }

    private static byte[] expected(int octets, int... more) {
        byte[] bytes = new byte[octets + more.length];
        Arrays.fill(bytes, 0, octets, (byte) 1);
        for (int i = 0; i < more.length; i++) {
            bytes[octets + i] = (byte) more[i];
        }
        return bytes;
    }

    @Test
    void everyMethodGrowsAFullOrNearlyFullBuffer() {
        for (int octets = INITIAL - 9; octets <= INITIAL; octets++) {
            HashBuffer buffer = filled(octets);
            ByteBuffer some = ByteBuffer.wrap(new byte[] {7, 8, 9, 10}, 1, 3);
            buffer.bytes(some);
            assertThat(buffer.toBytes()).isEqualTo(expected(octets, 8, 9, 10));
            assertThat(some.remaining()).as("the position stays").isEqualTo(3);

            buffer = filled(octets);
            buffer.integer(0x01020384);
            assertThat(buffer.toBytes()).isEqualTo(expected(octets, 1, 2, 3, 0x84));

            buffer = filled(octets);
            buffer.number(0x0102030405060788L);
            assertThat(buffer.toBytes()).isEqualTo(expected(octets, 1, 2, 3, 4, 5, 6, 7, 0x88));

            buffer = filled(octets);
            buffer.text("λ");
            assertThat(buffer.toBytes()).isEqualTo(expected(octets, 0, 0, 0, 2, 0xce, 0xbb));
        }
    }

    @Test
    void aPartLargerThanTwiceTheBufferIsAppendedWhole() {
        HashBuffer buffer = filled(3);
        buffer.bytes(ByteBuffer.wrap(expected(5_000)));
        assertThat(buffer.toBytes()).isEqualTo(expected(5_003));
    }

    @Test
    void aClearedBufferHashesOnlyWhatFollows() throws Exception {
        HashBuffer buffer = filled(600);
        buffer.clear();
        buffer.raw(new byte[] {5}, 0, 1);
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        assertThat(buffer.toBytes()).isEqualTo(new byte[] {5});
        assertThat(buffer.digest(sha256)).isEqualTo(ByteBuffer.wrap(JournalTrail.sha256(new byte[] {5})));
    }
}
