package dev.parley.server.health;

/**
 * Counts the unread records of one partition that are older than the interval in which applications commit. All later
 * ones may be read already. Not thread-safe.
 */
final class Backlog {
    /** Longest commit interval of the applications, which is the default of Kafka Streams. */
    private static final long MIN_AGE_MS = 30_000;

    private long olderEnd = -1;
    private long newerEnd;
    private long newerMs;

    /**
     * Adds an observation. What the first one finds counts as old.
     *
     * @param unread offset of the first record that may be unread
     * @param end offset after the last record
     * @param nowMs a monotonic clock, in milliseconds
     * @return the number of offsets of old records that may be unread
     */
    long observe(long unread, long end, long nowMs) {
        if (olderEnd < 0) {
            olderEnd = end;
            newerEnd = end;
            newerMs = nowMs;
        } else if (nowMs - newerMs >= MIN_AGE_MS) {
            olderEnd = newerEnd;
            newerEnd = end;
            newerMs = nowMs;
        }
        return Math.max(0, olderEnd - unread);
    }
}
