package dev.parley.stage;

import dev.parley.avro.ConversationItem;
import dev.parley.checkpoint.SortedStore;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Stores the items of all conversations that have records of their own, each under a hash of its chain and its key. The
 * keys of one conversation are adjacent, and their length does not depend on its name.
 *
 * @param items the store of all of them
 */
public record ItemStore(SortedStore<ConversationItem> items) {

    /** Returns the stored older items of a conversation. */
    public OlderItems.Source of(String chain) {
        String prefix = StoredText.key(chain);
        return new OlderItems.Source() {
            @Override
            public ConversationItem get(String key) {
                return items.get(prefix + key).orElse(null);
            }

            @Override
            public void scan(BiPredicate<String, ConversationItem> visitor) {
                items.scan(prefix, (key, item) -> visitor.test(key.substring(prefix.length()), item));
            }
        };
    }

    /** Stores the changes of the older items of a conversation. Deletes {@link OlderItems#MAX_COUNT} items at most. */
    public void put(String chain, OlderItems changed) {
        if (!changed.cleared() && changed.changes().isEmpty()) {
            return;
        }
        String prefix = StoredText.key(chain);
        if (changed.cleared()) {
            List<String> keys = new ArrayList<>();
            items.scan(prefix, (key, item) -> {
                keys.add(key);
                return keys.size() < OlderItems.MAX_COUNT;
            });
            keys.forEach(items::delete);
        }
        changed.changes().forEach((key, item) -> {
            if (item == null) {
                items.delete(prefix + key);
            } else {
                items.put(prefix + key, item);
            }
        });
    }
}
