package dev.parley.trail;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.ExportEntry;
import dev.parley.json.AvroJsonReader;
import dev.parley.serde.AvroSerdes;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.specific.SpecificDatumReader;

/** Reads the entries of an export in either format. Distinguishes damage from the end of the file. */
abstract class ExportReader implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final byte[] FIRST_ENTRY = "{\"start\":".getBytes(StandardCharsets.US_ASCII);

    /** Maximum bytes of the first line of a file that does not begin like an export. */
    private static final int MAX_FOREIGN_LINE = 1 << 20;

    private boolean export;

    /** An unreadable entry. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;
        private final boolean last;

        private Unreadable(String message, boolean last, Exception cause) {
            super(message, cause);
            this.last = last;
        }

        /** Whether the rest of the file is unreadable too. */
        boolean isLast() {
            return last;
        }
    }

    /** Creates a reader; the first bytes determine the format. */
    static ExportReader of(InputStream in) throws IOException {
        AvroSerdes.trustRecords();
        BufferedInputStream buffered = new BufferedInputStream(in, BUFFER);
        byte[] magic = DataFileConstants.MAGIC;
        buffered.mark(FIRST_ENTRY.length);
        byte[] first = buffered.readNBytes(FIRST_ENTRY.length);
        buffered.reset();
        boolean avro = first.length >= magic.length && beginsLike(first, magic);
        boolean export = beginsLike(first, FIRST_ENTRY) || beginsLike(first, magic);
        ExportReader reader = avro ? new AvroFile(buffered) : new Lines(buffered, export);
        reader.export = export;
        return reader;
    }

    /** Whether bytes equal expected ones as far as both go. */
    private static boolean beginsLike(byte[] bytes, byte[] expected) {
        int length = Math.min(bytes.length, expected.length);
        return Arrays.equals(bytes, 0, length, expected, 0, length);
    }

    /** Whether the file begins like an export, of which it may have only the first bytes. */
    boolean beginsLikeExport() {
        return export;
    }

    /**
     * Reads the next entry.
     *
     * @return the entry; empty at the end
     * @throws Unreadable if the entry is unreadable
     * @throws IOException if the file cannot be read
     */
    abstract Optional<ExportEntry> next() throws Unreadable, IOException;

    @Override
    public abstract void close() throws IOException;

    /**
     * Reads JSON lines. Accepts only the exact form that Parley writes, so that no byte of a line can change unnoticed.
     */
    private static final class Lines extends ExportReader {
        private final ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        private final InputStream in;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 12);
        private final ByteArrayOutputStream again = new ByteArrayOutputStream(1 << 12);

        /** Maximum bytes of the next line. */
        private int maxBytes;

        Lines(InputStream in, boolean export) {
            this.in = in;
            this.maxBytes = export ? Integer.MAX_VALUE : MAX_FOREIGN_LINE;
        }

        @Override
        Optional<ExportEntry> next() throws Unreadable, IOException {
            if (!readLine()) {
                return Optional.empty();
            }
            byte[] bytes = line.toByteArray();
            ExportEntry entry;
            try {
                JsonNode node = json.readTree(bytes);
                entry = (ExportEntry) AvroJsonReader.read(node, ExportEntry.getClassSchema());
            } catch (IOException | IllegalArgumentException e) {
                throw new Unreadable("the line must be an entry of an export: " + firstLine(e), false, e);
            }
            again.reset();
            try (ExportWriter writer = ExportFormat.JSONL.to(again)) {
                writer.write(entry);
            }
            line.write('\n');
            if (!Arrays.equals(again.toByteArray(), line.toByteArray())) {
                throw new Unreadable("the line does not have the exact form that Parley writes", false, null);
            }
            return Optional.of(entry);
        }

        /** Reads a line; false at the end. */
        private boolean readLine() throws Unreadable, IOException {
            line.reset();
            int next = in.read();
            if (next < 0) {
                return false;
            }
            while (next >= 0 && next != '\n') {
                if (line.size() == maxBytes) {
                    throw new Unreadable("the line must be an entry of an export, but is longer", true, null);
                }
                line.write(next);
                next = in.read();
            }
            maxBytes = Integer.MAX_VALUE;
            return true;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Reads an Avro container file. */
    private static final class AvroFile extends ExportReader {
        private final InputStream in;
        private DataFileStream<ExportEntry> file;

        AvroFile(InputStream in) {
            this.in = in;
        }

        @Override
        Optional<ExportEntry> next() throws Unreadable {
            try {
                if (file == null) {
                    file = new DataFileStream<>(in, new SpecificDatumReader<>(ExportEntry.class));
                }
                return file.hasNext() ? Optional.of(file.next()) : Optional.empty();
            } catch (IOException | RuntimeException e) {
                // Avro throws various unchecked exceptions for damaged bytes.
                throw new Unreadable("the container file is damaged here: " + firstLine(e), true, e);
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    private static String firstLine(Exception e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.lines().findFirst().orElse("");
    }
}
