package dev.parley.dialogue.csp;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.avro.OlderTask;
import dev.parley.dialogue.OlderTasks;
import dev.parley.dialogue.RememberedTasks;
import dev.parley.dialogue.RememberedTasks.Found;
import dev.parley.dialogue.RememberedTasks.Tasks;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.StateBytes;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Remembered tasks of a CSP context. Idle time closes only tasks that await a result. */
public final class CspTasks {
    /** Maximum number of hashes in the state, and in the record of an older task, per task that may be stored. */
    private static final int HASHES_PER_TASK = 4;

    private final RememberedTasks<CspTask> remembered;
    private final int maxHashes;

    CspTasks(int maxTasks) {
        this.remembered = new RememberedTasks<>(new Form(), maxTasks);
        this.maxHashes = HASHES_PER_TASK * maxTasks;
    }

    /** Returns the task with an ID among those of the dialogue; null if it does not contain the task. */
    public static CspTask find(CspDialogue dialogue, String id) {
        if (dialogue != null) {
            StoredText wanted = new StoredText(id);
            List<CspTask> tasks = dialogue.getTasks();
            for (int i = tasks.size() - 1; i >= 0; i--) {
                if (wanted.matches(tasks.get(i).getId())) {
                    return tasks.get(i);
                }
            }
        }
        return null;
    }

    /** Finds a task among all of a context. A message without ID names none. */
    Found<CspTask> find(CspDialogue dialogue, OlderTasks older, String id) {
        return id == null
                ? new Found<>(null, false, false)
                : remembered.find(find(dialogue, id), older, () -> StoredText.key(id));
    }

    /**
     * Returns the tasks with one as the most recently active.
     *
     * @param found the task before
     * @param touched the task after
     */
    Tasks<CspTask> touch(CspDialogue dialogue, RuleContext context, Found<CspTask> found, CspTask touched) {
        List<CspTask> recent = dialogue == null ? List.of() : dialogue.getTasks();
        Tasks<CspTask> before = new Tasks<>(recent, context.olderTasks());
        if (found.isOlder()) {
            List<CspTask> alone = new ArrayList<>(List.of(touched));
            boundHashes(alone);
            return remembered.touch(before, found, alone.get(0), context.sequence());
        }
        Tasks<CspTask> tasks = remembered.touch(before, found, touched, context.sequence());
        boundHashes(tasks.recent());
        return tasks;
    }

    /** Returns the tasks of the dialogue that idle time has not closed; the same list if it has closed none. */
    List<CspTask> unexpired(CspDialogue dialogue, long deadline) {
        return remembered.unexpired(dialogue.getTasks(), deadline);
    }

    OlderTasks withHashes(OlderTasks older) {
        return remembered.replaceAll(older, CspTasks::withHashes);
    }

    /** Whether a result of the task is awaited. */
    static boolean isAwaited(CspTask task) {
        return task.getState() == CspTaskState.OPEN || task.getState() == CspTaskState.PARTIAL;
    }

    /**
     * Removes the oldest hashes beyond the bound, those of the last task first. Otherwise many partial results of few
     * tasks would let a record grow without limit.
     */
    private void boundHashes(List<CspTask> tasks) {
        int excess = -maxHashes;
        for (CspTask task : tasks) {
            excess += task.getAccepted().size();
        }
        // Each task keeps one hash, and the bound allows more than that, so the loop ends before index 0.
        for (int i = tasks.size() - 1; excess > 0; i--) {
            CspTask task = tasks.get(i);
            List<ByteBuffer> accepted = task.getAccepted();
            int drop = Math.min(excess, accepted.size() - 1);
            List<ByteBuffer> kept = List.copyOf(accepted.subList(drop, accepted.size()));
            tasks.set(i, changed(task, task.getState(), kept, task.getLastActivity()));
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

    /** Returns the task after changes. */
    static CspTask changed(CspTask task, CspTaskState state, List<ByteBuffer> accepted, long lastActivity) {
        return new CspTask(
                task.getId(), state, task.getGiver(), task.getRecipient(), task.getOwner(), accepted, lastActivity);
    }

    private static final class Form implements RememberedTasks.Form<CspTask> {
        @Override
        public String key(CspTask task) {
            return StoredText.keyOfStored(task.getId());
        }

        @Override
        public OlderTask write(CspTask task, long order) {
            return new OlderTask(null, task, order);
        }

        @Override
        public CspTask read(OlderTask stored) {
            return stored.getCsp();
        }

        @Override
        public int bytes(CspTask task) {
            return CspTasks.bytes(task);
        }

        @Override
        public boolean isAwaited(CspTask task) {
            return CspTasks.isAwaited(task);
        }

        @Override
        public boolean isExpired(CspTask task, long deadline) {
            return CspTasks.isAwaited(task) && task.getLastActivity() < deadline;
        }

        @Override
        public CspTask activeAt(CspTask task, long time) {
            return changed(task, task.getState(), task.getAccepted(), time);
        }
    }
}
