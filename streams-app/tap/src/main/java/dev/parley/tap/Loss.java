package dev.parley.tap;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Messages of a session that passed and were not recorded. Not thread-safe. */
final class Loss {
    /** The header that states the loss on the record that marks the gap. */
    static final String HEADER = "parley-loss";

    private long records;
    private long bytes;
    private long from;
    private long to;

    /** Adds messages that passed at one time. */
    void add(long moreRecords, long moreBytes, long time) {
        from = records == 0 ? time : Math.min(from, time);
        to = Math.max(to, time);
        records += moreRecords;
        bytes += moreBytes;
    }

    void add(Loss other) {
        add(other.records, other.bytes, other.from);
        to = Math.max(to, other.to);
    }

    long records() {
        return records;
    }

    /** The value of the header {@value #HEADER}. */
    @Override
    public String toString() {
        return text(Long.toString(records), Long.toString(bytes), from, to);
    }

    /** The value of the header for a loss of unknown size, in milliseconds since 1970. */
    static String unknown(long from, long to) {
        return text("unknown", "unknown", from, to);
    }

    private static String text(String records, String bytes, long from, long to) {
        return "records=" + records + " bytes=" + bytes + " from=" + Instant.ofEpochMilli(from) + " to="
                + Instant.ofEpochMilli(to);
    }

    /**
     * The record that marks the gap.
     *
     * @param headers headers of all records of the tap
     * @param text value of the header {@value #HEADER}
     * @param loss the loss, if it is one of this process; otherwise null
     */
    static Captured gap(String session, Map<String, String> headers, String text, Loss loss) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        // A gap affects both directions; each record has one.
        all.put("parley-direction", Direction.SERVER_TO_CLIENT.toString());
        all.put("parley-capture", "gap");
        all.put(HEADER, text);
        return new Captured(session, null, all, System.currentTimeMillis(), loss);
    }
}
