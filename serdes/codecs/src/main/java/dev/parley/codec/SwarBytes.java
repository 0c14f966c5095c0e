package dev.parley.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Tests eight bytes at once in one long, whose lowest byte is the first. A test marks the high bit of each matching
 * byte. Subtraction borrows from later bytes, so only the first mark is reliable.
 */
public final class SwarBytes {

    /** The control character DEL, the last one of ASCII. */
    public static final char DELETE = 0x7F;

    /** Number of bytes per test. */
    public static final int COUNT = Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private SwarBytes() {}

    /**
     * Loads the eight bytes at an index.
     *
     * @throws IndexOutOfBoundsException if fewer than eight bytes are there
     */
    public static long at(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }

    /** Marks the bytes that equal an ASCII character. */
    public static long equal(long eight, char ascii) {
        return below(eight ^ ONES * ascii, 1);
    }

    /** Marks the bytes below a limit of at most 0x80. */
    public static long below(long eight, int limit) {
        return (eight - ONES * limit) & ~eight & HIGH_BITS;
    }

    /** Marks the bytes that are not ASCII. All marks are reliable. */
    public static long beyondAscii(long eight) {
        return eight & HIGH_BITS;
    }

    /** Marks DEL, and the bytes that are not ASCII. */
    public static long beyondPrintable(long eight) {
        return (eight | eight + ONES) & HIGH_BITS;
    }

    /** Index of the first marked byte, from 0 to 7; 8 if there is none. */
    public static int first(long marks) {
        return Long.numberOfTrailingZeros(marks) / Byte.SIZE;
    }
}
