package dev.parley.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Looks at eight bytes at once, in one long whose lowest byte is the first. A question is answered by marks: the high bit of each byte that the
 * answer is yes for. Subtraction borrows from the bytes behind, so behind the first mark there may be wrong ones; the first is always right.
 */
public final class EightBytes {

    /** How many bytes are looked at. */
    public static final int COUNT = Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private EightBytes() {}

    /**
     * The eight bytes from an index on.
     *
     * @throws IndexOutOfBoundsException when fewer than eight stand there
     */
    public static long at(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }

    /** Marks the bytes that are an ASCII character. */
    public static long equal(long eight, char ascii) {
        return below(eight ^ ONES * ascii, 1);
    }

    /** Marks the bytes that are smaller than a limit, which is at most 0x80. */
    public static long below(long eight, int limit) {
        return (eight - ONES * limit) & ~eight & HIGH_BITS;
    }

    /** Marks the bytes that are no ASCII characters; all marks are right. */
    public static long beyondAscii(long eight) {
        return eight & HIGH_BITS;
    }

    /** Which byte, from 0 to 7, has the first mark; 8 when none has. */
    public static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
    }
}
