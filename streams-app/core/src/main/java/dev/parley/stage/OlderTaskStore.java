package dev.parley.stage;

import dev.parley.avro.OlderTask;
import dev.parley.checkpoint.SortedStore;
import dev.parley.dialogue.OlderTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Stores the older tasks of all conversations, each under the length of its chain, the chain, and its key, so that the
 * keys of one conversation are adjacent whatever its name contains.
 *
 * @param tasks the store of all of them
 */
public record OlderTaskStore(SortedStore<OlderTask> tasks) {

    /** Returns the stored older tasks of a conversation. */
    public OlderTasks.Source of(String chain) {
        String prefix = prefix(chain);
        return new OlderTasks.Source() {
            @Override
            public OlderTask get(String key) {
                return tasks.get(prefix + key).orElse(null);
            }

            @Override
            public void scan(BiPredicate<String, OlderTask> visitor) {
                tasks.scan(prefix, (key, task) -> visitor.test(key.substring(prefix.length()), task));
            }
        };
    }

    /** Stores the changes of the older tasks of a conversation. Deletes {@link OlderTasks#MAX_COUNT} tasks at most. */
    public void put(String chain, OlderTasks changed) {
        if (!changed.cleared() && changed.changes().isEmpty()) {
            return;
        }
        String prefix = prefix(chain);
        if (changed.cleared()) {
            List<String> keys = new ArrayList<>();
            tasks.scan(prefix, (key, task) -> {
                keys.add(key);
                return keys.size() < OlderTasks.MAX_COUNT;
            });
            keys.forEach(tasks::delete);
        }
        changed.changes().forEach((key, task) -> {
            if (task == null) {
                tasks.delete(prefix + key);
            } else {
                tasks.put(prefix + key, task);
            }
        });
    }

    private static String prefix(String chain) {
        return chain.length() + ":" + chain + ":";
    }
}
