package dev.parley.diagnosis;

/** Bounds the bytes that one search reads, so that its time is linear. Not thread-safe. */
final class InnerWork {
    private static final int MIN = 4_096;

    private final long limit;
    private long read;

    /** Work bounded by a number of reads of each byte of a value. */
    InnerWork(int perByte, int length) {
        this.limit = MIN + (long) perByte * length;
    }

    void spend(long bytes) {
        read += bytes;
    }

    boolean isSpent() {
        return read > limit;
    }

    /** Number of bytes that were read. */
    long read() {
        return read;
    }
}
