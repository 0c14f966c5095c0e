package dev.parley.tap;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A bounded copy of bytes that pass. Beyond a bound it is dropped, and only counts. Not for several threads. */
final class Copy extends ByteArrayOutputStream {
    private static final int KEPT_BYTES = 1 << 10;

    private final int maxBytes;
    private final AtomicLong budget;
    private long total;
    private boolean isDropped;

    /**
     * Creates an empty copy.
     *
     * @param budget bytes left for all copies; their arrays have at most twice as many
     */
    Copy(int maxBytes, AtomicLong budget) {
        super(0);
        this.maxBytes = maxBytes;
        this.budget = budget;
    }

    void add(byte[] source, int from, int length) {
        total += length;
        isDropped = isDropped || !reserve(length);
        if (isDropped) {
            free();
        } else {
            write(source, from, length);
        }
    }

    private boolean reserve(int length) {
        if (length > maxBytes - count) {
            return false;
        }
        boolean isEnough = budget.addAndGet(-length) >= 0;
        budget.addAndGet(isEnough ? 0 : length);
        return isEnough;
    }

    /** Number of bytes that passed. */
    long total() {
        return total;
    }

    /** Whether the bytes were more than a bound. */
    boolean isDropped() {
        return isDropped;
    }

    /** The copy from a position on. */
    byte[] from(int start) {
        return Arrays.copyOfRange(buf, start, count);
    }

    /** Adds the copy from a position on to another one. */
    void addTo(Copy other, int start) {
        other.add(buf, start, count - start);
    }

    /** The byte at a position; -1 after the end. */
    byte at(int index) {
        return index < count ? buf[index] : -1;
    }

    /** Starts again, with little memory. */
    void clear() {
        byte[] kept = buf.length > KEPT_BYTES ? new byte[0] : buf;
        free();
        buf = kept;
        total = 0;
        isDropped = false;
    }

    /** Returns the memory. */
    void free() {
        budget.addAndGet(count);
        buf = new byte[0];
        count = 0;
    }
}
