package dev.parley.fuzz;

import java.util.Arrays;

/**
 * Reads choices and pieces from the start of a fuzzer's bytes. After their end, every choice is 0 and every piece
 * empty.
 */
final class Input {
    private final byte[] bytes;
    private int at;

    Input(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return at >= bytes.length;
    }

    /** The next byte, 0 to 255. */
    int next() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /** Two bytes, 0 to 65535. */
    int nextPair() {
        return next() << 8 | next();
    }

    /** That many bytes, or all remaining ones. */
    byte[] piece(int length) {
        int to = Math.min(bytes.length, at + length);
        byte[] piece = Arrays.copyOfRange(bytes, at, to);
        at = to;
        return piece;
    }

    /** All remaining bytes. */
    byte[] rest() {
        return piece(bytes.length - at);
    }
}
