package dev.parley.log.export;

import dev.parley.avro.ExportEntry;
import dev.parley.codec.TrustedRecords;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileConstants;

/**
 * Reads an export in either format, in batches of about 64 kB. Distinguishes damage from the end of the file. Memory is
 * bounded by the size of one batch, for which at most {@link #MAX_BATCH_BYTES} are allowed. Not thread-safe.
 */
public abstract class ExportReader implements AutoCloseable {
    /**
     * Maximum size of a batch with a single large entry; a quarter of the heap, because decoding needs as much again.
     */
    static final int MAX_BATCH_BYTES =
            (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 4);

    private static final int BUFFER = 1 << 16;
    private static final byte[] FIRST_ENTRY = "{\"start\":".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] PARQUET = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** Maximum bytes of the first line of a file that does not begin like an export. */
    private static final int MAX_FOREIGN_LINE = 1 << 20;

    private boolean export;
    private boolean parquet;

    /** Creates a reader; the first bytes determine the format. */
    public static ExportReader of(InputStream in) throws IOException {
        TrustedRecords.trust();
        BufferedInputStream buffered = new BufferedInputStream(in, BUFFER);
        byte[] magic = DataFileConstants.MAGIC;
        buffered.mark(FIRST_ENTRY.length);
        byte[] first = buffered.readNBytes(FIRST_ENTRY.length);
        buffered.reset();
        boolean avro = first.length >= magic.length && beginsLike(first, magic);
        boolean export = beginsLike(first, FIRST_ENTRY) || beginsLike(first, magic);
        ExportReader reader = avro ? new AvroFile(buffered) : new Lines(buffered, export);
        reader.export = export;
        reader.parquet = first.length >= PARQUET.length && beginsLike(first, PARQUET);
        return reader;
    }

    /** Whether bytes equal expected ones as far as both go. */
    private static boolean beginsLike(byte[] bytes, byte[] expected) {
        int length = Math.min(bytes.length, expected.length);
        return Arrays.equals(bytes, 0, length, expected, 0, length);
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
     * @throws IOException if the file cannot be read
     */
    abstract Optional<ExportBatch> next() throws IOException;

    @Override
    public abstract void close() throws IOException;

    /** Damage of a container file, after which nothing is readable. */
    static ExportItem.Damage damage(String reason) {
        return new ExportItem.Damage("the container file is damaged here: " + reason, true);
    }

    private static ExportBatch damaged(ExportItem.Damage damage) {
        return decoder -> ExportBatch.Items.of(List.of(damage));
    }

    /** Reads JSON lines. A batch has whole lines. */
    private static final class Lines extends ExportReader {
        private final InputStream in;
        private byte[] rest = {};

        /** Maximum bytes of the next line. */
        private int maxBytes;

        Lines(InputStream in, boolean export) {
            this.in = in;
            this.maxBytes = export ? MAX_BATCH_BYTES : MAX_FOREIGN_LINE;
        }

        @Override
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
                    return Optional.of(damaged(new ExportItem.Damage(
                            "the line must be an entry of an export, but is longer than " + maxBytes + " bytes",
                            true)));
                }
                bytes = Arrays.copyOf(bytes, (int) Math.min(maxBytes, 2L * length));
            }
        }

        private Optional<ExportBatch> batch(byte[] bytes, int end, int length) {
            rest = Arrays.copyOfRange(bytes, end, length);
            maxBytes = MAX_BATCH_BYTES;
            return end == 0 ? Optional.empty() : Optional.of(decoder -> decoder.lines(bytes, end));
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

    /**
     * A block of a container file.
     *
     * @param data its bytes as in the file
     * @param entries number of its entries, at least 1
     * @param header the header of the file
     */
    public record Block(byte[] data, long entries, Header header) implements ExportBatch {
        @Override
        public Items open(EntryDecoder decoder) throws TooLargeException {
            return decoder.block(this);
        }
    }

    /**
     * The header of a container file.
     *
     * @param deflated whether the blocks are compressed
     * @param sync the bytes after each block
     */
    public record Header(boolean deflated, byte[] sync) {}

    /** Reads an Avro container file, without compression or with deflate, which Parley writes. */
    private static final class AvroFile extends ExportReader {
        private static final int MAX_HEADER_BYTES = 1 << 24;
        private static final List<String> KEYS = List.of(DataFileConstants.SCHEMA, DataFileConstants.CODEC);
        private static final int MAX_VARINT_BITS = 63;

        private final InputStream in;
        private Optional<Header> header = Optional.empty();
        private boolean damaged;

        /** Bytes that are not those of a container file. */
        private static final class DamageException extends Exception {
            private static final long serialVersionUID = 1L;

            DamageException(String message) {
                super(message);
            }
        }

        AvroFile(InputStream in) {
            this.in = in;
        }

        @Override
        Optional<ExportBatch> next() throws IOException {
            if (damaged) {
                return Optional.empty();
            }
            try {
                if (header.isEmpty()) {
                    header = Optional.of(readHeader());
                }
                int first = in.read();
                return first < 0 ? Optional.empty() : Optional.of(readBlock(header.get(), first));
            } catch (DamageException e) {
                damaged = true;
                return Optional.of(damaged(damage(e.getMessage())));
            }
        }

        private ExportBatch readBlock(Header header, int first) throws DamageException, IOException {
            long entries = number(first);
            byte[] data = bytes(number(octet()), MAX_BATCH_BYTES);
            if (entries < 1) {
                throw new DamageException("a block must have entries, but has " + entries);
            }
            if (!Arrays.equals(bytes(DataFileConstants.SYNC_SIZE, DataFileConstants.SYNC_SIZE), header.sync())) {
                throw new DamageException("the mark after the block is missing");
            }
            return new Block(data, entries, header);
        }

        private Header readHeader() throws DamageException, IOException {
            bytes(DataFileConstants.MAGIC.length, DataFileConstants.MAGIC.length);
            Map<String, byte[]> values = new HashMap<>();
            int left = MAX_HEADER_BYTES;
            for (long count = number(octet()); count != 0; count = number(octet())) {
                if (count < 0) {
                    number(octet());
                }
                for (long i = Math.abs(count); i > 0; i--) {
                    byte[] key = bytes(number(octet()), left);
                    byte[] value = bytes(number(octet()), left - key.length);
                    left -= key.length + value.length + 1;
                    if (values.put(text(key), value) != null) {
                        throw new DamageException("the header has a key twice");
                    }
                }
            }
            if (!KEYS.containsAll(values.keySet())) {
                throw new DamageException("the header must have no keys except " + String.join(" and ", KEYS));
            }
            String codec = text(values.getOrDefault(DataFileConstants.CODEC, new byte[0]));
            boolean deflated = codec.equals(DataFileConstants.DEFLATE_CODEC);
            if (!deflated && !codec.isEmpty() && !codec.equals(DataFileConstants.NULL_CODEC)) {
                throw new DamageException("the codec must be deflate or null, but is " + codec
                        + ". Rewrite the file with avro-tools recodec --codec deflate");
            }
            if (!isSchemaOfEntries(text(values.getOrDefault(DataFileConstants.SCHEMA, new byte[0])))) {
                throw new DamageException("the schema in the header must be that of ExportEntry");
            }
            byte[] sync = bytes(DataFileConstants.SYNC_SIZE, DataFileConstants.SYNC_SIZE);
            return new Header(deflated, sync);
        }

        /** Whether a schema is that of an entry, except for documentation and aliases, which change no value. */
        private static boolean isSchemaOfEntries(String json) {
            try {
                return new Schema.Parser().parse(json).equals(ExportEntry.getClassSchema());
            } catch (RuntimeException | StackOverflowError e) {
                return false;
            }
        }

        private static String text(byte[] utf8) {
            return new String(utf8, StandardCharsets.UTF_8);
        }

        private long number(int first) throws DamageException, IOException {
            long rest = 0;
            int next = first;
            for (int shift = 0; shift <= MAX_VARINT_BITS; shift += 7) {
                rest |= (next & 0x7fL) << shift;
                if (next < 0x80) {
                    return rest >>> 1 ^ -(rest & 1);
                }
                next = octet();
            }
            throw new DamageException("a number has more than ten bytes");
        }

        private int octet() throws DamageException, IOException {
            int next = in.read();
            if (next < 0) {
                throw new DamageException("the file ends within a block");
            }
            return next;
        }

        /** Reads some bytes. Memory beyond one buffer grows with the bytes of the file, not the declared length. */
        private byte[] bytes(long length, int max) throws DamageException, IOException {
            if (length < 0 || length > max) {
                throw new DamageException("a length must be 0 to " + max + " bytes, but is " + length);
            }
            byte[] bytes = length <= BUFFER ? new byte[(int) length] : in.readNBytes((int) length);
            int read = length <= BUFFER ? in.readNBytes(bytes, 0, bytes.length) : bytes.length;
            if (read < length) {
                throw new DamageException("the file ends within a block");
            }
            return bytes;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
