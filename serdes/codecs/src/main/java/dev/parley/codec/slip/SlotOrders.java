package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Shares the strings of the few slot orders in traffic. Each place of the table has the latest order that hashes
 * to it. Threads may overwrite each other's orders, which are immutable.
 */
final class SlotOrders {
    private static final int BITS = 8;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final Known[] TABLE = new Known[1 << BITS];

    private record Known(long prefixes, String text) {}

    private SlotOrders() {}

    /** The slot order of up to eight prefixes, the last one in the lowest byte. */
    static String of(long prefixes) {
        int place = (int) (prefixes * GOLDEN >>> (Long.SIZE - BITS));
        Known known = TABLE[place];
        if (known == null || known.prefixes != prefixes) {
            known = new Known(prefixes, text(prefixes));
            TABLE[place] = known;
        }
        return known.text;
    }

    private static String text(long prefixes) {
        byte[] bytes = new byte[Long.BYTES - Long.numberOfLeadingZeros(prefixes) / Byte.SIZE];
        long rest = prefixes;
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = (byte) rest;
            rest >>>= Byte.SIZE;
        }
        return new String(bytes, ISO_8859_1);
    }
}
