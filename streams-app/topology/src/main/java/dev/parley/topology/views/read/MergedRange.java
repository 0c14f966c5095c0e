package dev.parley.topology.views.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Iterates over key ranges of several partitions of a store as one list, in the order of its keys. */
public final class MergedRange implements AutoCloseable {
    /** Maximum entries that one page examines, so that a selective filter does not read the whole store. */
    public static final int MAX_EXAMINED_KEYS = 10_000;

    /** Maximum bytes that one page examines, unless the first entry alone is larger. */
    public static final long MAX_EXAMINED_BYTES = 16L << 20;

    private final List<KeyValueIterator<Bytes, byte[]>> opened = new ArrayList<>();
    private final PriorityQueue<Position> next = new PriorityQueue<>(Comparator.comparing(Position::key));

    /**
     * An entry of the list.
     *
     * @param key key in the list
     * @param value value in the store
     * @param partition partition that has it
     */
    public record Entry(Bytes key, byte[] value, ReadOnlyKeyValueStore<Bytes, byte[]> partition) {}

    /** A range in one partition. */
    private record Part(
            ReadOnlyKeyValueStore<Bytes, byte[]> partition,
            Bytes from,
            Bytes end,
            boolean reversed,
            UnaryOperator<Bytes> keyInList) {

        KeyValueIterator<Bytes, byte[]> open() {
            return reversed ? partition.reverseRange(from, end) : partition.range(from, end);
        }
    }

    /**
     * The next entry of a part.
     *
     * @param key key in the list; of a part that is not open, the first that it may have
     * @param rest entries of the part from this one on; null if it is not open
     */
    private record Position(Bytes key, Part part, KeyValueIterator<Bytes, byte[]> rest) {}

    /**
     * Adds a range of each partition, which is opened when the list reaches it.
     *
     * @param from first key
     * @param end key before which the range ends; null for no bound
     * @param keyInList makes the key in the list of a key in the store, in the same order
     */
    public void add(
            List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
            Bytes from,
            Bytes end,
            UnaryOperator<Bytes> keyInList) {
        if (end != null && from.compareTo(end) >= 0) {
            return;
        }
        for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
            next.add(new Position(keyInList.apply(from), new Part(partition, from, end, false, keyInList), null));
        }
    }

    /**
     * Adds a range of each partition, which is read backwards.
     *
     * @param from last key
     * @param end key before which the range begins
     * @param keyInList makes the key in the list of a key in the store, in the opposite order
     */
    public void addReversed(
            List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
            Bytes from,
            Bytes end,
            UnaryOperator<Bytes> keyInList) {
        if (from.compareTo(end) >= 0) {
            return;
        }
        for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
            next.add(new Position(keyInList.apply(end), new Part(partition, from, end, true, keyInList), null));
        }
    }

    public boolean hasNext() {
        while (!next.isEmpty() && next.peek().rest() == null) {
            Part part = next.remove().part();
            KeyValueIterator<Bytes, byte[]> rest = part.open();
            opened.add(rest);
            if (part.reversed() && rest.hasNext() && rest.peekNextKey().equals(part.end())) {
                rest.next();
            }
            enqueue(part, rest);
        }
        return !next.isEmpty();
    }

    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Position first = next.remove();
        byte[] value = first.rest().next().value;
        enqueue(first.part(), first.rest());
        return new Entry(first.key(), value, first.part().partition());
    }

    private void enqueue(Part part, KeyValueIterator<Bytes, byte[]> rest) {
        // The end of a range of a store is inclusive.
        if (rest.hasNext() && (part.end() == null || rest.peekNextKey().compareTo(part.end()) < 0)) {
            next.add(new Position(part.keyInList().apply(rest.peekNextKey()), part, rest));
        }
    }

    /**
     * Reads one page. Of the items with one key, which only an insider can write to several partitions, it has one.
     *
     * @param last the last key of the previous page; empty for the first page
     * @param valueOf returns the value of an entry; null to skip it
     * @param item converts an entry and its value to an item; empty to skip it
     * @param page receives each item with its key; returns false if the item does not fit, which ends the page before
     *     it. It must accept the first item
     * @return the last key that was examined; empty if this is the last page
     */
    public <T> Optional<Bytes> page(
            Optional<Bytes> last,
            int limit,
            Function<Entry, byte[]> valueOf,
            BiFunction<Entry, byte[], Optional<T>> item,
            BiPredicate<Bytes, ? super T> page) {
        int taken = 0;
        long bytes = 0;
        Bytes seen = last.orElse(null);
        Bytes listed = null;
        for (int examined = 0; hasNext(); examined++) {
            if (taken == limit || examined == MAX_EXAMINED_KEYS || bytes >= MAX_EXAMINED_BYTES) {
                return Optional.of(seen);
            }
            Entry entry = next();
            byte[] value = valueOf.apply(entry);
            Optional<T> converted =
                    value == null || entry.key().equals(listed) ? Optional.empty() : item.apply(entry, value);
            if (converted.isPresent()) {
                if (!page.test(entry.key(), converted.get())) {
                    return Optional.of(seen);
                }
                taken++;
                listed = entry.key();
            }
            seen = entry.key();
            bytes += seen.get().length + (value == null ? 0 : value.length);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        opened.forEach(KeyValueIterator::close);
    }
}
