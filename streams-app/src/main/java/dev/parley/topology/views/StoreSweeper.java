package dev.parley.topology.views;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Looks at all entries of a store whose keys begin with a prefix, a slice at a time, over and over. So what has become
 * old is found without an index by time, and the thread that does it is never away from its records for long.
 */
final class StoreSweeper {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final int SLICE = 500;

    /** Maximum bytes that one slice reads, except that one entry may be larger. */
    private static final long SLICE_BYTES = 4L << 20;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Bytes first;
    private final Bytes end;
    private Bytes next;

    StoreSweeper(KeyValueStore<Bytes, byte[]> store, Bytes prefix) {
        this.store = store;
        this.first = prefix;
        this.end = ViewKeys.after(prefix);
        this.next = prefix;
    }

    /**
     * Lets a slice be done every second.
     *
     * @param slice takes the time by which what it finds is old or not, in milliseconds since the epoch: that of the
     *     latest record, but not after the present: a future timestamp must not expire recent entries. While a view is
     *     rebuilt, it is the time of what the view has read
     */
    static void schedule(ProcessorContext<?, ?> context, LongConsumer slice) {
        context.schedule(
                EVERY,
                PunctuationType.WALL_CLOCK_TIME,
                time -> slice.accept(Math.min(time, context.currentStreamTimeMs())));
    }

    /**
     * Does one slice.
     *
     * @param visitor may change the store; answers whether it is done with the entry, else the slice ends and the next
     *     one begins with it
     */
    void slice(BiPredicate<Bytes, byte[]> visitor) {
        List<KeyValue<Bytes, byte[]>> slice = new ArrayList<>();
        boolean last = read(store, next, end, new Budget(SLICE), slice::add);
        for (KeyValue<Bytes, byte[]> entry : slice) {
            next = entry.key;
            if (!visitor.test(entry.key, entry.value)) {
                return;
            }
        }
        next = last ? first : ViewKeys.next(next);
    }

    /**
     * Reads entries while a budget lasts, and returns whether these were all. The visitor must not change the store,
     * and keep no values beyond the budget.
     */
    static boolean read(
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

    /** What one slice may still read. */
    static final class Budget {
        private int entries;
        private long bytes = SLICE_BYTES;

        Budget(int entries) {
            this.entries = entries;
        }
    }
}
