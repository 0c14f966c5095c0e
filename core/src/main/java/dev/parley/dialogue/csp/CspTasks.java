package dev.parley.dialogue.csp;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.dialogue.KeptText;
import dev.parley.dialogue.StateBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The tasks that a CSP context remembers: least recently active first, bounded. */
public final class CspTasks {
    /** Hashes of accepted messages that a context remembers for each task that it may remember. */
    private static final int HASHES_PER_TASK = 4;

    private final int most;

    CspTasks(int most) {
        this.most = most;
    }

    /** The task of that id; null when the context does not know it. */
    public static CspTask find(CspDialogue dialogue, String id) {
        if (dialogue != null) {
            KeptText wanted = new KeptText(id);
            for (CspTask task : dialogue.getTasks()) {
                if (wanted.matches(task.getId())) {
                    return task;
                }
            }
        }
        return null;
    }

    /**
     * The dialogue with this task as the most recently active one.
     *
     * @param replaced the task of the dialogue in whose place it comes; null for a new one
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
        while (tasks.size() >= most) {
            tasks.remove(firstToGo(tasks));
        }
        tasks.add(moved);
        boundHashes(tasks);
        return new CspDialogue(tasks);
    }

    /** Closed tasks go first: nothing is awaited of them. Then the least recently active. */
    private static int firstToGo(List<CspTask> tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            if (!isAwaited(tasks.get(i))) {
                return i;
            }
        }
        return 0;
    }

    /** Whether something is awaited of a task. */
    static boolean isAwaited(CspTask task) {
        return task.getState() == CspTaskState.OPEN || task.getState() == CspTaskState.PARTIAL;
    }

    /**
     * Many partial results of few tasks must not make the state grow without end: the oldest hashes go, of the last
     * task first.
     */
    private void boundHashes(List<CspTask> tasks) {
        int excess = -HASHES_PER_TASK * most;
        for (CspTask task : tasks) {
            excess += task.getAccepted().size();
        }
        // Each task keeps one, and no more tasks are left than allowed, so the excess is gone before the tasks are.
        for (int i = tasks.size() - 1; excess > 0; i--) {
            CspTask task = tasks.get(i);
            List<ByteBuffer> accepted = task.getAccepted();
            int drop = Math.min(excess, accepted.size() - 1);
            tasks.set(i, withAccepted(task, List.copyOf(accepted.subList(drop, accepted.size()))));
            excess -= drop;
        }
    }

    /** Bytes that state keeps of a task, about. */
    static int bytes(CspTask task) {
        return StateBytes.of(task.getId())
                + StateBytes.of(task.getGiver())
                + StateBytes.of(task.getRecipient())
                + StateBytes.of(task.getOwner())
                + StateBytes.HASH * task.getAccepted().size();
    }

    /** The task with hashes in place of texts. */
    static CspTask sealed(CspTask task) {
        return new CspTask(
                KeptText.seal(task.getId()),
                task.getState(),
                KeptText.seal(task.getGiver()),
                KeptText.sealList(task.getRecipient()),
                KeptText.seal(task.getOwner()),
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
