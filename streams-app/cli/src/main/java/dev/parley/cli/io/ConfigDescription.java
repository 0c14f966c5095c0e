package dev.parley.cli.io;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** Describes every configuration key: its type, default, allowed values, meaning, and environment variable. */
public final class ConfigDescription {
    private static final String INDENT = "    ";

    private ConfigDescription() {}

    /** A key, as JSON describes it. */
    private record Key(
            String key,
            String type,
            @JsonProperty("default") String fallback,
            String allowed,
            String description,
            String variable) {
        static Key of(ConfigKey key) {
            return new Key(
                    key.name,
                    key.type.name().toLowerCase(Locale.ROOT),
                    text(key.defaultValue == null ? null : ConfigDef.convertToString(key.defaultValue, key.type)),
                    text(key.validator),
                    key.documentation,
                    ParleyConfig.variable(key.name));
        }

        private static String text(Object value) {
            return value == null || value.toString().isEmpty() ? null : value.toString();
        }
    }

    /** Prints text for a person. */
    public static void print(PrintWriter out, int width) {
        for (Key key : keys()) {
            out.println(key.key() + " (" + key.type() + (key.fallback() == null ? "" : ", default " + key.fallback())
                    + ")");
            paragraph(out, key.description(), width);
            if (key.allowed() != null) {
                paragraph(out, "Allowed: " + key.allowed(), width);
            }
            paragraph(out, "Environment: " + key.variable(), width);
            out.println();
        }
        paragraph(
                out,
                "Keys that start with kafka. go to the Kafka clients without that prefix; keys that start with"
                        + " schema.registry. go to the Schema Registry client.",
                width);
        out.flush();
    }

    /** Prints a JSON object per key. */
    public static void printJson() {
        keys().forEach(JsonLines::print);
    }

    private static List<Key> keys() {
        return ServerConfig.definition().configKeys().values().stream()
                .map(Key::of)
                .toList();
    }

    private static void paragraph(PrintWriter out, String text, int width) {
        Table.wrapped(text, width - INDENT.length()).forEach(line -> out.println(INDENT + line));
    }
}
