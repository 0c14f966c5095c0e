package dev.parley.topology.views.read;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A partition of a store in a map. */
public class MemoryPartition implements KeyValueStore<Bytes, byte[]> {

    private final NavigableMap<Bytes, Supplier<byte[]>> entries = new TreeMap<>();

    @Override
    public void put(Bytes key, byte[] value) {
        if (value == null) {
            entries.remove(key);
        } else {
            entries.put(key, () -> value);
        }
    }

    /** Puts a value that each read makes. */
    public void putLazily(Bytes key, Supplier<byte[]> value) {
        entries.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        byte[] before = get(key);
        if (before == null) {
            put(key, value);
        }
        return before;
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> all) {
        all.forEach(entry -> put(entry.key, entry.value));
    }

    @Override
    public byte[] delete(Bytes key) {
        byte[] before = get(key);
        entries.remove(key);
        return before;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // Holds no resources.
    }

    @Override
    public byte[] get(Bytes key) {
        Supplier<byte[]> value = entries.get(key);
        return value == null ? null : value.get();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        NavigableMap<Bytes, Supplier<byte[]>> tail = from == null ? entries : entries.tailMap(from, true);
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

    private static KeyValueIterator<Bytes, byte[]> iterator(NavigableMap<Bytes, Supplier<byte[]>> map) {
        Iterator<Map.Entry<Bytes, Supplier<byte[]>>> all = map.entrySet().iterator();
        return new KeyValueIterator<>() {
            private Map.Entry<Bytes, Supplier<byte[]>> next = all.hasNext() ? all.next() : null;

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
                KeyValue<Bytes, byte[]> entry =
                        KeyValue.pair(next.getKey(), next.getValue().get());
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
