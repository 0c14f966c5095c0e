package dev.parley.topology.views.search;

import dev.parley.topology.views.store.ChainPosition;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Values of {@link SearchKeys#document}: the position of a record, and the hashes of its terms, from which {@link
 * SearchGranules} derives the filters of the granules. The bytes are the number of hashes (2), the hashes (8 each),
 * and a {@link ChainPosition}.
 */
public final class SearchDocument {
    private static final long[] NONE = {};

    private SearchDocument() {}

    /** @param terms hashes of its terms, at most 65,535 */
    public static byte[] encode(ChainPosition position, long[] terms) {
        byte[] last = position.toBytes();
        ByteBuffer value = ByteBuffer.allocate(Short.BYTES + Long.BYTES * terms.length + last.length);
        value.putShort((short) terms.length);
        for (long term : terms) {
            value.putLong(term);
        }
        return value.put(last).array();
    }

    /** The hashes of the terms; none for null, or for bytes that Parley did not write. */
    public static long[] terms(byte[] value) {
        if (value == null || value.length < Short.BYTES) {
            return NONE;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value);
        int count = Short.toUnsignedInt(bytes.getShort());
        if (count * Long.BYTES > bytes.remaining()) {
            return NONE;
        }
        long[] terms = new long[count];
        bytes.asLongBuffer().get(terms);
        return terms;
    }

    /** The position of the record; empty for null, or for bytes that Parley did not write. */
    public static Optional<ChainPosition> position(byte[] value) {
        if (value == null || value.length < Short.BYTES) {
            return Optional.empty();
        }
        int start = Short.BYTES
                + Long.BYTES * Short.toUnsignedInt(ByteBuffer.wrap(value).getShort());
        return start + Long.BYTES > value.length
                ? Optional.empty()
                : Optional.of(ChainPosition.of(Arrays.copyOfRange(value, start, value.length)));
    }
}
