package dev.parley.topology.views.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Iterates over a key range of several partitions of a store in key order. */
final class MergedRange implements AutoCloseable {

    private final List<KeyValueIterator<Bytes, byte[]>> opened = new ArrayList<>();
    private final PriorityQueue<KeyValueIterator<Bytes, byte[]>> next =
            new PriorityQueue<>(Comparator.comparing(KeyValueIterator::peekNextKey));

    /** @param to last key; null for no bound */
    MergedRange(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes from, Bytes to) {
        try {
            for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                KeyValueIterator<Bytes, byte[]> range = partition.range(from, to);
                opened.add(range);
                enqueue(range);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    boolean hasNext() {
        return !next.isEmpty();
    }

    Bytes peekNextKey() {
        return next.element().peekNextKey();
    }

    KeyValue<Bytes, byte[]> next() {
        KeyValueIterator<Bytes, byte[]> first = next.remove();
        KeyValue<Bytes, byte[]> entry = first.next();
        enqueue(first);
        return entry;
    }

    private void enqueue(KeyValueIterator<Bytes, byte[]> range) {
        if (range.hasNext()) {
            next.add(range);
        }
    }

    @Override
    public void close() {
        opened.forEach(KeyValueIterator::close);
    }
}
