package dev.parley.log.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AuditHead;
import dev.parley.codec.Decimal;
import dev.parley.json.AvroJsonReader;
import dev.parley.log.LogNotes;
import dev.parley.log.RecordLocation;
import dev.parley.log.export.DamageText;
import dev.parley.log.export.ExportReader;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.TlogFormatException;
import dev.parley.log.tlog.TreeHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Heads of the audit log that were stored out of reach: JSON lines of {@code parley heads}, one note, or an export, of
 * which only the notes are read.
 *
 * @param heads the heads by their locations, in this order
 */
public record StoredHeads(Map<RecordLocation, AuditHead> heads) {
    /** No heads. */
    public static final StoredHeads NONE = new StoredHeads(Map.of());

    private static final String SOURCES = "Create one with parley heads or parley export.";

    /** Maximum characters of a text: more than the largest message has in hexadecimal. */
    private static final int MAX_TEXT = 1 << 26;

    /**
     * Reads a file.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the file has no head or other content; the message names the location
     */
    public static StoredHeads read(Path file) throws IOException {
        Map<RecordLocation, AuditHead> heads = new LinkedHashMap<>();
        String name = String.valueOf(file.getFileName());
        try (InputStream in = ExportReader.decompressed(Files.newInputStream(file))) {
            in.mark(1);
            boolean isJson = in.read() == '{';
            in.reset();
            if (isJson) {
                readLines(in, name, heads);
            } else {
                heads.put(RecordLocation.inFile(name, 1), note(in, name));
            }
        }
        if (heads.isEmpty()) {
            throw new IllegalArgumentException(name + " must contain a head. " + SOURCES);
        }
        return new StoredHeads(heads);
    }

    /** A note by itself, whose partition is the end of its origin. */
    private static AuditHead note(InputStream in, String name) throws IOException {
        byte[] bytes = in.readNBytes(SignedNote.MAX_BYTES + 1);
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            TreeHead treeHead = TreeHead.parse(text.contains("\n\n") ? SignedNote.parse(bytes) : SignedNote.of(text));
            String origin = treeHead.origin();
            long partition = Decimal.parse(origin, origin.lastIndexOf('/') + 1, origin.length(), Integer.MAX_VALUE);
            Instant time = Instant.ofEpochMilli(Math.max(0, LogNotes.timeOf(treeHead)));
            return new AuditHead(origin, (int) partition, treeHead.size(), time, text);
        } catch (TlogFormatException | IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " must contain heads: " + e.getMessage() + ". " + SOURCES, e);
        }
    }

    private static void readLines(InputStream in, String name, Map<RecordLocation, AuditHead> heads)
            throws IOException {
        ObjectMapper json = new ObjectMapper(JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(MAX_TEXT)
                        .build())
                .build());
        try (MappingIterator<JsonNode> lines = json.readerFor(JsonNode.class).readValues(in)) {
            long number = 1;
            while (lines.hasNextValue()) {
                JsonNode line = lines.nextValue();
                JsonNode note = line.path("note").isObject() ? line.get("note") : line.has("origin") ? line : null;
                RecordLocation recordLocation = RecordLocation.inFile(name, number++);
                if (note != null) {
                    heads.put(recordLocation, head(note, recordLocation));
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    name + " must be output of parley heads or parley export: " + DamageText.of(e), e);
        }
    }

    private static AuditHead head(JsonNode json, RecordLocation recordLocation) {
        try {
            return (AuditHead) AvroJsonReader.read(json, AuditHead.getClassSchema());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(recordLocation + ": " + e.getMessage(), e);
        }
    }
}
