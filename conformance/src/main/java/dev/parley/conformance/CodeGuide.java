package dev.parley.conformance;

import dev.parley.codec.Code;
import dev.parley.conformance.ConformanceVector.Shown;
import dev.parley.json.model.Codes;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Guide to each code: kind, meaning, remedy, rule, and an example.
 *
 * @param remedies what to do, by code
 * @param sections section of docs/protocols.md, by code
 * @param vectors the vectors among which the examples are; none if there are none
 */
public record CodeGuide(Properties remedies, Properties sections, List<ConformanceVector> vectors) {
    private static final String REMEDIES = "remedies.properties";
    private static final String SECTIONS = "sections.properties";

    /** Loads the guide from the jar, with the examples of these codes only. */
    public static CodeGuide load(Collection<Code> codes) throws IOException, InvalidVectorException {
        return new CodeGuide(
                properties(REMEDIES),
                properties(SECTIONS),
                VectorFiles.bundled(line -> codes.stream().anyMatch(code -> line.contains(code.name()))));
    }

    /** Loads the guide without the examples, which take longer to read. */
    public static CodeGuide withoutExamples() {
        try {
            return new CodeGuide(properties(REMEDIES), properties(SECTIONS), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the guide to the codes", e);
        }
    }

    /**
     * Returns the description of a code.
     *
     * @throws IllegalStateException if the remedy or the section of the code is missing; the message names the file
     */
    public Codes.Description entry(Code code) {
        return new Codes.Description(
                code.name(),
                kind(code.kind()),
                code.meaning(),
                required(remedies, REMEDIES, code),
                required(sections, SECTIONS, code));
    }

    private static String required(Properties properties, String file, Code code) {
        String value = properties.getProperty(code.name(), "");
        if (value.isBlank()) {
            throw new IllegalStateException(
                    file + " has no line for " + code + "; add one, see \"Add a code\" in CONTRIBUTING.md");
        }
        return value;
    }

    /**
     * Returns a vector that ends with the code: the marked example, otherwise the smallest one with the fewest other
     * codes; empty for a code that no vector can show.
     */
    public Optional<VectorHeader> example(Code code) {
        Pattern name = Pattern.compile("\\b" + code.name() + "\\b");
        return vectors.stream()
                .map(ConformanceVector::header)
                .filter(vector -> vector.codes().contains(code))
                .min(Comparator.<VectorHeader, Boolean>comparing(vector -> endsWith(vector, name))
                        .thenComparing(VectorHeader::example)
                        .reversed()
                        .thenComparing(VectorHeader::kind)
                        .thenComparing(vector -> vector.codes().size())
                        .thenComparing(vector -> vector.shown().size())
                        .thenComparing(vector -> vector.settingsShown().size())
                        .thenComparing(vector -> vector.shown().stream()
                                .mapToInt(shown -> shown.wire().length())
                                .sum()));
    }

    private static boolean endsWith(VectorHeader vector, Pattern code) {
        List<Shown> shown = vector.shown();
        return !shown.isEmpty()
                && code.matcher(shown.get(shown.size() - 1).outcome()).find();
    }

    public static String kind(Code.Kind kind) {
        return switch (kind) {
            case MALFORMED -> "decode error";
            case VIOLATION -> "violation";
            case PATCH_VIOLATION -> "patch violation";
            case FORM_WARNING -> "format warning";
            case WARNING -> "warning";
        };
    }

    private static Properties properties(String name) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = CodeGuide.class.getResourceAsStream(name)) {
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        }
        return properties;
    }
}
