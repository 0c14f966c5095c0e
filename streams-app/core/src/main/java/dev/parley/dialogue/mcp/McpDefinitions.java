package dev.parley.dialogue.mcp;

import dev.parley.codec.json.JsonWriter;
import java.util.Map;
import java.util.TreeMap;

/** Definitions of tools, prompts and resources. */
public final class McpDefinitions {
    private McpDefinitions() {}

    /**
     * Returns a definition as JSON without {@code _meta}, which may differ in each list, with its members in the order
     * of their names.
     *
     * @param members its members as JSON texts
     */
    public static String text(Map<String, String> members) {
        StringBuilder text = new StringBuilder("{");
        new TreeMap<>(members).forEach((name, json) -> {
            if (!name.equals("_meta")) {
                text.append(text.length() > 1 ? "," : "")
                        .append(JsonWriter.quoted(name))
                        .append(':')
                        .append(json);
            }
        });
        return text.append('}').toString();
    }
}
