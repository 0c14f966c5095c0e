package dev.parley.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.checkpoint.StateDiff;
import dev.parley.json.StateJson;
import dev.parley.server.http.Json;
import dev.parley.server.http.ResponseBudget;
import dev.parley.state.StateAnswer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Pages of a large state, and of a large difference, in the order of the entries' names. The cursor is the name of the
 * last entry, so a page of a fixed moment never repeats or skips an entry. The page is cut from the whole state, which
 * each request reads.
 */
final class StatePage {

    private StatePage() {}

    /** Whether a request asks for a page. */
    static boolean isRequested(Parameters parameters) {
        return parameters.text(Parameters.LIMIT).isPresent()
                || parameters.cursor().isPresent();
    }

    /** A page of the entries of a state: {@code items} and {@code next} instead of its structure. */
    static ObjectNode of(StateAnswer.State state, Parameters parameters, ResponseBudget budget) {
        ObjectNode answer = StateJson.of(
                new StateAnswer.Point(state.conversation(), state.kind(), state.at(), state.asOf(), state.redacted()));
        return page(
                answer.put("total", state.entries().size()),
                state.entries(),
                entry -> Json.object().put("entry", entry.getKey()).put("value", entry.getValue()),
                parameters,
                budget);
    }

    /** A page of the changes of a difference, each with {@code change}: ADDED, CHANGED or REMOVED. */
    static ObjectNode of(StateAnswer.Difference difference, Parameters parameters, ResponseBudget budget) {
        StateDiff diff = difference.diff();
        SortedMap<String, ObjectNode> changes = new TreeMap<>();
        diff.added().forEach((name, value) -> changes.put(name, change(name, "ADDED", null, value)));
        diff.changed()
                .forEach((name, change) -> changes.put(name, change(name, "CHANGED", change.before(), change.after())));
        diff.removed().forEach((name, value) -> changes.put(name, change(name, "REMOVED", value, null)));
        ObjectNode answer = StateJson.of(new StateAnswer.Difference(
                difference.conversation(),
                difference.kind(),
                difference.from(),
                difference.to(),
                difference.fromAsOf(),
                difference.toAsOf(),
                new StateDiff(Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap()),
                difference.redacted()));
        answer.remove(List.of("added", "changed", "removed"));
        answer.putObject("counts")
                .put("added", diff.added().size())
                .put("changed", diff.changed().size())
                .put("removed", diff.removed().size());
        return page(answer, changes, Map.Entry::getValue, parameters, budget);
    }

    private static ObjectNode change(String name, String change, String before, String after) {
        return Json.object()
                .put("entry", name)
                .put("change", change)
                .put("old", before)
                .put("new", after);
    }

    private static <V> ObjectNode page(
            ObjectNode answer,
            SortedMap<String, V> all,
            Function<Map.Entry<String, V>, ObjectNode> item,
            Parameters parameters,
            ResponseBudget budget) {
        int limit = parameters.limit();
        SortedMap<String, V> rest =
                parameters.cursor().map(last -> all.tailMap(last + '\0')).orElse(all);
        ArrayNode items = answer.putArray("items");
        answer.putNull("next");
        String last = null;
        for (Map.Entry<String, V> entry : rest.entrySet()) {
            ObjectNode node = item.apply(entry);
            if (items.size() == limit || !fits(budget, node, items.isEmpty())) {
                return answer.put("next", last);
            }
            items.add(node);
            last = entry.getKey();
        }
        return answer;
    }

    private static boolean fits(ResponseBudget budget, ObjectNode node, boolean first) {
        if (budget.add(node)) {
            return true;
        }
        if (first) {
            budget.addFirst(node);
        }
        return first;
    }
}
