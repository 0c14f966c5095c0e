package dev.parley.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Named.named;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.decode.ProtocolDetector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The sample transcripts: what the fuzzers start from, beside the inputs of record. */
public final class Seeds {
    private static final Path DIRECTORY = Path.of("..", "samples");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Every line of every transcript, in the order of files and lines. */
    static final List<Sample> ALL = read();

    private Seeds() {}

    /**
     * One line.
     *
     * @param place file and line
     * @param line the line itself
     * @param key key of its record, or null
     * @param headers headers of its record, as the JSON object of the line; missing when there is none
     * @param wire value of its record; null for a tombstone
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares samples
    record Sample(String place, String line, String key, JsonNode headers, byte[] wire) {
        Named<byte[]> named() {
            return Named.named(place, wire);
        }
    }

    /** The messages that look like a protocol, by their place. */
    static Stream<Named<byte[]>> wires(Protocol protocol) {
        return ALL.stream()
                .filter(sample -> sample.wire() != null && ProtocolDetector.detect(sample.wire()) == protocol)
                .map(Sample::named);
    }

    /** Each line by itself. */
    public static Stream<Named<byte[]>> lines() {
        return ALL.stream().map(sample -> named(sample.place(), sample.line().getBytes(UTF_8)));
    }

    private static List<Sample> read() {
        List<Sample> samples = new ArrayList<>();
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                int number = 0;
                for (String line : Files.readAllLines(file)) {
                    number++;
                    JsonNode node = JSON.readTree(line);
                    String key = node.path("key").textValue();
                    byte[] wire = node.hasNonNull("wireBase64")
                            ? Base64.getDecoder().decode(node.get("wireBase64").textValue())
                            : node.hasNonNull("wire")
                                    ? node.get("wire").textValue().getBytes(UTF_8)
                                    : null;
                    samples.add(new Sample(file.getFileName() + ":" + number, line, key, node.path("headers"), wire));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the fuzz tests run in the module's directory, beside the samples", e);
        }
        return List.copyOf(samples);
    }
}
