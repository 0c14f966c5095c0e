package dev.parley.topology.views.store;

import dev.parley.audit.InputPosition;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.common.utils.Bytes;

/**
 * Keys of the view stores. A key consists of the number of its kind and its parts. Keys sort by their parts: strings by
 * their UTF-8 bytes, numbers by value. The encoding is unambiguous for all strings: different parts give different
 * keys, and no part is a prefix of another. Each view has the kinds of its keys; {@link ViewStores} lists those of
 * views that share a store.
 */
public final class ViewKeys {
    private static final int INITIAL_BYTES = 96;

    private ViewKeys() {}

    /** Begins a key with the number of its kind, which no other view of the store has. */
    public static Builder of(int kind) {
        byte[] bytes = new byte[INITIAL_BYTES];
        bytes[0] = (byte) kind;
        return new Builder(bytes, 1);
    }

    /** Continues a key. */
    public static Builder of(Bytes key) {
        return new Builder(key.get().clone(), key.get().length);
    }

    public static boolean startsWith(Bytes key, Bytes prefix) {
        int length = prefix.get().length;
        return key.get().length >= length && Arrays.equals(key.get(), 0, length, prefix.get(), 0, length);
    }

    /** Returns the smallest key after all keys with a prefix; null if there is none, which means no bound. */
    public static Bytes after(Bytes prefix) {
        byte[] bytes = prefix.get();
        int last = bytes.length - 1;
        while (last >= 0 && bytes[last] == (byte) 0xFF) {
            last--;
        }
        if (last < 0) {
            return null;
        }
        byte[] next = Arrays.copyOf(bytes, last + 1);
        next[last]++;
        return Bytes.wrap(next);
    }

    /** Returns the smallest key after this one. */
    public static Bytes next(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /** Appends the parts of a key. */
    public static final class Builder {
        private byte[] bytes;
        private int size;

        private Builder(byte[] bytes, int size) {
            this.bytes = bytes;
            this.size = size;
        }

        /** Writes a zero byte as 00 FF and the end as 00 01, so that "a" sorts before "a\0", and that before "ab". */
        public Builder text(String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            reserve(2 * utf8.length + 2);
            for (byte b : utf8) {
                bytes[size++] = b;
                if (b == 0) {
                    bytes[size++] = (byte) 0xFF;
                }
            }
            bytes[size++] = 0;
            bytes[size++] = 1;
            return this;
        }

        public Builder number(long number) {
            reserve(Long.BYTES);
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes[size++] = (byte) (number >>> shift);
            }
            return this;
        }

        public Builder position(InputPosition position) {
            return text(position.topic()).number(position.partition()).number(position.offset());
        }

        /** Writes a hash in hexadecimal as a string, because hashes in requests may have any length. */
        public Builder hash(ByteBuffer hash) {
            return text(HexFormat.of().formatHex(ByteBuffers.of(hash)));
        }

        private void reserve(int more) {
            if (more > bytes.length - size) {
                bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
            }
        }

        public Bytes build() {
            return Bytes.wrap(Arrays.copyOf(bytes, size));
        }
    }
}
