package dev.parley.cli.environment;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Derives the states of every CSP context from the bytes of the accepted patches: the state of the base with the lines
 * of the patch applied in order. Independent of checkpoints, snapshots and stores.
 */
public final class ContextStateOracle {
    private static final Map<String, String> EMPTY = Map.of();

    /** A context's checkpoints in the order in which they were made, each with its base and its state. */
    public record Context(String namespace, String id, Map<String, State> checkpoints) {}

    public record State(String base, Map<String, String> definitions) {}

    private final Map<String, Context> contexts = new LinkedHashMap<>();

    /** Takes the audit records of a context in the order of their chain; others pass by. */
    public void accept(AuditRecord audit) {
        if (!audit.getVerdict().equals(Verdict.ACCEPTED.name())
                || audit.getWarnings().contains("CSP_DUPLICATE")) {
            return;
        }
        String wire = StandardCharsets.UTF_8
                .decode(audit.getMessage().getRaw().duplicate())
                .toString();
        if (!wire.startsWith("CSP/1\n") || !wire.contains("\nINTENT PATCH\n")) {
            return;
        }
        String namespace = audit.getMessage().getNamespace();
        String id = audit.getMessage().getConversation();
        Context context = contexts.computeIfAbsent(
                namespace + "/" + id, key -> new Context(namespace, id, new LinkedHashMap<>()));
        fold(wire, context);
    }

    private static void fold(String wire, Context context) {
        String base = null;
        String target = null;
        Map<String, String> state = new TreeMap<>();
        for (String line : wire.lines().toList()) {
            if (line.startsWith("BASE ")) {
                base = line.substring("BASE ".length());
                state.putAll(definitions(context, base));
            } else if (line.startsWith("APPLY -> ")) {
                target = line.substring("APPLY -> ".length());
            } else if (line.startsWith("+ DEF ")) {
                define(line, " = ", state);
            } else if (line.startsWith("~ DEF ")) {
                define(line, " := ", state);
            } else if (line.startsWith("- DEF ")) {
                state.remove(line.substring("- DEF ".length()));
            }
        }
        if (context.checkpoints().put(target, new State(base, state)) != null) {
            throw new AssertionError("checkpoint " + target + " of " + context.id() + " was made twice");
        }
    }

    private static void define(String line, String sign, Map<String, String> state) {
        int at = line.indexOf(sign);
        state.put(line.substring("+ DEF ".length(), at), line.substring(at + sign.length()));
    }

    private static Map<String, String> definitions(Context context, String id) {
        if (id.equals("C0")) {
            return EMPTY;
        }
        State state = context.checkpoints().get(id);
        if (state == null) {
            throw new AssertionError(
                    "a patch was accepted on " + id + " of " + context.id() + ", which does not exist");
        }
        return state.definitions();
    }

    public List<Context> contexts() {
        return List.copyOf(contexts.values());
    }

    /** The expected difference: old and new value by name, null where it is undefined. */
    public static Map<String, String[]> difference(Map<String, String> from, Map<String, String> to) {
        Map<String, String[]> changes = new HashMap<>();
        from.forEach((name, value) -> {
            if (!value.equals(to.get(name))) {
                changes.put(name, new String[] {value, to.get(name)});
            }
        });
        to.forEach((name, value) -> {
            if (!from.containsKey(name)) {
                changes.put(name, new String[] {null, value});
            }
        });
        return changes;
    }
}
