package dev.parley.topology.views.read;

import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** A partition of a store in a map. */
public class MemoryPartition implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();

    public void put(Bytes key, byte[] value) {
        entries.put(key, value);
    }

    @Override
    public byte[] get(Bytes key) {
        return entries.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        NavigableMap<Bytes, byte[]> tail = from == null ? entries : entries.tailMap(from, true);
        return iterator(to == null ? tail : tail.headMap(to, true));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return iterator(entries.subMap(from, true, to, true).descendingMap());
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return iterator(entries);
    }

    @Override
    public long approximateNumEntries() {
        return entries.size();
    }

    private static KeyValueIterator<Bytes, byte[]> iterator(NavigableMap<Bytes, byte[]> map) {
        Iterator<Map.Entry<Bytes, byte[]>> all = map.entrySet().iterator();
        return new KeyValueIterator<>() {
            private Map.Entry<Bytes, byte[]> next = all.hasNext() ? all.next() : null;

            @Override
            public Bytes peekNextKey() {
                return next.getKey();
            }

            @Override
            public boolean hasNext() {
                return next != null;
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                KeyValue<Bytes, byte[]> entry = KeyValue.pair(next.getKey(), next.getValue());
                next = all.hasNext() ? all.next() : null;
                return entry;
            }

            @Override
            public void close() {
                // Holds no resources.
            }
        };
    }
}
