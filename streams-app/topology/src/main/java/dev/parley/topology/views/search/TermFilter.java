package dev.parley.topology.views.search;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A Bloom filter of the terms of a granule: it tells which terms no document of the granule has. The bytes are the
 * numbers of documents that were removed (2) and added (2), and the bits. With half of the bits set, one in 64 other
 * terms seems to be there. Not thread-safe.
 */
public final class TermFilter {
    private static final int HEADER_BYTES = 2 * Short.BYTES;
    private static final int MAX_NUMBER = (1 << Short.SIZE) - 1;
    private static final int BITS = 1 << 13;
    private static final int BITS_PER_TERM = 6;
    /** With half of the bits set, one in eight other prefixes seems to be there. */
    private static final int BITS_PER_PREFIX = 3;

    /** Size of the bytes. */
    static final int BYTES = HEADER_BYTES + BITS / Byte.SIZE;

    private final byte[] bytes;
    private int documents;
    private int removed;
    private int bitsSet;

    /** Creates a filter without terms. */
    TermFilter() {
        this.bytes = new byte[BYTES];
    }

    private TermFilter(byte[] stored) {
        this.bytes = stored.clone();
        ByteBuffer header = ByteBuffer.wrap(stored);
        this.removed = Short.toUnsignedInt(header.getShort());
        this.documents = Short.toUnsignedInt(header.getShort());
        for (int i = HEADER_BYTES; i < BYTES; i++) {
            bitsSet += Integer.bitCount(bytes[i] & 0xFF);
        }
    }

    static TermFilter ofAllTerms() {
        TermFilter filter = new TermFilter();
        Arrays.fill(filter.bytes, HEADER_BYTES, BYTES, (byte) -1);
        filter.bitsSet = BITS;
        return filter;
    }

    /** Reads the filter that has these bytes; empty if they have another size. */
    static Optional<TermFilter> of(byte[] stored) {
        return stored.length == BYTES ? Optional.of(new TermFilter(stored)) : Optional.empty();
    }

    /** Adds a document with the hashes of its terms. */
    void add(long[] terms) {
        documents++;
        for (long term : terms) {
            add(term, BITS_PER_TERM);
            if (SearchKeys.isWord(term)) {
                add(SearchKeys.prefix(term), BITS_PER_PREFIX);
            }
        }
    }

    private void add(long term, int bits) {
        int bit = (int) term;
        for (int i = 0; i < bits; i++, bit += step(term)) {
            int mask = 1 << (bit & 7);
            int place = place(bit);
            bitsSet += (bytes[place] & mask) == 0 ? 1 : 0;
            bytes[place] |= (byte) mask;
        }
    }

    /**
     * Whether a document may have a term, by its hash. Bytes of another size may have all terms.
     *
     * @param isPrefix whether to look for any word with the prefix of the term
     */
    static boolean mayHave(byte[] filter, long term, boolean isPrefix) {
        return filter.length != BYTES
                || (isPrefix
                        ? has(filter, SearchKeys.prefix(term), BITS_PER_PREFIX)
                        : has(filter, term, BITS_PER_TERM));
    }

    private static boolean has(byte[] filter, long term, int bits) {
        int bit = (int) term;
        for (int i = 0; i < bits; i++, bit += step(term)) {
            if ((filter[place(bit)] & 1 << (bit & 7)) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int step(long term) {
        return (int) (term >>> Integer.SIZE) | 1;
    }

    private static int place(int bit) {
        return HEADER_BYTES + ((bit & BITS - 1) >>> 3);
    }

    /** Number of documents that were added, some perhaps twice. */
    int documents() {
        return documents;
    }

    /** Notes that a document was removed, whose terms stay in the filter. */
    void remove() {
        removed++;
    }

    /** Number of documents that were removed. */
    int removed() {
        return removed;
    }

    /** Whether it has so many terms that it tells little. */
    boolean isFull() {
        return bitsSet > BITS / 2;
    }

    /** Whether it has three quarters of the bits of a full one. */
    boolean isNearlyFull() {
        return bitsSet > BITS / 8 * 3;
    }

    byte[] toBytes() {
        ByteBuffer.wrap(bytes).putShort(unsigned(removed)).putShort(unsigned(documents));
        return bytes.clone();
    }

    private static short unsigned(int number) {
        return (short) Math.min(number, MAX_NUMBER);
    }
}
