package dev.parley.server.api.view;

import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.http.ResponseBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** Collects the items of a page with their store keys, as many as fit into a response. */
public final class KeyedItems {

    private final ResponseBudget budget;
    private final List<ViewAnswer.Item> items = new ArrayList<>();
    private Optional<Bytes> end = Optional.empty();

    /** Creates an empty page of a response with a budget. */
    public KeyedItems(ResponseBudget budget) {
        this.budget = budget;
    }

    /** Adds an item if it fits or is the first. */
    public boolean add(Bytes key, Object item) {
        return budget.add(item, items.isEmpty()) && items.add(new ViewAnswer.Item(key, item));
    }

    /** Adds an item if it fits. */
    public boolean addIfFits(Bytes key, Object item) {
        return budget.add(item, false) && items.add(new ViewAnswer.Item(key, item));
    }

    /** Adds an item if it is the first, whatever its size. */
    public boolean addFirst(Bytes key, Object item) {
        return items.isEmpty() && add(key, item);
    }

    /** Number of items. */
    public int size() {
        return items.size();
    }

    /** Key of the last item; empty without one. */
    public Optional<Bytes> lastKey() {
        return items.isEmpty()
                ? Optional.empty()
                : Optional.of(items.get(items.size() - 1).key());
    }

    /** @param last the last key that was examined; empty if the list ends here */
    public KeyedItems endAt(Optional<Bytes> last) {
        end = last;
        return this;
    }

    ViewAnswer.Page page() {
        return new ViewAnswer.Page(items, end);
    }
}
