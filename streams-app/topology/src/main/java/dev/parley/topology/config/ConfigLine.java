package dev.parley.topology.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigException;

/**
 * A line of a configuration file that has one JSON object per line, and blank lines and lines that start with #, which
 * are skipped. Its messages repeat no content, which may be a secret by mistake.
 */
public final class ConfigLine {
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    private final ObjectNode object;

    private ConfigLine(String line) {
        try {
            if (!(JSON.readTree(line) instanceof ObjectNode node)) {
                throw new IllegalArgumentException("it must be a JSON object");
            }
            object = node;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it must be JSON with each key once", e);
        }
    }

    /**
     * Parses all lines.
     *
     * @param source name of the file for error messages
     * @param parser parses a line; its {@link IllegalArgumentException} says what the line must be
     * @param advice end of the message of an invalid line
     * @throws ConfigException if a line is invalid; the message names file and line
     */
    public static <V> List<V> parse(String source, String text, Function<ConfigLine, V> parser, String advice) {
        List<V> values = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                try {
                    values.add(parser.apply(new ConfigLine(line)));
                } catch (IllegalArgumentException e) {
                    throw new ConfigException(source + ", line " + number + ": " + e.getMessage() + advice);
                }
            }
        }
        return values;
    }

    /** The first key that is not allowed. */
    public Optional<String> unknownKey(Set<String> allowed) {
        return object.properties().stream()
                .map(field -> field.getKey())
                .filter(key -> !allowed.contains(key))
                .findFirst();
    }

    /** Whether the line has a key. */
    public boolean has(String key) {
        return object.has(key);
    }

    /** A text; empty if the key is missing or has another type. */
    public String text(String key) {
        JsonNode value = object.path(key);
        return value.isTextual() ? value.textValue() : "";
    }

    /**
     * An array of names.
     *
     * @throws IllegalArgumentException if it is missing or empty, or a name is blank
     */
    public Set<String> names(String key) {
        JsonNode list = object.path(key);
        Set<String> names = new LinkedHashSet<>();
        list.forEach(name -> names.add(name.isTextual() ? name.textValue() : ""));
        if (!list.isArray() || names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException(key + " must be an array of at least one name, and no name blank");
        }
        return names;
    }
}
