package dev.parley.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.http.Json;
import dev.parley.server.http.ResponseBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** Collects the items of a page with their store keys, as many as fit into a response. */
final class KeyedItems {

    private final ResponseBudget budget;
    private final List<ViewAnswer.Item> items = new ArrayList<>();

    KeyedItems(ResponseBudget budget) {
        this.budget = budget;
    }

    /** Adds an item if it fits or is the first. */
    boolean add(Bytes key, JsonNode item) {
        return addIfFits(key, item) || addFirst(key, item);
    }

    /** Adds an item if it fits. */
    boolean addIfFits(Bytes key, JsonNode item) {
        return budget.add(item) && put(key, item);
    }

    /** Adds an item if it is the first, whatever its size. */
    boolean addFirst(Bytes key, JsonNode item) {
        if (!items.isEmpty()) {
            return false;
        }
        budget.addFirst(item);
        return put(key, item);
    }

    private boolean put(Bytes key, JsonNode item) {
        return items.add(new ViewAnswer.Item(key, Json.bytes(item)));
    }

    /** @param end the last key that was examined; empty if the list ends here */
    ViewAnswer.Page page(Optional<Bytes> end) {
        return new ViewAnswer.Page(items, end);
    }
}
