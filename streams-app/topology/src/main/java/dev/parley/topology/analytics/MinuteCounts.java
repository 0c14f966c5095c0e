package dev.parley.topology.analytics;

import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.topics.Statistic;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts by minute and dimensions, in a store of one task. A minute has a maximum number of keys for each statistic;
 * what exceeds it is added to {@link Dimensions#other}. Kafka Streams' windows are unsuitable: their store
 * expires by stream time, so it would drop the last minute before a pause longer than its retention. Not thread-safe.
 */
final class MinuteCounts {
    /** Maximum length of a key of its own, in characters. */
    static final int MAX_KEY_LENGTH = 1_024;

    /** Key of the time up to which minutes were closed without later records; sorts before all counts. */
    private static final String CLOSED = "!closed";

    /** Prefix of the key of late counts. They sort after the other counts of their minute. */
    private static final String LATE = "~late|";

    static final long WINDOW_MS = TrafficTopology.WINDOW.toMillis();
    private static final int MINUTE_DIGITS = 13;

    private final KeyValueStore<String, long[]> store;
    private final int maxKeys;

    /** Number of keys by minute, then by ordinal of their statistic; null until the store is read. */
    private TreeMap<Long, int[]> keys;

    private long closed;

    /**
     * Counts in a store.
     *
     * @param store read at the first use, because it may be restored after the processor is initialized
     * @param maxKeys maximum number of keys of one statistic in a minute
     */
    MinuteCounts(KeyValueStore<String, long[]> store, int maxKeys) {
        this.store = store;
        this.maxKeys = maxKeys;
    }

    /**
     * Counts of one minute.
     *
     * @param start start of the minute, in milliseconds since the epoch
     * @param isLate whether they belong to earlier minutes
     * @param dimensions key of their dimensions
     */
    record Entry(long start, boolean isLate, String dimensions, long[] counts) {

        /** Returns the key of the row: that of the dimensions, with a prefix if the counts are late. */
        String rowKey() {
            return isLate ? LATE + dimensions : dimensions;
        }

        SpecificRecord row() {
            return Dimensions.parse(dimensions).row(Instant.ofEpochMilli(start), counts, isLate);
        }
    }

    /** Returns the start of the minute of a time. */
    static long minute(long time) {
        return time - time % WINDOW_MS;
    }

    /**
     * Checks an entry of the store.
     *
     * @throws RuntimeException if it is not one that a task writes
     */
    static void check(byte[] storeKey, byte[] value) {
        String key = new String(storeKey, StandardCharsets.UTF_8);
        long[] counts = CountsSerde.COUNTS.deserializer().deserialize(null, value);
        int numbers = 1;
        if (!key.equals(CLOSED)) {
            Dimensions dimensions = Dimensions.parse(entry(key, counts).dimensions());
            numbers = dimensions.toKey().equals(entry(key, counts).dimensions())
                    ? dimensions.statistic().measures().size()
                    : 0;
        }
        if (counts.length != numbers) {
            throw new UnreadableRecordException("The entry is not a count");
        }
    }

    /** Adds counts to those of a minute. */
    void add(long start, boolean isLate, String dimensions, long[] counts) {
        load();
        Statistic statistic = Dimensions.statisticOf(dimensions);
        String key = key(start, isLate, dimensions);
        long[] counted = store.get(key);
        if (counted == null && !admits(start, statistic, dimensions)) {
            key = key(start, isLate, Dimensions.parse(dimensions).other().toKey());
            counted = store.get(key);
        }
        if (counted == null) {
            keysOf(start)[statistic.ordinal()]++;
        }
        store.put(key, counted == null ? counts : Dimensions.merge(statistic, counted, counts));
    }

    private boolean admits(long start, Statistic statistic, String dimensions) {
        return dimensions.length() <= MAX_KEY_LENGTH && keysOf(start)[statistic.ordinal()] < maxKeys;
    }

    /** Returns the start of the oldest minute with counts; {@link Long#MAX_VALUE} if there are none. */
    long oldest() {
        load();
        return keys.isEmpty() ? Long.MAX_VALUE : keys.firstKey();
    }

    /** Returns the start of the newest minute with counts; {@link Long#MIN_VALUE} if there are none. */
    long newest() {
        load();
        return keys.isEmpty() ? Long.MIN_VALUE : keys.lastKey();
    }

    /** Returns the time of the last {@link #close}; 0 before. */
    long closed() {
        load();
        return closed;
    }

    /** Notes that the minutes that are over at a time are closed, although no record has shown that it has passed. */
    void close(long time) {
        closed = time;
        store.put(CLOSED, new long[] {time});
    }

    /** Removes counts of the minutes up to one, the oldest first. */
    List<Entry> remove(long lastStart, int limit) {
        long oldest = oldest();
        if (oldest > lastStart) {
            return List.of();
        }
        List<KeyValue<String, long[]>> removed = new ArrayList<>();
        // From the oldest key on, because RocksDB reads over the deletions before it.
        try (KeyValueIterator<String, long[]> stored = store.range(key(oldest, false, ""), null)) {
            while (removed.size() < limit && stored.hasNext()) {
                KeyValue<String, long[]> next = stored.next();
                if (start(next.key) > lastStart) {
                    break;
                }
                removed.add(next);
            }
        }
        List<Entry> entries = new ArrayList<>(removed.size());
        for (KeyValue<String, long[]> count : removed) {
            store.delete(count.key);
            Entry entry = entry(count.key, count.value);
            removeKey(entry.start(), Dimensions.statisticOf(entry.dimensions()));
            entries.add(entry);
        }
        return entries;
    }

    /** Counts the keys in the store, once. They are few: at most the maximum for each statistic and open minute. */
    private void load() {
        if (keys == null) {
            keys = new TreeMap<>();
            long[] time = store.get(CLOSED);
            closed = time == null ? 0 : time[0];
            try (KeyValueIterator<String, long[]> stored = store.range(key(0, false, ""), null)) {
                stored.forEachRemaining(next -> {
                    Entry entry = entry(next.key, next.value);
                    keysOf(entry.start())[
                            Dimensions.statisticOf(entry.dimensions()).ordinal()]++;
                });
            }
        }
    }

    private int[] keysOf(long start) {
        return keys.computeIfAbsent(start, minute -> new int[Statistic.values().length]);
    }

    private void removeKey(long start, Statistic statistic) {
        int[] minute = keysOf(start);
        minute[statistic.ordinal()]--;
        for (int remaining : minute) {
            if (remaining > 0) {
                return;
            }
        }
        keys.remove(start);
    }

    /** Keys sort by minute: thirteen digits suffice until the year 2286. */
    private static String key(long start, boolean isLate, String dimensions) {
        String digits = Long.toString(start);
        return "0".repeat(Math.max(0, MINUTE_DIGITS - digits.length())) + digits + (isLate ? LATE : "") + dimensions;
    }

    private static long start(String key) {
        return Long.parseLong(key, 0, MINUTE_DIGITS, 10);
    }

    private static Entry entry(String key, long[] counts) {
        boolean isLate = key.startsWith(LATE, MINUTE_DIGITS);
        return new Entry(start(key), isLate, key.substring(MINUTE_DIGITS + (isLate ? LATE.length() : 0)), counts);
    }
}
