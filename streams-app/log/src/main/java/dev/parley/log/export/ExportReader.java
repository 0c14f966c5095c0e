package dev.parley.log.export;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Reads an export, which may be compressed with gzip, in batches of about 64 kB of whole lines. Distinguishes damage
 * from the end of the file. Memory is bounded by the size of one batch, for which at most a quarter of the heap, or 1
 * GiB, is allowed. Not thread-safe.
 */
public class ExportReader implements AutoCloseable {
    /**
     * Maximum size of a batch with a single large entry; a quarter of the heap, because decoding needs as much again.
     */
    private static final int MAX_BATCH_BYTES =
            (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 4);

    private static final int BUFFER = 1 << 16;
    private static final byte[] FIRST_ENTRY = "{\"start\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PARQUET = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};

    /** Minimum bytes of a large batch; all have 64 kB, unless a line is longer. Empty lines may follow a long one. */
    private static final int LARGE_BATCH_BYTES = 1 << 17;

    /** Maximum bytes of the first line of a file that does not begin like an export. */
    private static final int MAX_FOREIGN_LINE = 1 << 20;

    private final InputStream in;
    private final boolean export;
    private final boolean parquet;
    private byte[] rest = {};

    /** Maximum bytes of the next line. */
    private int maxBytes;

    /** Whole lines. */
    private record Lines(byte[] bytes, int length) implements ExportBatch {
        @Override
        public Iterator<ExportItem> items(boolean verifying) {
            return new EntryDecoder(bytes, length, verifying);
        }

        @Override
        public boolean isLarge() {
            return length > LARGE_BATCH_BYTES;
        }
    }

    /**
     * Creates a reader.
     *
     * @throws IOException if the stream cannot be read, or its compression is damaged
     */
    public ExportReader(InputStream in) throws IOException {
        this.in = decompressed(in);
        byte[] first = first(this.in, FIRST_ENTRY.length);
        int length = Math.min(first.length, FIRST_ENTRY.length);
        export = Arrays.equals(first, 0, length, FIRST_ENTRY, 0, length);
        parquet = Arrays.equals(Arrays.copyOf(first, PARQUET.length), PARQUET);
        maxBytes = export ? MAX_BATCH_BYTES : MAX_FOREIGN_LINE;
    }

    /**
     * The content of a stream that may be compressed with gzip; it supports marks.
     *
     * @throws IOException if the stream cannot be read, or its compression is damaged
     */
    public static InputStream decompressed(InputStream in) throws IOException {
        InputStream buffered = new BufferedInputStream(in, BUFFER);
        return Arrays.equals(first(buffered, GZIP.length), GZIP)
                ? new BufferedInputStream(new GZIPInputStream(buffered, BUFFER), BUFFER)
                : buffered;
    }

    private static byte[] first(InputStream in, int length) throws IOException {
        in.mark(length);
        byte[] first = in.readNBytes(length);
        in.reset();
        return first;
    }

    /** Whether the file begins like an export, even one that is cut off in its first bytes. */
    public boolean beginsLikeExport() {
        return export;
    }

    /** The error for a file that is not an export. */
    public NotAnExportException notAnExport(Path file, String reason) {
        return new NotAnExportException(
                file, parquet ? "It is a Parquet file, which has no heads and no proofs" : reason);
    }

    /**
     * Reads the next batch. Damage that hides the rest of the file is an item of the last batch.
     *
     * @return the batch; empty at the end
     * @throws IOException if the file cannot be read, or its compression is damaged
     */
    Optional<ExportBatch> next() throws IOException {
        byte[] bytes = Arrays.copyOf(rest, Math.max(BUFFER, rest.length + 1));
        int length = rest.length;
        while (true) {
            int searched = length;
            length += in.readNBytes(bytes, length, bytes.length - length);
            boolean ended = length < bytes.length;
            int end = ended ? length : afterLastLine(bytes, searched, length);
            if (end > 0 || ended) {
                return batch(bytes, end, length);
            }
            if (length >= maxBytes) {
                rest = new byte[0];
                ExportItem damage = new ExportItem.Damage(
                        "the line must be an entry of an export, but is longer than " + maxBytes + " bytes", true);
                return Optional.of(verifying -> List.of(damage).iterator());
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, 2L * length));
        }
    }

    private Optional<ExportBatch> batch(byte[] bytes, int end, int length) {
        rest = Arrays.copyOfRange(bytes, end, length);
        maxBytes = MAX_BATCH_BYTES;
        return end == 0 ? Optional.empty() : Optional.of(new Lines(bytes, end));
    }

    /** The position after the last line feed; 0 without one. */
    private static int afterLastLine(byte[] bytes, int from, int to) {
        int at = to;
        while (at > from && bytes[at - 1] != '\n') {
            at--;
        }
        return at > from ? at : 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
