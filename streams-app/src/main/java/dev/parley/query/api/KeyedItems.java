package dev.parley.query.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.http.Json;
import dev.parley.query.http.ResponseBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;

/** The items of a page of a store with their keys, as many as fit into a response. */
final class KeyedItems {

    private final ItemList items;
    private final List<Bytes> keys = new ArrayList<>();

    /** @param budget of the response */
    KeyedItems(ResponseBudget budget) {
        this.items = new ItemList(Json.array(), budget);
    }

    /** Adds an item if it fits or is the first. */
    boolean add(Bytes key, JsonNode item) {
        return added(key, items.add(item));
    }

    /** Adds an item if it fits. */
    boolean addIfFits(Bytes key, JsonNode item) {
        return added(key, items.addIfFits(item));
    }

    /** Adds an item if it is the first. */
    boolean addFirst(Bytes key, JsonNode item) {
        return keys.isEmpty() && add(key, item);
    }

    private boolean added(Bytes key, boolean added) {
        if (added) {
            keys.add(key);
        }
        return added;
    }

    /**
     * The page.
     *
     * @param end the last key that was examined; empty if the list ends here
     */
    ViewAnswer.Page page(Optional<Bytes> end) {
        return new ViewAnswer.Page(
                IntStream.range(0, keys.size())
                        .mapToObj(i -> new ViewAnswer.Item(
                                keys.get(i), Json.bytes(items.items().get(i))))
                        .toList(),
                end);
    }
}
