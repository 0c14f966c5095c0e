package dev.parley.tap;

import java.time.Instant;

/**
 * Messages of a session that passed and were not recorded. Its text is the value of the header {@value #HEADER}.
 *
 * @param records number of messages; negative if it is unknown
 * @param bytes number of their bytes; negative if it is unknown
 * @param from when the first of them passed, in milliseconds since 1970
 * @param to when the last of them passed
 */
record Loss(long records, long bytes, long from, long to) {
    /** The header that states the loss on the record that marks the gap. */
    static final String HEADER = "parley-loss";

    /** Messages that passed at one time. */
    static Loss at(long time, long records, long bytes) {
        return new Loss(records, bytes, time, time);
    }

    /** A loss of unknown size that ends now. */
    static Loss since(long from) {
        return new Loss(-1, -1, from, System.currentTimeMillis());
    }

    /** What a record that is not delivered adds to the loss of its session. */
    static Loss of(Captured record) {
        if (record.loss() != null) {
            return record.loss();
        }
        boolean isGap = record.headers().containsKey(HEADER);
        return isGap ? since(record.time()) : at(record.time(), 1, record.length());
    }

    Loss plus(Loss other) {
        return new Loss(
                sum(records, other.records),
                sum(bytes, other.bytes),
                Math.min(from, other.from),
                Math.max(to, other.to));
    }

    private static long sum(long one, long other) {
        return one < 0 || other < 0 ? -1 : one + other;
    }

    @Override
    public String toString() {
        return "records=" + text(records) + " bytes=" + text(bytes) + " from=" + Instant.ofEpochMilli(from) + " to="
                + Instant.ofEpochMilli(to);
    }

    private static String text(long number) {
        return number < 0 ? "unknown" : Long.toString(number);
    }
}
