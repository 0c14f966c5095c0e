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
import dev.parley.log.export.ExportBatch.Items;
import dev.parley.log.export.ExportBatch.TooLargeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;

/**
 * Decodes the batches of an export, and verifies each audit record by itself. Not thread-safe: one for each thread, and
 * one batch at a time.
 */
public final class EntryDecoder implements AutoCloseable {
    /** Parley writes blocks of 64 kB and at most one entry more. */
    private static final int MAX_KEPT_BYTES = 1 << 18;

    /** The size of a batch bounds a text. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final Schema ENTRY = ExportEntry.getClassSchema();

    private final boolean verifying;
    private final int maxBytes;
    private final long maxEntries;
    private final Inflater inflater = new Inflater(true);
    private final RecordVerifier records = new RecordVerifier();
    private final ByteArrayOutputStream again = new ByteArrayOutputStream(1 << 12);
    private JsonGenerator json;
    private byte[] inflated = new byte[MAX_KEPT_BYTES];

    /**
     * Creates a decoder.
     *
     * @param verifying whether records are to be verified
     * @param maxBytes maximum size of a batch
     * @param maxEntries maximum number of entries in a batch
     */
    public EntryDecoder(boolean verifying, int maxBytes, long maxEntries) {
        this.verifying = verifying;
        this.maxBytes = maxBytes;
        this.maxEntries = maxEntries;
    }

    /** Decodes the block of a container file. */
    Items block(ExportReader.Block block) throws TooLargeException {
        if (block.entries() > maxEntries || block.data().length > maxBytes) {
            throw new TooLargeException(maxBytes);
        }
        if (!block.header().deflated()) {
            return new BlockItems(block, block.data(), block.data().length);
        }
        try {
            int length = inflate(block.data());
            return new BlockItems(block, inflated, length);
        } catch (DataFormatException e) {
            return Items.of(List.of(ExportReader.damage(DamageText.of(e))));
        }
    }

    private int inflate(byte[] data) throws DataFormatException, TooLargeException {
        if (inflated.length > MAX_KEPT_BYTES) {
            inflated = new byte[MAX_KEPT_BYTES];
        }
        inflater.reset();
        inflater.setInput(data);
        int length = 0;
        while (true) {
            int more = inflater.inflate(inflated, length, inflated.length - length);
            length += more;
            if (inflater.finished()) {
                return length;
            }
            if (length == inflated.length) {
                if (length >= maxBytes) {
                    throw new TooLargeException(maxBytes);
                }
                inflated = Arrays.copyOf(inflated, (int) Math.min(maxBytes, 2L * length));
            } else if (more == 0) {
                throw new DataFormatException("the compressed bytes of the block are incomplete");
            }
        }
    }

    /** The entries of one block. */
    private final class BlockItems implements Items {
        private final SpecificDatumReader<ExportEntry> reader = new SpecificDatumReader<>(ENTRY);
        private final BinaryDecoder decoder;
        private long left;

        BlockItems(ExportReader.Block block, byte[] bytes, int length) {
            decoder = DecoderFactory.get().binaryDecoder(bytes, 0, length, null);
            left = block.entries();
        }

        @Override
        public ExportItem next() {
            if (left < 0) {
                return null;
            }
            try {
                if (left-- == 0) {
                    return decoder.isEnd() ? null : ExportReader.damage("the block has bytes after its last entry");
                }
                return item(reader.read(null, decoder));
            } catch (IOException | RuntimeException e) {
                // Avro throws various unchecked exceptions for damaged bytes.
                left = -1;
                return ExportReader.damage(DamageText.of(e));
            }
        }
    }

    /** A reader could take another field of an entry than the verifier. */
    private static boolean hasSeveralFields(ExportEntry entry) {
        int fields = 0;
        for (Schema.Field field : ENTRY.getFields()) {
            fields += entry.get(field.pos()) == null ? 0 : 1;
        }
        return fields > 1;
    }

    private ExportItem item(ExportEntry entry) {
        if (hasSeveralFields(entry)) {
            return new ExportItem.Damage("the entry must have one field", false);
        }
        return verifying && entry.getRecord() != null
                ? new ExportItem.Checked(records.check(entry.getRecord()))
                : new ExportItem.Entry(entry);
    }

    /** Decodes lines, each with the line feed that ends it, except perhaps the last. */
    Items lines(byte[] bytes, int length) throws TooLargeException {
        if (length > maxBytes) {
            throw new TooLargeException(maxBytes);
        }
        int[] at = {0};
        return () -> {
            int from = at[0];
            if (from >= length) {
                return null;
            }
            int to = from;
            while (to < length && bytes[to] != '\n') {
                to++;
            }
            at[0] = to + 1;
            return line(bytes, from, to);
        };
    }

    /** Accepts only the exact form that Parley writes, so that no byte of a line can change unnoticed. */
    private ExportItem line(byte[] bytes, int from, int to) {
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

    @Override
    public void close() {
        inflater.end();
    }
}
