package dev.parley.topology.views.store;

import dev.parley.topology.kafka.SliceScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Visits all entries of a store with a key prefix in slices, repeatedly. It finds expired entries without an index by
 * time, and keeps the pauses between records short.
 */
public final class StoreSweeper {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Between two visits of all entries: Kafka Streams commits after each punctuation. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private static final int SLICE_ENTRIES = 500;

    /** Maximum bytes that one slice reads; a single larger entry is allowed. */
    private static final long SLICE_BYTES = 4L << 20;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Bytes first;
    private final Bytes end;
    private Bytes next;

    public StoreSweeper(KeyValueStore<Bytes, byte[]> store, Bytes prefix) {
        this.store = store;
        this.first = prefix;
        this.end = ViewKeys.after(prefix);
        this.next = prefix;
    }

    /**
     * Schedules a slice every second until all entries have been visited, and again after a pause.
     *
     * @param slice receives the time for retention, in milliseconds since the epoch: the stream time, at most the
     *     present, because a future timestamp must not expire recent entries. Returns whether all entries have been
     *     visited
     */
    public static void schedule(ProcessorContext<?, ?> context, LongPredicate slice) {
        LongPredicate more = time -> !slice.test(Math.min(time, context.currentStreamTimeMs()));
        SliceScheduler slices = new SliceScheduler(context, INTERVAL, more);
        slices.start();
        context.schedule(PAUSE, PunctuationType.WALL_CLOCK_TIME, time -> {
            if (!slices.isRunning() && more.test(time)) {
                slices.start();
            }
        });
    }

    /**
     * Visits one slice.
     *
     * @param visitor may change the store; returns whether it has finished the entry, else the next slice starts with
     *     it
     * @return whether all entries have been visited, so that the next slice starts over
     */
    public boolean slice(BiPredicate<Bytes, byte[]> visitor) {
        List<KeyValue<Bytes, byte[]>> slice = new ArrayList<>();
        boolean last = read(store, next, end, new Budget(SLICE_ENTRIES), slice::add);
        for (KeyValue<Bytes, byte[]> entry : slice) {
            next = entry.key;
            if (!visitor.test(entry.key, entry.value)) {
                return false;
            }
        }
        next = last ? first : ViewKeys.next(next);
        return last;
    }

    /** Whether a store has a key with a prefix. */
    public static boolean hasAny(KeyValueStore<Bytes, byte[]> store, Bytes prefix) {
        try (KeyValueIterator<Bytes, byte[]> found = store.range(prefix, ViewKeys.after(prefix))) {
            return found.hasNext() && ViewKeys.startsWith(found.peekNextKey(), prefix);
        }
    }

    /** Reads entries within a budget, and returns whether these were all. The visitor must not change the store. */
    public static boolean read(
            KeyValueStore<Bytes, byte[]> store,
            Bytes from,
            Bytes to,
            Budget budget,
            Consumer<KeyValue<Bytes, byte[]>> visitor) {
        try (KeyValueIterator<Bytes, byte[]> found = store.range(from, to)) {
            while (found.hasNext()) {
                if (budget.entries == 0 || budget.bytes <= 0) {
                    return false;
                }
                KeyValue<Bytes, byte[]> entry = found.next();
                visitor.accept(entry);
                budget.entries--;
                budget.bytes -= entry.value.length;
            }
        }
        return true;
    }

    /** The remaining budget of a slice. */
    public static final class Budget {
        private int entries;
        private long bytes = SLICE_BYTES;

        public Budget(int entries) {
            this.entries = entries;
        }
    }
}
