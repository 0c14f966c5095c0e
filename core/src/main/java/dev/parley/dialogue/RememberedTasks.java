package dev.parley.dialogue;

import dev.parley.avro.OlderTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Bounds the tasks that a conversation remembers. Its state contains the {@value #MAX_RECENT} most recent ones at most;
 * when there are more, the least recently active of them become {@link OlderTasks}, in groups, so that a message seldom
 * writes more than the state. An older task stays one: a message about it replaces its record. Older tasks are trimmed
 * in groups too, because that reads all of them: beyond a bound, a quarter of what the bound allows goes, first what
 * has expired, then closed tasks, then the least recently active. Immutable and thread-safe.
 *
 * @param <T> type of the tasks
 */
public final class RememberedTasks<T> {
    /** Maximum number of tasks in the state; twice as many if a conversation may have no more. */
    static final int MAX_RECENT = 32;

    private static final int KEPT_QUARTERS = 3;
    private static final int QUARTERS = 4;

    private final Form<T> form;
    private final int maxTasks;
    private final int maxRecent;

    /** The tasks of a protocol. */
    public interface Form<T> {
        /** Key of a task among those of its conversation; the same if the texts of the task are replaced by hashes. */
        String key(T task);

        OlderTask write(T task);

        /** Returns the task; null if the record, which only another client can have written, contains none. */
        T read(OlderTask stored);

        /** Approximate bytes of a stored task. */
        int bytes(T task);

        /** Time of its last accepted message, milliseconds since the epoch. */
        long lastActivity(T task);

        /** Whether a further message is awaited, so that the task is removed after others. */
        boolean isAwaited(T task);

        /** Whether idle time has closed the task. */
        boolean isExpired(T task, long deadline);
    }

    /**
     * Tasks of a conversation.
     *
     * @param recent those in its state, least recently active first
     */
    public record Tasks<T>(List<T> recent, OlderTasks older) {}

    /**
     * Result of a search.
     *
     * @param task null if there is none, or if it has expired
     * @param recent the task, if it is in the state; null otherwise
     * @param older the task, expired or not, if it is an older one; null otherwise
     */
    public record Found<T>(T task, T recent, T older) {}

    /**
     * Creates bounds.
     *
     * @param maxTasks maximum number of tasks
     */
    public RememberedTasks(Form<T> form, int maxTasks) {
        this.form = form;
        this.maxTasks = maxTasks;
        // Few tasks are better all in the state, which is exact.
        this.maxRecent = maxTasks <= 2 * MAX_RECENT ? maxTasks : MAX_RECENT;
    }

    /**
     * Finds a task.
     *
     * @param recent the task, if it is in the state; null otherwise
     * @param key supplies its key, under which it is searched among the older tasks if there are any
     */
    public Found<T> find(T recent, OlderTasks older, Supplier<String> key) {
        OlderTask stored = recent != null || older.count() == 0 ? null : older.get(key.get());
        T task = stored == null ? null : form.read(stored);
        return new Found<>(task == null ? recent : form.isExpired(task, older.deadline()) ? null : task, recent, task);
    }

    /**
     * Returns the tasks after one became the most recently active.
     *
     * @param before the tasks before
     * @param found the task before
     * @param touched the task after
     */
    public Tasks<T> touch(Tasks<T> before, Found<T> found, T touched) {
        if (found.older() != null) {
            long bytes = before.older().bytes() - form.bytes(found.older()) + form.bytes(touched);
            return new Tasks<>(
                    before.recent(),
                    bounded(before.older()
                            .with(
                                    Map.of(form.key(touched), form.write(touched)),
                                    before.older().count(),
                                    bytes)));
        }
        List<T> tasks = others(before.recent(), found.recent());
        while (maxRecent == maxTasks && tasks.size() >= maxTasks) {
            tasks.remove(indexToRemove(tasks));
        }
        tasks.add(touched);
        if (tasks.size() <= maxRecent) {
            return new Tasks<>(tasks, bounded(before.older()));
        }
        List<T> displaced = tasks.subList(0, tasks.size() - maxRecent / 2);
        OlderTasks older = added(displaced, before.older());
        displaced.clear();
        return new Tasks<>(tasks, bounded(older));
    }

    @SuppressWarnings("ReferenceEquality")
    private static <T> List<T> others(List<T> tasks, T excluded) {
        List<T> others = new ArrayList<>(tasks.size() + 1);
        for (T task : tasks) {
            if (task != excluded) {
                others.add(task);
            }
        }
        return others;
    }

    /** Replaces each older task by another form of itself, with the same key. */
    public OlderTasks replaceAll(OlderTasks older, UnaryOperator<T> replacement) {
        Map<String, T> tasks = read(older);
        Map<String, OlderTask> changes = new HashMap<>();
        long bytes = 0;
        for (Map.Entry<String, T> entry : tasks.entrySet()) {
            T task = replacement.apply(entry.getValue());
            if (!task.equals(entry.getValue())) {
                changes.put(entry.getKey(), form.write(task));
            }
            bytes += form.bytes(task);
        }
        return changes.isEmpty() ? older : older.with(changes, tasks.size(), bytes);
    }

    private Map<String, T> read(OlderTasks older) {
        Map<String, T> tasks = new HashMap<>();
        older.all().forEach((key, stored) -> {
            T task = form.read(stored);
            if (task != null) {
                tasks.put(key, task);
            }
        });
        return tasks;
    }

    /** Index of the task to remove: the first one that is not awaited; otherwise the least recently active. */
    private int indexToRemove(List<T> tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            if (!form.isAwaited(tasks.get(i))) {
                return i;
            }
        }
        return 0;
    }

    private OlderTasks added(List<T> displaced, OlderTasks older) {
        Map<String, OlderTask> changes = new HashMap<>();
        long bytes = older.bytes();
        for (T task : displaced) {
            changes.put(form.key(task), form.write(task));
            bytes += form.bytes(task);
        }
        return older.with(changes, older.count() + changes.size(), bytes);
    }

    /** Removes the tasks that the bounds do not allow, and more, so that this is seldom necessary. */
    private OlderTasks bounded(OlderTasks older) {
        if (older.count() <= maxTasks - maxRecent && older.bytes() <= StateBytes.MAX_BYTES) {
            return older;
        }
        Map<String, T> tasks = read(older);
        List<String> best = new ArrayList<>(tasks.keySet());
        best.sort(Comparator.<String, Boolean>comparing(key -> form.isExpired(tasks.get(key), older.deadline()))
                .thenComparing(key -> !form.isAwaited(tasks.get(key)))
                .thenComparing(key -> form.lastActivity(tasks.get(key)), Comparator.reverseOrder())
                .thenComparing(Comparator.naturalOrder()));
        int maxCount = Math.max(0, maxTasks / QUARTERS * KEPT_QUARTERS - maxRecent);
        long maxBytes = StateBytes.MAX_BYTES / QUARTERS * KEPT_QUARTERS;
        int count = 0;
        long bytes = 0;
        Map<String, OlderTask> removed = new HashMap<>();
        for (String key : best) {
            T task = tasks.get(key);
            int size = form.bytes(task);
            // A task that does not fit takes no other along.
            if (count < maxCount && bytes + size <= maxBytes && !form.isExpired(task, older.deadline())) {
                count++;
                bytes += size;
            } else {
                removed.put(key, null);
            }
        }
        return older.with(removed, count, bytes);
    }
}
