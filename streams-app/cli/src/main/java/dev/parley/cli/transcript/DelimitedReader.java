package dev.parley.cli.transcript;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads wire messages from a stream, one per line or per NUL-terminated piece, in bounded memory. Of a message beyond
 * the limit it keeps a prefix that is longer than the limit, so that callers still see that it is too large.
 */
public final class DelimitedReader {
    private final InputStream in;
    private final int delimiter;
    private final int max;
    private final byte[] buffer = new byte[1 << 16];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    private int from;
    private int to;

    /**
     * A reader.
     *
     * @param limit maximum bytes of a message
     */
    public DelimitedReader(InputStream in, boolean nulDelimited, int limit) {
        this.in = in;
        this.delimiter = nulDelimited ? 0 : '\n';
        // One byte for a carriage return, which does not count, and one more that shows the excess.
        this.max = Math.addExact(limit, 2);
    }

    /** The next message without its delimiter, and in lines without a carriage return before it; null at the end. */
    public byte[] next() throws IOException {
        line.reset();
        if (!fill()) {
            return null;
        }
        do {
            int end = from;
            while (end < to && buffer[end] != delimiter) {
                end++;
            }
            line.write(buffer, from, Math.min(end - from, max - line.size()));
            from = end;
            if (end < to) {
                from++;
                break;
            }
        } while (fill());
        byte[] bytes = line.toByteArray();
        boolean carriageReturn = delimiter == '\n' && bytes.length > 0 && bytes[bytes.length - 1] == '\r';
        return carriageReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
    }

    /** Whether the next call may wait for input: the moment to flush output. */
    public boolean isDrained() {
        return from == to;
    }

    private boolean fill() throws IOException {
        if (from == to) {
            from = 0;
            to = Math.max(0, in.read(buffer));
        }
        return from < to;
    }
}
