package dev.parley.conformance;

import dev.parley.codec.Code;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * What there is to know about each code: what it does and means, what to do about it, where the rule stands, and a
 * message that gets it.
 */
public final class CodeGuide {
    private final Properties remedies;
    private final Properties sections;
    private final List<ConformanceVector> vectors;

    private CodeGuide(Properties remedies, Properties sections, List<ConformanceVector> vectors) {
        this.remedies = remedies;
        this.sections = sections;
        this.vectors = vectors;
    }

    /**
     * One code.
     *
     * @param code the code
     * @param kind what it does to a message, in the words of docs/codes.md
     * @param remedy what to do about it
     * @param section where docs/protocols.md has the rule: the number of its section, and behind a blank that of the
     *     decision, if it is one; null for a code that has no rule there
     * @param example a vector that expects it; empty for a code that none can show
     */
    public record Entry(Code code, String kind, String remedy, String section, Optional<ConformanceVector> example) {}

    /** The guide that is in this jar. */
    public static CodeGuide load() throws IOException, InvalidVectorException {
        return new CodeGuide(properties("remedies.properties"), properties("sections.properties"), Kit.bundled());
    }

    /** What there is to know about a code. */
    public Entry entry(Code code) {
        return new Entry(
                code,
                kind(code.kind()),
                remedies.getProperty(code.name(), ""),
                sections.getProperty(code.name()),
                example(code));
    }

    /** The code's example: one that is marked, else the one that shows least beside it. */
    private Optional<ConformanceVector> example(Code code) {
        return vectors.stream()
                .filter(vector -> vector.codes().contains(code))
                .min(Comparator.comparing(ConformanceVector::example, Comparator.reverseOrder())
                        .thenComparing(ConformanceVector::kind)
                        .thenComparing(vector -> vector.codes().size())
                        .thenComparing(vector -> vector.shown().size())
                        .thenComparing(vector -> vector.settingsShown().size())
                        .thenComparing(vector -> vector.shown().stream()
                                .mapToInt(shown -> shown.wire().length())
                                .sum()));
    }

    /** Name of a kind in documentation and output. */
    public static String kind(Code.Kind kind) {
        return switch (kind) {
            case MALFORMED -> "decode error";
            case VIOLATION -> "violation";
            case PATCH_VIOLATION -> "patch violation";
            case FORM_WARNING -> "form warning";
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
