package dev.parley.server.api;

import dev.parley.checkpoint.StateDiff;
import dev.parley.json.model.state.DiffPage;
import dev.parley.json.model.state.StatePage;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.http.ResponseBudget;
import dev.parley.state.StateAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Pages of a large state, and of a large difference, in the order of the entries' names. The cursor is the name of the
 * last entry, so a page of a fixed moment never repeats or skips an entry. The page is cut from the whole state, which
 * each request reads.
 */
final class StatePages {

    private StatePages() {}

    /** Whether a request asks for a page. */
    static boolean isRequested(Parameters parameters) {
        return parameters.text(Parameters.LIMIT).isPresent()
                || parameters.cursor().isPresent();
    }

    /** A page of the entries of a state. */
    static StatePage of(StateAnswer.State state, Parameters parameters, ResponseBudget budget) {
        SortedMap<String, StatePage.Entry> entries = new TreeMap<>();
        state.entries().forEach((name, value) -> entries.put(name, new StatePage.Entry(name, value)));
        return page(entries, parameters, budget, (items, next) -> StatePage.of(state, items, next));
    }

    /** A page of the changes of a difference. */
    static DiffPage of(StateAnswer.Difference difference, Parameters parameters, ResponseBudget budget) {
        StateDiff diff = difference.diff();
        SortedMap<String, DiffPage.Change> changes = new TreeMap<>();
        diff.added().forEach((name, value) -> changes.put(name, new DiffPage.Change(name, "ADDED", null, value)));
        diff.changed()
                .forEach((name, change) ->
                        changes.put(name, new DiffPage.Change(name, "CHANGED", change.before(), change.after())));
        diff.removed().forEach((name, value) -> changes.put(name, new DiffPage.Change(name, "REMOVED", value, null)));
        return page(changes, parameters, budget, (items, next) -> DiffPage.of(difference, items, next));
    }

    private static <V, P> P page(
            SortedMap<String, V> all,
            Parameters parameters,
            ResponseBudget budget,
            BiFunction<List<V>, String, P> page) {
        int limit = parameters.limit();
        SortedMap<String, V> rest =
                parameters.cursor().map(last -> all.tailMap(last + '\0')).orElse(all);
        List<V> items = new ArrayList<>();
        String last = null;
        for (Map.Entry<String, V> entry : rest.entrySet()) {
            if (items.size() == limit || !budget.addOrFirst(entry.getValue(), items.isEmpty())) {
                return page.apply(items, last);
            }
            items.add(entry.getValue());
            last = entry.getKey();
        }
        return page.apply(items, null);
    }
}
