package dev.parley.codec.csp;

import dev.parley.codec.EightBytes;
import java.util.Arrays;

/**
 * Looks at bytes without making strings of them, up to eight at once in a long whose lowest byte comes first. A word of CSP/1 has at most
 * eight letters, so that one comparison of such longs tells whether it is there.
 */
final class CspBytes {
    private CspBytes() {}

    /** A number that stands for an ASCII word of up to eight letters and for no other; 0 for all others. */
    static long packed(String word) {
        byte[] bytes = new byte[word.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = word.charAt(i) < 0x80 ? (byte) word.charAt(i) : 0;
        }
        return packed(bytes, 0, bytes.length);
    }

    /** A piece of bytes as {@link #packed(String)} gives it. */
    static long packed(byte[] bytes, int from, int to) {
        if (to - from > Long.BYTES) {
            return 0;
        }
        long packed = 0;
        for (int i = to - 1; i >= from; i--) {
            if (bytes[i] <= ' ') {
                return 0;
            }
            packed = packed << Byte.SIZE | bytes[i];
        }
        return packed;
    }

    /** The first letters of the word that starts at an index, eight at most, as {@link #packed(String)} gives them. */
    static long firstLetters(byte[] bytes, int at) {
        long eight = eight(bytes, at);
        long others = notPlain(eight, '!');
        // Keeps what stands before the first of the others.
        return others == 0 ? eight : eight & ((Long.lowestOneBit(others) >>> (Byte.SIZE - 1)) - 1);
    }

    /** Number of letters in a packed word. */
    static int length(long packed) {
        return Long.BYTES - Long.numberOfLeadingZeros(packed) / Byte.SIZE;
    }

    /** Index of the first byte, at or after the given one, that is no printable ASCII character; the length if there is none. */
    static int skipPlain(byte[] bytes, int from) {
        int at = from;
        for (; at <= bytes.length - EightBytes.COUNT; at += EightBytes.COUNT) {
            long others = notPlain(EightBytes.at(bytes, at), ' ');
            if (others != 0) {
                return at + EightBytes.first(others);
            }
        }
        while (at < bytes.length && bytes[at] >= ' ') {
            at++;
        }
        return at;
    }

    /** Whether a piece of bytes is the word. */
    static boolean stands(byte[] word, byte[] bytes, int from, int to) {
        return to - from == word.length && Arrays.equals(bytes, from, to, word, 0, word.length);
    }

    /** A blank of CSP/1; a carriage return that ends no line reads as one. */
    static boolean isBlank(int b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    /** Whether a key may go on with the character; it starts with a letter. */
    static boolean isKeyByte(int b) {
        return (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }

    /** The eight bytes from an index on, with zeros beyond the end. */
    private static long eight(byte[] bytes, int at) {
        if (at <= bytes.length - EightBytes.COUNT) {
            return EightBytes.at(bytes, at);
        }
        long eight = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            eight = eight << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return eight;
    }

    /** Marks the bytes that are lower than the given character or beyond ASCII. */
    private static long notPlain(long eight, char lowest) {
        return EightBytes.below(eight, lowest) | EightBytes.beyondAscii(eight);
    }
}
