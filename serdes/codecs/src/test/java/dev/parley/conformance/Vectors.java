package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The vectors in the folder conformance. */
public final class Vectors {
    private static final Path KIT = Path.of("conformance");

    private Vectors() {}

    /** Messages in canonical form, which decode and encode to the same bytes. */
    public static List<String> canonicalWires(Protocol protocol) {
        return wires(protocol, true);
    }

    /** Messages that the lenient profile accepts although their form is not canonical. */
    public static List<String> nonCanonicalWires(Protocol protocol) {
        return wires(protocol, false);
    }

    /** The vectors of every file below a folder of the kit, one per line. */
    static List<JsonNode> in(String folder) {
        List<JsonNode> vectors = new ArrayList<>();
        try (Stream<Path> files = Files.list(KIT.resolve(folder))) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    vectors.add(VectorJson.parse(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return vectors;
    }

    /** Only vectors without repeated pieces, which are too large for tests of every byte. */
    private static List<String> wires(Protocol protocol, boolean canonical) {
        String name = protocol.name().toLowerCase(Locale.ROOT);
        return in("decode").stream()
                .filter(vector -> vector.get("protocol").textValue().equals(name))
                .filter(vector -> vector.get("wire").isTextual() && !vector.has("settings"))
                .filter(vector ->
                        outcome(vector).has("message") && outcome(vector).has("canonical") != canonical)
                .map(vector -> vector.get("wire").textValue())
                .toList();
    }

    private static JsonNode outcome(JsonNode vector) {
        return vector.has("expect") ? vector.get("expect") : vector.path("lenient");
    }
}
