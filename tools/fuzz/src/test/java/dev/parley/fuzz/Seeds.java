package dev.parley.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.diagnosis.ValueDiagnosis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/**
 * Seeds of the fuzzers in addition to the stored inputs: the sample transcripts and, under the fuzzer, the vectors of
 * the conformance kit, which other tests of a build run.
 */
public final class Seeds {
    /** Whether the fuzzer runs, rather than a build that only replays the stored inputs. */
    static final boolean FUZZING = Boolean.getBoolean("parley.fuzzing");

    private static final Path SAMPLES = Path.of("samples");
    private static final Path KIT = Path.of("conformance");
    private static final int MAX_BYTES = 8_192;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Sample> SAMPLED = samples();

    /** Every record of every transcript, in the order of files and lines. */
    static final List<Sample> ALL = Stream.concat(SAMPLED.stream(), dialogues()).toList();

    private Seeds() {}

    /**
     * One record.
     *
     * @param transcript its transcript
     * @param place file and line
     * @param line the whole line
     * @param key key of the record, or null
     * @param headers headers of the record, as a JSON object; missing without headers
     * @param wire value of the record; null for a tombstone
     */
    @SuppressWarnings("ArrayRecordComponent") // samples are never compared
    record Sample(String transcript, String place, String line, String key, JsonNode headers, byte[] wire) {

        static Sample of(String transcript, String place, JsonNode record) {
            return new Sample(
                    transcript,
                    place,
                    record.toString(),
                    record.path("key").textValue(),
                    record.path("headers"),
                    valueOf(record));
        }

        Named<byte[]> named() {
            return Named.named(place, wire);
        }
    }

    private static boolean isOf(Protocol protocol, byte[] wire) {
        WireProtocol<?> detected = ValueDiagnosis.detect(wire, WireProtocols.STANDARD);
        return detected != null && detected.symbol() == protocol;
    }

    /** Messages of a protocol, and other bytes that resemble one. */
    static Stream<Named<byte[]>> wires(Protocol protocol) {
        Stream<Sample> sampled =
                SAMPLED.stream().filter(sample -> sample.wire() != null && isOf(protocol, sample.wire()));
        Path vectors = KIT.resolve("decode").resolve(protocol.name().toLowerCase(Locale.ROOT) + ".jsonl");
        return Stream.concat(sampled, vectors(vectors)).map(Sample::named);
    }

    /** Records with their headers and keys. */
    static Stream<Sample> records() {
        return Stream.concat(SAMPLED.stream(), files(KIT.resolve("record")).flatMap(Seeds::vectors));
    }

    /** Each line of the samples by itself. */
    public static Stream<Named<byte[]>> lines() {
        return SAMPLED.stream()
                .map(sample -> Named.named(sample.place(), sample.line().getBytes(UTF_8)));
    }

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        files(SAMPLES).forEach(file -> {
            int number = 0;
            for (String line : lines(file)) {
                number++;
                String name = file.getFileName().toString();
                samples.add(Sample.of(name, name + ":" + number, json(line)));
            }
        });
        return samples;
    }

    private static Stream<Sample> vectors(Path file) {
        if (!FUZZING) {
            return Stream.empty();
        }
        return lines(file).stream()
                .map(line -> {
                    JsonNode vector = json(line);
                    String id = vector.path("id").textValue();
                    return Sample.of(id, id, vector);
                })
                .filter(sample -> sample.wire() == null || sample.wire().length <= MAX_BYTES);
    }

    private static Stream<Sample> dialogues() {
        if (!FUZZING) {
            return Stream.empty();
        }
        return files(KIT.resolve("dialogue"))
                .flatMap(file -> lines(file).stream())
                .flatMap(line -> {
                    JsonNode vector = json(line);
                    String id = vector.path("id").textValue();
                    List<Sample> messages = new ArrayList<>();
                    vector.path("messages").forEach(message -> messages.add(Sample.of(id, id, message)));
                    return messages.stream();
                });
    }

    /** The value of a record: text, base64 or, in the conformance kit, pieces that may be repeated. */
    private static byte[] valueOf(JsonNode record) {
        if (record.hasNonNull("wireBase64")) {
            return Base64.getDecoder().decode(record.get("wireBase64").textValue());
        }
        JsonNode wire = record.path("wire");
        if (!wire.isArray()) {
            return wire.isTextual() ? wire.textValue().getBytes(UTF_8) : null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (JsonNode piece : wire) {
            if (piece.has("base64")) {
                bytes.writeBytes(Base64.getDecoder().decode(piece.get("base64").textValue()));
            } else if (piece.has("repeat")) {
                bytes.writeBytes(piece.get("repeat")
                        .textValue()
                        .repeat(piece.get("times").intValue())
                        .getBytes(UTF_8));
            } else {
                bytes.writeBytes(piece.textValue().getBytes(UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private static Stream<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(path -> path.toString().endsWith(".jsonl")).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException("the fuzz tests must run in the module's directory", e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
