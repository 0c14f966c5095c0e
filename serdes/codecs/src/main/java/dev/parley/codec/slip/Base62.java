package dev.parley.codec.slip;

import java.util.Arrays;

/** Non-negative numbers in base62, digits 0-9A-Za-z (SLIP v0.1 §3). */
final class Base62 {

    /** Result of {@link #parse} if a byte is not a digit. */
    static final long NO_DIGIT = -1;

    /** Result of {@link #parse} if the number exceeds 2^63-1. */
    static final long OVERFLOW = -2;

    /** Number of digits of the maximum, 2^63-1. */
    static final int MAX_DIGITS = 11;

    static final int BASE = 62;

    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private static final long LARGEST_PREFIX = Long.MAX_VALUE / BASE;
    private static final byte[] VALUES = new byte[256];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int value = 0; value < BASE; value++) {
            VALUES[DIGITS.charAt(value)] = (byte) value;
        }
    }

    private Base62() {}

    /** Value of a digit; -1 if the byte is not one. */
    static int digit(byte digit) {
        return VALUES[digit & 0xFF];
    }

    /**
     * Parses a number.
     *
     * @param wire the bytes that contain it
     * @param from index of its first digit
     * @param to index after its last digit, larger than {@code from}
     * @return the number, {@link #NO_DIGIT} or {@link #OVERFLOW}; the former if both apply
     */
    static long parse(byte[] wire, int from, int to) {
        long number = 0;
        boolean overflow = false;
        for (int at = from; at < to; at++) {
            int digit = digit(wire[at]);
            if (digit < 0) {
                return NO_DIGIT;
            }
            overflow |= number > LARGEST_PREFIX;
            number = number * BASE + digit;
            overflow |= number < 0;
        }
        return overflow ? OVERFLOW : number;
    }

    /**
     * Writes a non-negative number without leading zeros.
     *
     * @param out destination with room for {@link #MAX_DIGITS} bytes from the index on
     * @param at index of its first digit
     * @return index after its last digit
     */
    static int write(long number, byte[] out, int at) {
        if (number < BASE) {
            // Most numbers have one digit, which needs no division.
            out[at] = (byte) DIGITS.charAt((int) number);
            return at + 1;
        }
        int end = at + 1;
        for (long rest = number / BASE; rest > 0; rest /= BASE) {
            end++;
        }
        long rest = number;
        for (int digit = end - 1; digit >= at; digit--) {
            out[digit] = (byte) DIGITS.charAt((int) (rest % BASE));
            rest /= BASE;
        }
        return end;
    }
}
