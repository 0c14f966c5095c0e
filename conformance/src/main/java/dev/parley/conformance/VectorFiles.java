package dev.parley.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.protocol.Protocols;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Reads vectors from this jar, or from files of the same format. */
public final class VectorFiles {
    /** The files in the jar, by their paths in the directory conformance of the repository. */
    public static final List<String> FILES = Stream.concat(
                    Stream.of(
                            "record/detection.jsonl",
                            "record/envelope.jsonl",
                            "record/events.jsonl",
                            "dialogue/common.jsonl",
                            "dialogue/noise.jsonl"),
                    Protocols.STANDARD.all().stream().flatMap(protocol -> protocol.vectors().stream()))
            .toList();

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private VectorFiles() {}

    /** Returns the vectors in this jar, in the order of {@link #FILES}. */
    public static List<ConformanceVector> bundled() throws IOException, InvalidVectorException {
        return bundled(line -> true);
    }

    /** Returns those vectors in this jar whose lines, as JSON, are selected. */
    static List<ConformanceVector> bundled(Predicate<String> selected) throws IOException, InvalidVectorException {
        List<ConformanceVector> vectors = new ArrayList<>();
        for (String file : FILES) {
            try (InputStream in = VectorFiles.class.getResourceAsStream("/conformance/" + file)) {
                if (in == null) {
                    throw new IllegalStateException("the conformance kit's " + file + " is missing from the jar");
                }
                read(file, in, selected, vectors);
            }
        }
        return vectors;
    }

    /**
     * Reads the vectors of a file, or of every {@code .jsonl} file below a directory in the order of their names.
     *
     * @throws InvalidVectorException if a line is not a valid vector
     */
    public static List<ConformanceVector> read(Path path) throws IOException, InvalidVectorException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(path)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> file.equals(path) || file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
        List<ConformanceVector> vectors = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file)) {
                read(file.toString(), in, line -> true, vectors);
            }
        }
        return vectors;
    }

    private static void read(String name, InputStream in, Predicate<String> selected, List<ConformanceVector> vectors)
            throws IOException, InvalidVectorException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank() || !selected.test(line)) {
                continue;
            }
            try {
                vectors.add(vector(JSON.readTree(line)));
            } catch (InvalidVectorException e) {
                throw new InvalidVectorException(name + ":" + number + ": " + e.getMessage());
            } catch (JsonProcessingException e) {
                throw new InvalidVectorException(name + ":" + number + ": invalid JSON: " + e.getOriginalMessage());
            }
        }
    }

    private static ConformanceVector vector(JsonNode node) throws InvalidVectorException {
        if (!node.path("id").isTextual() || !node.path("title").isTextual()) {
            throw new InvalidVectorException("a vector must be an object with id and title");
        }
        if (node.path("messages").isArray()) {
            return DialogueScenario.read(node);
        }
        return node.has("protocol") ? DecodeVector.read(node) : RecordVector.read(node);
    }
}
