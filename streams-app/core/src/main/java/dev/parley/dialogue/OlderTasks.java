package dev.parley.dialogue;

import dev.parley.avro.OlderTask;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * The tasks of a conversation that are not in its state, because others were active later. Each has a record of its
 * own, so that the cost of a message does not grow with the number of tasks. Contains the changes since the state was
 * read, which {@link dev.parley.stage.ConversationStore} stores with the state. Immutable, but reads stored tasks when
 * it needs them, so only the current state of a conversation may be used.
 *
 * @param count number of tasks
 * @param bytes approximate bytes of the tasks
 * @param source the stored tasks
 * @param changes tasks to be stored, by key; null for those to be deleted
 * @param cleared whether all stored tasks are to be deleted, before the changes
 * @param deadline tasks last active before this time have expired if they close by idle time, milliseconds since the
 *     epoch
 */
public record OlderTasks(
        int count, long bytes, Source source, Map<String, OlderTask> changes, boolean cleared, long deadline) {
    /** No older tasks. */
    public static final OlderTasks NONE = new OlderTasks(0, 0, Source.EMPTY, Map.of(), false, Long.MIN_VALUE);

    /** Maximum number of tasks that are read or deleted at once; more than {@link StateBytes#MAX_BYTES} allows. */
    public static final int MAX_COUNT = 1 << 17;

    /** The stored older tasks of one conversation. */
    public interface Source {
        /** A source without tasks. */
        Source EMPTY = new Source() {
            @Override
            public OlderTask get(String key) {
                return null;
            }

            @Override
            public void scan(BiPredicate<String, OlderTask> visitor) {
                // There is none.
            }
        };

        /** Returns a task; null if there is none with this key. */
        OlderTask get(String key);

        /** Visits tasks with their keys until the visitor returns false. */
        void scan(BiPredicate<String, OlderTask> visitor);
    }

    /**
     * Returns stored older tasks.
     *
     * @param count their number; another client may have written any
     * @param bytes their approximate bytes; another client may have written any
     */
    public static OlderTasks of(int count, long bytes, Source source) {
        return count <= 0
                ? NONE
                : new OlderTasks(
                        Math.min(count, MAX_COUNT),
                        Math.max(0, Math.min(bytes, Integer.MAX_VALUE)),
                        source,
                        Map.of(),
                        false,
                        Long.MIN_VALUE);
    }

    /** Returns these tasks; those that were idle since before a time, and close by that, have expired. */
    OlderTasks withDeadline(long time) {
        return new OlderTasks(count, bytes, source, changes, cleared, time);
    }

    /** Returns a task, expired or not; null if there is none with this key. */
    OlderTask get(String key) {
        if (count == 0) {
            return null;
        }
        OlderTask changed = changes.get(key);
        return changed != null || changes.containsKey(key) ? changed : source.get(key);
    }

    /**
     * Returns the tasks after changes.
     *
     * @param more tasks by key; null for those to be removed
     * @param newCount number of tasks after them
     * @param newBytes approximate bytes after them
     */
    @SuppressWarnings("ReferenceEquality")
    OlderTasks with(Map<String, OlderTask> more, int newCount, long newBytes) {
        Map<String, OlderTask> all = new HashMap<>(changes);
        all.putAll(more);
        if (source == Source.EMPTY) {
            // Nothing is stored that would have to be deleted.
            all.values().removeIf(Objects::isNull);
        }
        return new OlderTasks(
                newCount, Math.max(0, newBytes), source, Collections.unmodifiableMap(all), cleared, deadline);
    }

    /** Removes all tasks. */
    OlderTasks clear() {
        return count == 0 ? this : new OlderTasks(0, 0, Source.EMPTY, Map.of(), true, deadline);
    }

    /**
     * Returns all tasks by key, read from the source: {@value #MAX_COUNT} at most, as another client may have stored
     * more than are counted.
     */
    Map<String, OlderTask> all() {
        Map<String, OlderTask> all = new HashMap<>();
        if (count > 0) {
            source.scan((key, task) -> {
                all.put(key, task);
                return all.size() < MAX_COUNT;
            });
            changes.forEach((key, task) -> {
                if (task == null) {
                    all.remove(key);
                } else {
                    all.put(key, task);
                }
            });
        }
        return all;
    }
}
