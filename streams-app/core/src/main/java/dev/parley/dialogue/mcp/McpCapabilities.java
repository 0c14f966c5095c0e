package dev.parley.dialogue.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Capabilities that a side declares in the handshake. */
final class McpCapabilities {
    /** Those that a rule asks for. A name with a dot is a member that is true in the object of another. */
    private static final List<String> KNOWN = List.of(
            "tools",
            "tools.listChanged",
            "resources",
            "resources.subscribe",
            "resources.listChanged",
            "prompts",
            "prompts.listChanged",
            "completions",
            "logging",
            "roots",
            "roots.listChanged",
            "sampling",
            "elicitation");

    private McpCapabilities() {}

    /**
     * Returns the declared ones of the known capabilities.
     *
     * @param json an object of capabilities; null for none
     */
    static List<String> names(String json) {
        Map<String, String> declared = McpJson.members(json);
        List<String> names = new ArrayList<>();
        for (String known : KNOWN) {
            int dot = known.indexOf('.');
            boolean isDeclared = dot < 0
                    ? declared.containsKey(known)
                    : "true"
                            .equals(McpJson.members(declared.get(known.substring(0, dot)))
                                    .get(known.substring(dot + 1)));
            if (isDeclared) {
                names.add(known);
            }
        }
        return names;
    }
}
