package dev.parley.dialogue;

import dev.parley.avro.OlderTask;
import java.util.ArrayList;
import java.util.Collections;
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
 * in groups too, because that reads all of them: when there are more tasks than the maximum, older ones go until three
 * quarters of it remain, first what has expired, then closed tasks, then the least recently active. Immutable and
 * thread-safe.
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

        /**
         * Returns the record of a task.
         *
         * @param order place among the older tasks
         */
        OlderTask write(T task, long order);

        /** Returns the task; null if the record, which only another client can have written, contains none. */
        T read(OlderTask stored);

        /** Approximate bytes of a stored task. */
        int bytes(T task);

        /** Whether a further message is awaited, so that the task is removed after others. */
        boolean isAwaited(T task);

        /** Whether idle time has closed the task. */
        boolean isExpired(T task, long deadline);

        /** Returns a task as if it had been last active at a time, milliseconds since the epoch. */
        T activeAt(T task, long time);
    }

    /**
     * Tasks of a conversation.
     *
     * @param recent those in its state, least recently active first
     * @param older the others; in a result, null if they did not change
     */
    public record Tasks<T>(List<T> recent, OlderTasks older) {}

    /**
     * Result of a search.
     *
     * @param stored the task, expired or not; null if there is none
     * @param isOlder whether it is an older task, and not in the state
     * @param isExpired whether idle time has closed it
     */
    public record Found<T>(T stored, boolean isOlder, boolean isExpired) {
        /** Returns the task; null if there is none, or if it has expired. */
        public T task() {
            return isExpired ? null : stored;
        }
    }

    /** A readable older task and its place. */
    private record Placed<T>(T task, long order) {}

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
        if (recent != null || older.count() == 0) {
            return new Found<>(recent, false, false);
        }
        String wanted = key.get();
        T task = read(wanted, older.get(wanted));
        return new Found<>(task, task != null, task != null && form.isExpired(task, older.deadline()));
    }

    /** Returns the tasks of a state that have not expired; the same list if none has. */
    public List<T> unexpired(List<T> recent, long deadline) {
        for (T task : recent) {
            if (form.isExpired(task, deadline)) {
                List<T> open = new ArrayList<>(recent);
                open.removeIf(other -> form.isExpired(other, deadline));
                return open;
            }
        }
        return recent;
    }

    /** Returns the task of a record; null without one, or if another client has written something else there. */
    private T read(String key, OlderTask stored) {
        T task = stored == null ? null : form.read(stored);
        return task == null || !form.key(task).equals(key) ? null : task;
    }

    /**
     * Returns the tasks after one became the most recently active.
     *
     * @param before the tasks before
     * @param found the task before
     * @param touched the task after
     * @param sequence sequence of the message's audit record
     */
    @SuppressWarnings("ReferenceEquality")
    public Tasks<T> touch(Tasks<T> before, Found<T> found, T touched, long sequence) {
        OlderTasks older = before.older();
        boolean isExact = maxRecent == maxTasks;
        if (found.isOlder() && !isExact) {
            Map<String, OlderTask> changed = Map.of(form.key(touched), form.write(unexpired(touched, older), sequence));
            long bytes = older.bytes() - form.bytes(found.stored()) + form.bytes(touched);
            return new Tasks<>(
                    before.recent(),
                    bounded(
                            older.with(changed, older.count(), bytes),
                            before.recent().size()));
        }
        if (found.isOlder()) {
            // After the maximum was lowered, the task returns to the state, which has room for all.
            Map<String, OlderTask> removed = Collections.singletonMap(form.key(touched), null);
            older = older.with(removed, older.count() - 1, older.bytes() - form.bytes(found.stored()));
        }
        List<T> tasks = others(before.recent(), found.stored());
        while (isExact && tasks.size() >= maxTasks) {
            tasks.remove(indexToRemove(tasks));
        }
        tasks.add(touched);
        if (tasks.size() > maxRecent) {
            List<T> displaced = tasks.subList(0, tasks.size() - maxRecent / 2);
            older = added(displaced, older, sequence);
            displaced.clear();
        }
        OlderTasks after = bounded(older, tasks.size());
        return new Tasks<>(tasks, after == before.older() ? null : after);
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
        Map<String, OlderTask> changes = new HashMap<>();
        Map<String, Placed<T>> tasks = read(older, changes);
        long bytes = 0;
        for (Map.Entry<String, Placed<T>> entry : tasks.entrySet()) {
            T before = entry.getValue().task();
            T task = replacement.apply(before);
            if (!task.equals(before)) {
                changes.put(entry.getKey(), form.write(task, entry.getValue().order()));
            }
            bytes += form.bytes(task);
        }
        return changes.isEmpty() ? older : older.with(changes, tasks.size(), bytes);
    }

    /** Reads the older tasks, and adds null to the changes for each unreadable one. */
    private Map<String, Placed<T>> read(OlderTasks older, Map<String, OlderTask> changes) {
        Map<String, Placed<T>> tasks = new HashMap<>();
        older.all().forEach((key, stored) -> {
            T task = read(key, stored);
            if (task == null) {
                changes.put(key, null);
            } else {
                tasks.put(key, new Placed<>(task, stored.getOrder()));
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

    private OlderTasks added(List<T> displaced, OlderTasks older, long sequence) {
        Map<String, OlderTask> changes = new HashMap<>();
        long bytes = older.bytes();
        long order = sequence - displaced.size();
        for (T task : displaced) {
            changes.put(form.key(task), form.write(unexpired(task, older), order));
            bytes += form.bytes(task);
            order++;
        }
        return older.with(changes, older.count() + changes.size(), bytes);
    }

    /** A task of late messages only, which a later message expires, is not expired by those that came before it. */
    private T unexpired(T task, OlderTasks older) {
        return form.isExpired(task, older.deadline()) ? form.activeAt(task, older.deadline()) : task;
    }

    /** Removes the tasks that the bounds do not allow, and more, so that this is seldom necessary. */
    private OlderTasks bounded(OlderTasks older, int recent) {
        if (older.count() <= maxTasks - recent && older.bytes() <= StateBytes.MAX_BYTES) {
            return older;
        }
        Map<String, OlderTask> removed = new HashMap<>();
        Map<String, Placed<T>> tasks = read(older, removed);
        tasks.entrySet().removeIf(entry -> {
            boolean isExpired = form.isExpired(entry.getValue().task(), older.deadline());
            if (isExpired) {
                removed.put(entry.getKey(), null);
            }
            return isExpired;
        });
        List<String> best = new ArrayList<>(tasks.keySet());
        best.sort(Comparator.<String, Boolean>comparing(
                        key -> !form.isAwaited(tasks.get(key).task()))
                .thenComparing(key -> tasks.get(key).order(), Comparator.reverseOrder())
                .thenComparing(Comparator.naturalOrder()));
        long maxCount = (long) maxTasks * KEPT_QUARTERS / QUARTERS - recent;
        long maxBytes = StateBytes.MAX_BYTES / QUARTERS * KEPT_QUARTERS;
        int count = 0;
        long bytes = 0;
        for (String key : best) {
            int size = form.bytes(tasks.get(key).task());
            // A task that does not fit takes no other along.
            if (count < maxCount && bytes + size <= maxBytes) {
                count++;
                bytes += size;
            } else {
                removed.put(key, null);
            }
        }
        return older.with(removed, count, bytes);
    }
}
