package dev.parley.tap;

import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Undoes the compression of the copy of a response. Not thread-safe. */
final class Decompression {
    private static final int BUFFER_BYTES = 8 << 10;
    /** Bytes that a stream may have in any case, and for each compressed byte: few bytes may become many. */
    private static final long FREE_BYTES = 16 << 20;

    private static final int MAX_RATIO = 100;
    private static final int HEADER_BYTES = 10;
    private static final int FLAGS = 3;
    private static final int TRAILER_BYTES = 8;
    private static final int DEFLATED = 8;

    private final Sink sink;
    private final boolean isGzip;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private Inflater inflater;
    private long in;
    private long out;
    private int count;
    private boolean isBroken;

    /** Gets decompressed bytes. */
    @FunctionalInterface
    interface Sink {
        void accept(byte[] bytes, int from, int to);
    }

    private Decompression(boolean isGzip, Sink sink) {
        this.isGzip = isGzip;
        this.sink = sink;
    }

    /**
     * Starts with the first byte of a body.
     *
     * @param encoding value of {@code Content-Encoding}: gzip or deflate; null if unsupported
     */
    static Decompression of(String encoding, Sink sink) {
        return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> new Decompression(true, sink);
            case "deflate" -> new Decompression(false, sink);
            default -> null;
        };
    }

    /** Continues; returns false if the bytes cannot be decompressed. */
    boolean accept(byte[] bytes, int length) {
        int start = 0;
        in += length;
        while (inflater == null && start < length && !isBroken) {
            // Deflate has a header of zlib, but some servers leave it out.
            if (!isGzip) {
                inflater = new Inflater((bytes[0] & 0x0F) != DEFLATED);
            } else {
                header(bytes[start++] & 0xFF);
            }
        }
        if (inflater == null || isBroken) {
            return !isBroken;
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
                sink.accept(buffer, 0, size);
            }
            // A second stream after the first one is not read.
            isBroken = inflater.finished() && inflater.getRemaining() > (isGzip ? TRAILER_BYTES : 0);
        } catch (DataFormatException e) {
            isBroken = true;
        }
        return !isBroken;
    }

    /** Reads the header of gzip. Servers set none of its flags, which would add fields. */
    private void header(int b) {
        isBroken = count == 0 && b != 0x1F
                || count == 1 && b != 0x8B
                || count == 2 && b != DEFLATED
                || count == FLAGS && b != 0;
        count++;
        if (count == HEADER_BYTES) {
            inflater = new Inflater(true);
        }
    }

    /** Returns the memory. */
    void free() {
        if (inflater != null) {
            inflater.end();
        }
    }
}
