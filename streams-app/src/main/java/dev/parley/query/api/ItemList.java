package dev.parley.query.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.query.http.ResponseBudget;

/**
 * The items of a page, as many as fit into a response.
 *
 * @param items where they are put
 * @param budget of the response
 */
record ItemList(ArrayNode items, ResponseBudget budget) {

    /** Adds an item if it fits. */
    boolean addIfFits(JsonNode item) {
        if (!budget.add(item)) {
            return false;
        }
        items.add(item);
        return true;
    }

    /** Adds an item if it fits or is the first: without one, the next page would begin where this one did. */
    boolean add(JsonNode item) {
        boolean first = items.isEmpty();
        if (addIfFits(item)) {
            return true;
        }
        if (first) {
            budget.force(item);
            items.add(item);
        }
        return first;
    }

    int size() {
        return items.size();
    }
}
