package dev.parley.dialogue.csp;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.dialogue.StateBytes;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Stored tasks of a CSP context: bounded, least recently active first. */
public final class CspTasks {
    /** Stored hashes of accepted messages per task that the context may store. */
    private static final int HASHES_PER_TASK = 4;

    private final int maxTasks;

    CspTasks(int maxTasks) {
        this.maxTasks = maxTasks;
    }

    /** Returns the task with an ID; null if the context does not store it. */
    public static CspTask find(CspDialogue dialogue, String id) {
        if (dialogue != null) {
            StoredText wanted = new StoredText(id);
            for (CspTask task : dialogue.getTasks()) {
                if (wanted.matches(task.getId())) {
                    return task;
                }
            }
        }
        return null;
    }

    /**
     * Returns the dialogue with this task as the most recently active one.
     *
     * @param replaced the task that it replaces; null for a new task
     */
    @SuppressWarnings("ReferenceEquality")
    CspDialogue replace(CspDialogue dialogue, CspTask replaced, CspTask moved) {
        List<CspTask> before = dialogue == null ? List.of() : dialogue.getTasks();
        List<CspTask> tasks = new ArrayList<>(before.size() + 1);
        for (CspTask task : before) {
            if (task != replaced) {
                tasks.add(task);
            }
        }
        while (tasks.size() >= maxTasks) {
            tasks.remove(indexToRemove(tasks));
        }
        tasks.add(moved);
        boundHashes(tasks);
        return new CspDialogue(tasks);
    }

    /**
     * Index of the task to remove: the first closed one, because no message is awaited for it; otherwise the least
     * recently active.
     */
    private static int indexToRemove(List<CspTask> tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            if (!isAwaited(tasks.get(i))) {
                return i;
            }
        }
        return 0;
    }

    /** Whether a result of the task is awaited. */
    static boolean isAwaited(CspTask task) {
        return task.getState() == CspTaskState.OPEN || task.getState() == CspTaskState.PARTIAL;
    }

    /**
     * Removes the oldest hashes beyond the bound, those of the last task first. Otherwise many partial results of few
     * tasks would let the state grow without limit.
     */
    private void boundHashes(List<CspTask> tasks) {
        int excess = -HASHES_PER_TASK * maxTasks;
        for (CspTask task : tasks) {
            excess += task.getAccepted().size();
        }
        // Each task keeps one hash and the number of tasks is bounded, so the loop ends before index 0.
        for (int i = tasks.size() - 1; excess > 0; i--) {
            CspTask task = tasks.get(i);
            List<ByteBuffer> accepted = task.getAccepted();
            int drop = Math.min(excess, accepted.size() - 1);
            tasks.set(i, withAccepted(task, List.copyOf(accepted.subList(drop, accepted.size()))));
            excess -= drop;
        }
    }

    /** Approximate bytes of a task in stored state. */
    static int bytes(CspTask task) {
        return StateBytes.of(task.getId())
                + StateBytes.of(task.getGiver())
                + StateBytes.of(task.getRecipient())
                + StateBytes.of(task.getOwner())
                + StateBytes.HASH * task.getAccepted().size();
    }

    /** Returns the task with hashes in place of texts. */
    static CspTask withHashes(CspTask task) {
        return new CspTask(
                StoredText.hash(task.getId()),
                task.getState(),
                StoredText.hash(task.getGiver()),
                StoredText.hashList(task.getRecipient()),
                StoredText.hash(task.getOwner()),
                task.getAccepted(),
                task.getLastActivity());
    }

    private static CspTask withAccepted(CspTask task, List<ByteBuffer> accepted) {
        return new CspTask(
                task.getId(),
                task.getState(),
                task.getGiver(),
                task.getRecipient(),
                task.getOwner(),
                accepted,
                task.getLastActivity());
    }
}
