package dev.parley.topology.views.read;

import dev.parley.topology.views.store.ViewKeys;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Lists the keys with one of several prefixes, over some partitions of a store, page by page. A cursor is the last key
 * that was examined, so it stays valid when partitions move between instances.
 *
 * @param prefixes key prefixes, none the prefix of another
 * @param last the last key of the previous page; empty for the first page
 * @param end key with the only prefix before which the scan ends; empty for none
 * @param index whether the values are keys of the entries to list, in the same partition
 */
public record PrefixScan(
        List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions,
        List<Bytes> prefixes,
        Optional<Bytes> last,
        Optional<Bytes> end,
        boolean index) {

    public static PrefixScan of(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes... prefixes) {
        return new PrefixScan(partitions, List.of(prefixes), Optional.empty(), Optional.empty(), false);
    }

    public static PrefixScan of(ReadOnlyKeyValueStore<Bytes, byte[]> partition, Bytes prefix) {
        return of(List.of(partition), prefix);
    }

    /** The same scan, starting after a key. */
    public PrefixScan after(Optional<Bytes> key) {
        if (key.isPresent() && prefixes.stream().noneMatch(prefix -> ViewKeys.startsWith(key.get(), prefix))) {
            throw new InvalidCursorException("it belongs to another query");
        }
        return new PrefixScan(partitions, prefixes, key, end, index);
    }

    /** The same scan, ending before a key. */
    public PrefixScan before(Optional<Bytes> key) {
        return new PrefixScan(partitions, prefixes, last, key, index);
    }

    /** The same scan of the entries whose keys are the values. */
    public PrefixScan ofIndex() {
        return new PrefixScan(partitions, prefixes, last, end, true);
    }

    /**
     * Reads one page.
     *
     * @param item converts an entry and its value, or the value of the entry that it names, to an item; empty to skip
     *     it
     * @param page as in {@link MergedRange#page}
     * @return the last key that was examined; empty if this is the last page
     */
    public <T> Optional<Bytes> scan(
            int limit, BiFunction<MergedRange.Entry, byte[], Optional<T>> item, BiPredicate<Bytes, ? super T> page) {
        try (MergedRange range = new MergedRange()) {
            for (Bytes prefix : prefixes) {
                Bytes start = last.map(ViewKeys::next)
                        .filter(key -> key.compareTo(prefix) > 0)
                        .orElse(prefix);
                range.add(partitions, start, end.orElseGet(() -> ViewKeys.after(prefix)), UnaryOperator.identity());
            }
            return range.page(last, limit, this::value, item, page);
        }
    }

    private byte[] value(MergedRange.Entry entry) {
        return index ? entry.partition().get(Bytes.wrap(entry.value())) : entry.value();
    }
}
