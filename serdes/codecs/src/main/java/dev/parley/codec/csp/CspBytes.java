package dev.parley.codec.csp;

import dev.parley.codec.SwarBytes;
import java.util.Arrays;

/**
 * Compares words without creating strings. Up to eight bytes fit into one long, whose lowest byte is the first. A word
 * of CSP/1 has at most eight letters, so one comparison of two longs is enough.
 */
final class CspBytes {
    private CspBytes() {}

    /** The packed form of an ASCII word of one to eight letters; 0 for any other string. */
    static long packed(String word) {
        byte[] bytes = new byte[word.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = word.charAt(i) < 0x80 ? (byte) word.charAt(i) : 0;
        }
        return packed(bytes, 0, bytes.length);
    }

    /** The packed form of a range of bytes, as in {@link #packed(String)}. */
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

    /** The packed form of the letters at an index, at most eight. */
    static long firstLetters(byte[] bytes, int at) {
        long eight = eight(bytes, at);
        long others = notPlain(eight, '!');
        // Keeps the letters before the first other byte.
        return others == 0 ? eight : eight & ((Long.lowestOneBit(others) >>> (Byte.SIZE - 1)) - 1);
    }

    static int length(long packed) {
        return Long.BYTES - Long.numberOfLeadingZeros(packed) / Byte.SIZE;
    }

    /** Index of the first byte at or after the given one that is not printable ASCII; the length if there is none. */
    static int skipPlain(byte[] bytes, int from) {
        int at = from;
        for (; at <= bytes.length - SwarBytes.COUNT; at += SwarBytes.COUNT) {
            long others = notPlain(SwarBytes.at(bytes, at), ' ');
            if (others != 0) {
                return at + SwarBytes.first(others);
            }
        }
        while (at < bytes.length && bytes[at] >= ' ' && bytes[at] != SwarBytes.DELETE) {
            at++;
        }
        return at;
    }

    /** Whether a range of bytes equals the word. */
    static boolean stands(byte[] word, byte[] bytes, int from, int to) {
        return to - from == word.length && Arrays.equals(bytes, from, to, word, 0, word.length);
    }

    /** The eight bytes at an index, with zeros beyond the end. */
    private static long eight(byte[] bytes, int at) {
        if (at <= bytes.length - SwarBytes.COUNT) {
            return SwarBytes.at(bytes, at);
        }
        long eight = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            eight = eight << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return eight;
    }

    /** Marks the bytes below the given character, DEL, and those above ASCII. */
    private static long notPlain(long eight, char lowest) {
        return SwarBytes.below(eight, lowest) | SwarBytes.beyondPrintable(eight);
    }
}
