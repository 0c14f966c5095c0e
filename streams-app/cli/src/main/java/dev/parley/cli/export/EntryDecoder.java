package dev.parley.cli.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.EncodedRecordVerifier;
import dev.parley.audit.RecordVerifier;
import dev.parley.avro.ExportEntry;
import dev.parley.cli.export.ExportBatch.Items;
import dev.parley.cli.export.ExportBatch.TooLargeException;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.json.AvroJson;
import dev.parley.json.AvroJsonReader;
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
 * Decodes the batches of an export, and verifies each audit record by itself. It verifies most records of an Avro
 * export as bytes, and builds objects of the others. Not thread-safe: one for each thread, and one batch at a time.
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
    private static final boolean VERIFIES_AS_BYTES = EncodedRecordVerifier.supports(
            ENTRY.getField("record").schema().getTypes().get(1));

    /** An entry with a record has this byte, the index of null in a union, for every other field. */
    private static final byte ABSENT = 0;

    private static final byte PRESENT = 2;
    private static final int RECORD_FIELD = ENTRY.getField("record").pos();
    private static final int FIELDS_AFTER_RECORD = ENTRY.getFields().size() - RECORD_FIELD - 1;

    private final boolean verifying;
    private final int maxBytes;
    private final long maxEntries;
    private final Inflater inflater = new Inflater(true);
    private final EncodedRecordVerifier encodedRecords = new EncodedRecordVerifier();
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
            return Items.of(List.of(ExportReader.damage(ErrorMessages.damage(e))));
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
        private final ExportReader.Block block;
        private final byte[] bytes;
        private final int end;
        private final boolean asBytes;
        private long left;
        private int at;
        private BinaryDecoder decoder;
        private SpecificDatumReader<ExportEntry> reader;

        BlockItems(ExportReader.Block block, byte[] bytes, int end) {
            this.block = block;
            this.bytes = bytes;
            this.end = end;
            this.left = block.entries();
            this.asBytes = verifying && VERIFIES_AS_BYTES;
        }

        @Override
        public ExportItem next() {
            if (left == 0) {
                left = -1;
                return at == end ? null : ExportReader.damage("the block has bytes after its last entry");
            }
            if (left < 0) {
                return null;
            }
            left--;
            return asBytes && isCheckedAsBytes() ? new ExportItem.Checked(encodedRecords.checked()) : decoded();
        }

        /** Moves on if the entry contains a record without faults. */
        private boolean isCheckedAsBytes() {
            int record = at + RECORD_FIELD;
            if (record >= end || !areAbsent(at, RECORD_FIELD) || bytes[record] != PRESENT) {
                return false;
            }
            int after = encodedRecords.check(bytes, record + 1, end);
            if (after == EncodedRecordVerifier.NONE
                    || end - after < FIELDS_AFTER_RECORD
                    || !areAbsent(after, FIELDS_AFTER_RECORD)) {
                return false;
            }
            at = after + FIELDS_AFTER_RECORD;
            return true;
        }

        private boolean areAbsent(int from, int count) {
            for (int i = from; i < from + count; i++) {
                if (bytes[i] != ABSENT) {
                    return false;
                }
            }
            return true;
        }

        private ExportItem decoded() {
            try {
                if (reader == null) {
                    reader = new SpecificDatumReader<>(ENTRY);
                }
                decoder = DecoderFactory.get().binaryDecoder(bytes, at, end - at, decoder);
                ExportEntry entry = reader.read(null, decoder);
                at = end - decoder.remainingBytes();
                return item(entry);
            } catch (IOException | RuntimeException e) {
                // Avro throws various unchecked exceptions for damaged bytes.
                left = -1;
                return ExportReader.damage(ErrorMessages.damage(e));
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
            return new ExportItem.Damage("the line must be an entry of an export: " + ErrorMessages.damage(e), false);
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
