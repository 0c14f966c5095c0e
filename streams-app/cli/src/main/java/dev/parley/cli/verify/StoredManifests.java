package dev.parley.cli.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.AuditManifest;
import dev.parley.cli.export.ExportItem;
import dev.parley.cli.export.ExportItems;
import dev.parley.cli.export.ExportReader;
import dev.parley.json.AvroJsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.avro.file.DataFileConstants;

/**
 * Stored manifests, from the output of {@code parley manifest} or from an export, of which only the manifests are read.
 */
public final class StoredManifests {
    private final List<Entry> entries;

    /** A manifest and its location. */
    record Entry(AuditManifest manifest, RecordLocation location) {}

    public static final StoredManifests NONE = new StoredManifests(List.of());

    private StoredManifests(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    List<Entry> entries() {
        return entries;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the file has no manifest or other content; the message names the location
     */
    public static StoredManifests read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String name = String.valueOf(file.getFileName());
        if (isContainer(file)) {
            readContainer(file, name, entries);
        } else {
            readLines(file, name, entries);
        }
        if (entries.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " must contain a manifest. Create one with parley manifest or parley export.");
        }
        return new StoredManifests(entries);
    }

    private static boolean isContainer(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(DataFileConstants.MAGIC.length), DataFileConstants.MAGIC);
        }
    }

    private static void readContainer(Path file, String name, List<Entry> entries) throws IOException {
        try (ExportItems items = new ExportItems(ExportReader.of(Files.newInputStream(file)), true, 1)) {
            long number = 1;
            for (Optional<ExportItem> item = items.next(); item.isPresent(); item = items.next()) {
                if (item.get() instanceof ExportItem.Damage damage) {
                    throw new IllegalArgumentException(name + ": " + damage.message());
                }
                if (item.get() instanceof ExportItem.Entry entry
                        && entry.entry().getManifest() != null) {
                    entries.add(new Entry(entry.entry().getManifest(), RecordLocation.inFile(name, number)));
                }
                number++;
            }
        }
    }

    private static void readLines(Path file, String name, List<Entry> entries) throws IOException {
        ObjectMapper json = new ObjectMapper(JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
        try (InputStream in = Files.newInputStream(file);
                MappingIterator<JsonNode> lines = json.readerFor(JsonNode.class).readValues(in)) {
            long number = 1;
            while (lines.hasNextValue()) {
                JsonNode line = lines.nextValue();
                JsonNode manifest = line.has("manifest") ? line.get("manifest") : line.has("root") ? line : null;
                RecordLocation recordLocation = RecordLocation.inFile(name, number++);
                if (manifest != null) {
                    entries.add(new Entry(manifest(manifest, recordLocation), recordLocation));
                }
            }
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(
                    name + " must be output of parley manifest or parley export: " + e.getOriginalMessage(), e);
        }
    }

    private static AuditManifest manifest(JsonNode json, RecordLocation recordLocation) {
        try {
            return (AuditManifest) AvroJsonReader.read(json, AuditManifest.getClassSchema());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(recordLocation + ": " + e.getMessage(), e);
        }
    }
}
