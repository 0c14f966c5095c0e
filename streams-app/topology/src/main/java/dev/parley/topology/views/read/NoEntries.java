package dev.parley.topology.views.read;

import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** A partition of a store without entries, in place of one that the reader may not see. */
enum NoEntries implements ReadOnlyKeyValueStore<Bytes, byte[]> {
    STORE;

    @Override
    public byte[] get(Bytes key) {
        return null;
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new KeyValueIterator<>() {
            @Override
            public boolean hasNext() {
                return false;
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                throw new NoSuchElementException();
            }

            @Override
            public Bytes peekNextKey() {
                throw new NoSuchElementException();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public long approximateNumEntries() {
        return 0;
    }
}
