package dev.parley.log.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.ExportEntry;
import dev.parley.json.AvroJson;
import dev.parley.json.AvroJsonReader;
import dev.parley.log.RecordVerifier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.avro.Schema;

/**
 * Decodes lines of an export, each with the line feed that ends it, except perhaps the last, and verifies each audit
 * record by itself. Not thread-safe.
 */
final class EntryDecoder implements Iterator<ExportItem> {
    /** The size of a batch bounds a text. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Schema ENTRY = ExportEntry.getClassSchema();

    private final byte[] bytes;
    private final int length;
    private final boolean verifying;
    private final RecordVerifier records = new RecordVerifier();
    private final ByteArrayOutputStream again = new ByteArrayOutputStream(1 << 12);
    private JsonGenerator json;
    private int at;

    /**
     * Creates a decoder.
     *
     * @param bytes the lines, up to {@code length}
     * @param verifying whether records are to be verified
     */
    EntryDecoder(byte[] bytes, int length, boolean verifying) {
        this.bytes = bytes;
        this.length = length;
        this.verifying = verifying;
    }

    @Override
    public boolean hasNext() {
        return at < length;
    }

    @Override
    public ExportItem next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        int from = at;
        int to = from;
        while (to < length && bytes[to] != '\n') {
            to++;
        }
        at = to + 1;
        return line(from, to);
    }

    /** Accepts only the exact form that Parley writes, so that no byte of a line can change unnoticed. */
    private ExportItem line(int from, int to) {
        ExportEntry entry;
        try {
            entry = (ExportEntry) AvroJsonReader.read(JSON.readTree(bytes, from, to - from), ENTRY);
        } catch (IOException | IllegalArgumentException e) {
            return new ExportItem.Damage("the line must be an entry of an export: " + DamageText.of(e), false);
        }
        try {
            if (json == null) {
                json = ExportFormat.generator(again);
            }
            again.reset();
            AvroJson.write(json, entry);
            json.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] exact = again.toByteArray();
        return Arrays.equals(exact, 0, exact.length, bytes, from, to)
                ? item(entry)
                : new ExportItem.Damage("the line does not have the exact form that Parley writes", false);
    }

    private ExportItem item(ExportEntry entry) {
        // A reader could take another field of an entry than the verifier.
        if (ENTRY.getFields().stream()
                        .filter(field -> entry.get(field.pos()) != null)
                        .count()
                > 1) {
            return new ExportItem.Damage("the entry must have one field", false);
        }
        return verifying && entry.getRecord() != null
                ? new ExportItem.Checked(records.check(entry.getRecord()))
                : new ExportItem.Entry(entry);
    }
}
