package dev.parley.cli.io;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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

    /** Prints text for a person. */
    public static void print(PrintWriter out, int width) {
        for (ConfigKey key : keys()) {
            String fallback = fallback(key);
            out.println(key.name + " (" + type(key) + (fallback.isEmpty() ? "" : ", default " + fallback) + ")");
            paragraph(out, key.documentation, width);
            if (!allowed(key).isEmpty()) {
                paragraph(out, "Allowed: " + allowed(key), width);
            }
            paragraph(out, "Environment: " + ParleyConfig.variable(key.name), width);
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
        for (ConfigKey key : keys()) {
            JsonLines.print(JsonNodeFactory.instance
                    .objectNode()
                    .put("key", key.name)
                    .put("type", type(key))
                    .put("default", fallback(key).isEmpty() ? null : fallback(key))
                    .put("allowed", allowed(key).isEmpty() ? null : allowed(key))
                    .put("importance", key.importance.name().toLowerCase(Locale.ROOT))
                    .put("description", key.documentation)
                    .put("variable", ParleyConfig.variable(key.name)));
        }
    }

    private static List<ConfigKey> keys() {
        return List.copyOf(ServerConfig.definition().configKeys().values());
    }

    private static String type(ConfigKey key) {
        return key.type.name().toLowerCase(Locale.ROOT);
    }

    private static String fallback(ConfigKey key) {
        return key.defaultValue == null ? "" : ConfigDef.convertToString(key.defaultValue, key.type);
    }

    private static String allowed(ConfigKey key) {
        return key.validator == null ? "" : key.validator.toString();
    }

    private static void paragraph(PrintWriter out, String text, int width) {
        Table.wrapped(text, width - INDENT.length()).forEach(line -> out.println(INDENT + line));
    }
}
