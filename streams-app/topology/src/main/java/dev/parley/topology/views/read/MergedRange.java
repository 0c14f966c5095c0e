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

    /** The rest of the range in one partition. */
    private record Part(ReadOnlyKeyValueStore<Bytes, byte[]> partition, KeyValueIterator<Bytes, byte[]> rest) {
        Bytes peekNextKey() {
            return rest.peekNextKey();
        }
    }

    private final List<Part> opened = new ArrayList<>();
    private final PriorityQueue<Part> next = new PriorityQueue<>(Comparator.comparing(Part::peekNextKey));
    private ReadOnlyKeyValueStore<Bytes, byte[]> current;

    /** @param to last key; null for no bound */
    MergedRange(List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes from, Bytes to) {
        try {
            for (ReadOnlyKeyValueStore<Bytes, byte[]> partition : partitions) {
                Part part = new Part(partition, partition.range(from, to));
                opened.add(part);
                enqueue(part);
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
        Part first = next.remove();
        KeyValue<Bytes, byte[]> entry = first.rest().next();
        current = first.partition();
        enqueue(first);
        return entry;
    }

    /** The partition of the entry that {@link #next} returned last. */
    ReadOnlyKeyValueStore<Bytes, byte[]> partition() {
        return current;
    }

    private void enqueue(Part part) {
        if (part.rest().hasNext()) {
            next.add(part);
        }
    }

    @Override
    public void close() {
        opened.forEach(part -> part.rest().close());
    }
}
