package dev.parley.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.checkpoint.StateDiff;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How the entries of a state are shown, one shape for each kind. The names are those that the folds of {@link dev.parley.state} give. */
final class StateShapes {
    private static final Set<String> TEXTS = Set.of("status", "tag");
    private static final String NOBODY = "-";

    private StateShapes() {}

    /** Bytes of the names and values of a state as JSON. */
    static long size(Map<String, String> entries) {
        long size = 0;
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            size += ResponseBudget.text(entry.getKey()) + ResponseBudget.text(entry.getValue());
        }
        return size;
    }

    /** The same of a difference. */
    static long size(StateDiff diff) {
        long size = size(diff.added()) + size(diff.removed());
        for (Map.Entry<String, StateDiff.Change> entry : diff.changed().entrySet()) {
            size += ResponseBudget.text(entry.getKey())
                    + ResponseBudget.text(entry.getValue().before())
                    + ResponseBudget.text(entry.getValue().after());
        }
        return size;
    }

    /** The entries in the shape of their kind; as an object of texts when the kind has none of its own. */
    static void show(String kind, ObjectNode answer, Map<String, String> entries) {
        switch (kind) {
            case "board" -> board(answer, entries);
            case "forms" -> forms(answer, entries);
            case "terms" -> terms(answer, entries);
            default -> {
                ObjectNode values = answer.putObject("entries");
                entries.forEach(values::put);
            }
        }
    }

    /** SLIP: the tasks by number, what belongs to none first, each with its fields. */
    private static void board(ObjectNode answer, Map<String, String> entries) {
        Map<Long, ObjectNode> tasks = new TreeMap<>(Comparator.nullsFirst(Comparator.naturalOrder()));
        entries.forEach((name, value) -> {
            String[] parts = name.split("/", 3);
            Long task = parts[1].equals(NOBODY) ? null : Long.valueOf(parts[1]);
            ObjectNode node = tasks.computeIfAbsent(task, key -> Json.object().put("task", key));
            if (TEXTS.contains(parts[2])) {
                node.put(parts[2], value);
            } else {
                node.put(parts[2], Long.parseLong(value));
            }
        });
        answer.putArray("tasks").addAll(tasks.values());
    }

    /** SUBIT: each agent's form as a number, as bits, and by the name that SUBIT-Lingua gives it. */
    private static void forms(ObjectNode answer, Map<String, String> entries) {
        ArrayNode agents = answer.putArray("agents");
        entries.forEach((name, value) -> {
            String agent = rest(name);
            int form = Integer.parseInt(value);
            agents.addObject()
                    .put("agent", agent.equals(NOBODY) ? null : agent)
                    .put("form", form)
                    .put("bits", bits(form))
                    .put("name", syllable('K', form >> 4) + '-' + syllable('T', form >> 2) + '-' + syllable('M', form));
        });
    }

    /** Λ: definitions and agreements. */
    private static void terms(ObjectNode answer, Map<String, String> entries) {
        ObjectNode definitions = answer.putObject("definitions");
        ObjectNode agreements = answer.putObject("agreements");
        entries.forEach(
                (name, value) -> (name.startsWith("definition/") ? definitions : agreements).put(rest(name), value));
    }

    private static String rest(String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    private static String bits(int form) {
        return Integer.toBinaryString(64 + form).substring(1);
    }

    private static String syllable(char consonant, int bits) {
        return "" + consonant + "AEOU".charAt(bits & 3);
    }
}
