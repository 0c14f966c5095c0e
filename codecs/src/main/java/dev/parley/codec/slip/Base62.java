package dev.parley.codec.slip;

import java.util.Arrays;

/** Non-negative numbers in base62, digits 0-9A-Za-z (SLIP v0.1 §3). */
final class Base62 {

    /** Result of {@link #parse} when a byte is no digit. */
    static final long NO_DIGIT = -1;

    /** Result of {@link #parse} when the number is larger than 2^63-1. */
    static final long OVERFLOW = -2;

    /** Digits of the largest number, 2^63-1. */
    static final int MOST_DIGITS = 11;

    /** The base. */
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

    /** Value of a digit, or -1. */
    static int digit(byte digit) {
        return VALUES[digit & 0xFF];
    }

    /**
     * Reads a number.
     *
     * @param wire where it stands
     * @param from index of its first digit
     * @param to index after its last digit, larger than {@code from}
     * @return the number, {@link #NO_DIGIT} or {@link #OVERFLOW}; the former when both apply
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
     * @param out where it goes; has room for {@link #MOST_DIGITS} from there on
     * @param at index of its first digit
     * @return index after its last digit
     */
    static int write(long number, byte[] out, int at) {
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
