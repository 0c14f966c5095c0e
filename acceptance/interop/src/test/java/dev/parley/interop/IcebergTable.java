package dev.parley.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * A table in a Hadoop catalog on the local disk, read without Iceberg's library: metadata, manifest list and manifests
 * name the data files of the current snapshot.
 *
 * @param directory the table's directory
 */
record IcebergTable(Path directory) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int DELETED = 2;

    /** The Parquet files of the current snapshot; none before the first commit. */
    List<Path> dataFiles() throws IOException {
        Path hint = directory.resolve("metadata").resolve("version-hint.text");
        if (!Files.exists(hint)) {
            return List.of();
        }
        String version = Files.readString(hint).strip();
        JsonNode table = JSON.readTree(directory
                .resolve("metadata")
                .resolve("v" + version + ".metadata.json")
                .toFile());
        List<Path> files = new ArrayList<>();
        for (JsonNode snapshot : table.path("snapshots")) {
            if (snapshot.path("snapshot-id").asLong()
                    != table.path("current-snapshot-id").asLong()) {
                continue;
            }
            for (GenericRecord manifest : avro(snapshot.path("manifest-list").asText())) {
                for (GenericRecord entry : avro(manifest.get("manifest_path").toString())) {
                    if ((int) entry.get("status") != DELETED) {
                        GenericRecord file = (GenericRecord) entry.get("data_file");
                        files.add(path(file.get("file_path").toString()));
                    }
                }
            }
        }
        return files;
    }

    private static List<GenericRecord> avro(String location) throws IOException {
        List<GenericRecord> records = new ArrayList<>();
        File file = path(location).toFile();
        try (DataFileReader<GenericRecord> reader = new DataFileReader<>(file, new GenericDatumReader<>())) {
            reader.forEach(records::add);
        }
        return records;
    }

    private static Path path(String location) {
        return location.startsWith("file:") ? Path.of(URI.create(location).getPath()) : Path.of(location);
    }
}
