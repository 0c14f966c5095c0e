package dev.parley.tap;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** A bounded copy of bytes that pass. Beyond a bound it is dropped, and only counts. Not thread-safe. */
final class Copy {
    private static final int MIN_BYTES = 1 << 10;

    private final int maxBytes;
    private final AtomicLong budget;
    private byte[] bytes = new byte[0];
    private int length;
    private long total;
    private boolean dropped;

    /**
     * Creates an empty copy.
     *
     * @param budget bytes left for all copies
     */
    Copy(int maxBytes, AtomicLong budget) {
        this.maxBytes = maxBytes;
        this.budget = budget;
    }

    void add(byte[] source, int from, int count) {
        total += count;
        if (dropped || !reserve(length + (long) count)) {
            dropped = true;
            free();
            return;
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    private boolean reserve(long size) {
        if (size > maxBytes) {
            return false;
        }
        if (size > bytes.length) {
            int capacity = (int) Math.min(maxBytes, Math.max(Math.max(size, MIN_BYTES), 2L * bytes.length));
            if (budget.addAndGet(bytes.length - capacity) < 0) {
                budget.addAndGet(capacity - bytes.length);
                return false;
            }
            bytes = Arrays.copyOf(bytes, capacity);
        }
        return true;
    }

    /** Number of bytes that passed. */
    long total() {
        return total;
    }

    /** Whether the bytes were more than a bound. */
    boolean isDropped() {
        return dropped;
    }

    /** The copy from a position on. */
    byte[] from(int start) {
        return Arrays.copyOfRange(bytes, start, length);
    }

    /** Adds the copy from a position on to another one. */
    void addTo(Copy other, int start) {
        other.add(bytes, start, length - start);
    }

    /** The byte at a position; -1 after the end. */
    byte at(int index) {
        return index < length ? bytes[index] : -1;
    }

    /** Starts again, with little memory. */
    void clear() {
        if (bytes.length > MIN_BYTES) {
            free();
        }
        length = 0;
        total = 0;
        dropped = false;
    }

    /** Returns the memory. */
    void free() {
        budget.addAndGet(bytes.length);
        bytes = new byte[0];
        length = 0;
    }
}
