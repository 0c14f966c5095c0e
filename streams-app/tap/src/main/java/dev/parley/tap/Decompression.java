package dev.parley.tap;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Undoes the compression of the copy of a body. Not thread-safe. */
final class Decompression {
    private static final int BUFFER_BYTES = 8 << 10;
    /** Bytes that a stream may have in any case, and for each compressed byte: few bytes may become many. */
    private static final long FREE_BYTES = 16 << 20;

    private static final int MAX_RATIO = 100;
    private static final int DEFLATED = 8;
    /** The first bytes of gzip, without flags. */
    private static final byte[] HEADER = {0x1F, (byte) 0x8B, DEFLATED, 0};

    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final String GZIP = "gzip";
    private static final String IDENTITY = "identity";
    private static final Set<String> SUPPORTED = Set.of(GZIP, "deflate", IDENTITY);

    private final Sink sink;
    private final String encoding;
    private byte[] buffer;
    private Inflater inflater;
    private long in;
    private long out;
    private int count;
    private int after;
    private final CRC32 checksum = new CRC32();
    /** Checksum of the content, and its length, least byte first. */
    private long trailer;

    private boolean isBroken;

    /** Gets decompressed bytes. */
    @FunctionalInterface
    interface Sink {
        void accept(byte[] bytes, int from, int count);
    }

    private Decompression(String encoding, Sink sink) {
        this.encoding = encoding;
        this.sink = sink;
    }

    /**
     * Starts with the first byte of a body.
     *
     * @param encodings values of {@code Content-Encoding}: gzip or deflate; empty without one
     */
    static Decompression of(List<String> encodings, Sink sink) {
        String name =
                encodings.isEmpty() ? IDENTITY : String.join(",", encodings).toLowerCase(Locale.ROOT);
        return new Decompression(name.equals("x-gzip") ? GZIP : name, sink);
    }

    /** Number of bytes that passed, compressed. */
    long total() {
        return in;
    }

    /** Whether some bytes cannot be decompressed, or the last ones are missing. */
    boolean isBroken() {
        boolean isComplete = encoding.equals(IDENTITY)
                || in == 0
                || inflater != null
                        && inflater.finished()
                        && (!encoding.equals(GZIP)
                                || after == TRAILER_BYTES && trailer == (checksum.getValue() | out << Integer.SIZE));
        return isBroken || !isComplete;
    }

    /** Continues; returns false if the bytes cannot be decompressed. */
    boolean accept(byte[] bytes, int length) {
        in += length;
        isBroken |= length > 0 && !SUPPORTED.contains(encoding);
        if (encoding.equals(IDENTITY)) {
            sink.accept(bytes, 0, length);
            return true;
        }
        boolean isGzip = encoding.equals(GZIP);
        int start = 0;
        for (; isGzip && count < HEADER_BYTES && start < length; count++) {
            // Servers set none of the flags, which would add fields.
            isBroken |= count < HEADER.length && bytes[start] != HEADER[count];
            start++;
        }
        if (isBroken || start == length) {
            return !isBroken;
        }
        if (inflater == null) {
            // Deflate has a header of zlib, but some servers leave it out.
            inflater = new Inflater(isGzip || (bytes[0] & 0x0F) != DEFLATED);
            buffer = new byte[BUFFER_BYTES];
        }
        try {
            inflater.setInput(bytes, start, length - start);
            while (!inflater.finished() && !inflater.needsInput()) {
                int size = inflater.inflate(buffer);
                out += size;
                if (out > FREE_BYTES + MAX_RATIO * in || size == 0 && inflater.needsDictionary()) {
                    isBroken = true;
                    return false;
                }
                checksum.update(buffer, 0, size);
                sink.accept(buffer, 0, size);
            }
            for (int i = length - inflater.getRemaining(); inflater.finished() && i < length; i++) {
                trailer |= (bytes[i] & 0xFFL) << Byte.SIZE * after++;
            }
            // A second stream after the first one is not read.
            isBroken = after > (isGzip ? TRAILER_BYTES : 0);
        } catch (DataFormatException e) {
            isBroken = true;
        }
        return !isBroken;
    }

    /** Returns the memory. */
    void free() {
        if (inflater != null) {
            inflater.end();
        }
    }
}
