package dev.parley.dialogue.csp;

import dev.parley.avro.ConversationItem;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.StateBytes;
import dev.parley.dialogue.StoredText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Remembered tasks of a CSP context. Idle time closes only tasks that await a result. */
public final class CspTasks {
    /** Maximum number of messages about a task that are recognized when they are sent again. */
    static final int MAX_HASHES = 16;

    /** Bytes of recipients from which on an older task has a separate record of them. */
    private static final int LONG_RECIPIENTS = 256;

    /** Bytes of a hash and its length. */
    private static final int HASH = 17;

    private final RememberedItems<CspTask> remembered;

    CspTasks(int maxTasks) {
        this.remembered = new RememberedItems<>(new Form(), maxTasks);
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
    Found<CspTask> find(CspDialogue dialogue, OlderItems older, String id) {
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
    Items<CspTask> touch(CspDialogue dialogue, RuleContext context, Found<CspTask> found, CspTask touched) {
        List<CspTask> recent = dialogue == null ? List.of() : dialogue.getTasks();
        return remembered.touch(new Items<>(recent, context.olderItems()), found, touched, context.sequence());
    }

    /** Returns the tasks of the dialogue that idle time has not closed; the same list if it has closed none. */
    List<CspTask> unexpired(CspDialogue dialogue, long deadline) {
        return remembered.unexpired(dialogue.getTasks(), deadline);
    }

    OlderItems withHashes(OlderItems older) {
        return remembered.replaceAll(older, CspTasks::withHashes);
    }

    /** Whether a result of the task is awaited. */
    static boolean isAwaited(CspTask task) {
        return task.getState() == CspTaskState.OPEN || task.getState() == CspTaskState.PARTIAL;
    }

    /** Returns hashes with another one, the oldest first and without the oldest beyond the bound. */
    static List<ByteBuffer> withHash(List<ByteBuffer> hashes, ByteBuffer hash) {
        List<ByteBuffer> all =
                new ArrayList<>(hashes.subList(Math.max(0, hashes.size() + 1 - MAX_HASHES), hashes.size()));
        all.add(hash);
        return all;
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

    private static CspTask withRecipient(CspTask task, String recipient) {
        CspTask changed = changed(task, task.getState(), task.getAccepted(), task.getLastActivity());
        changed.setRecipient(recipient);
        return changed;
    }

    /** Returns the task after changes. */
    static CspTask changed(CspTask task, CspTaskState state, List<ByteBuffer> accepted, long lastActivity) {
        return new CspTask(
                task.getId(), state, task.getGiver(), task.getRecipient(), task.getOwner(), accepted, lastActivity);
    }

    private static final class Form implements RememberedItems.Form<CspTask> {
        @Override
        public String key(CspTask task) {
            return StoredText.keyOfStored(task.getId());
        }

        @Override
        public ConversationItem write(CspTask task, long order) {
            CspTask stored = text(task) == null ? task : withRecipient(task, "");
            return new ConversationItem(null, stored, null, null, null, order);
        }

        @Override
        public CspTask read(ConversationItem stored) {
            return stored.getCsp();
        }

        @Override
        public int bytes(CspTask task) {
            return StateBytes.of(task.getId())
                    + StateBytes.of(task.getGiver())
                    + StateBytes.of(task.getRecipient())
                    + StateBytes.of(task.getOwner())
                    + HASH * task.getAccepted().size();
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
        public String text(CspTask task) {
            return task.getRecipient().length() < LONG_RECIPIENTS ? null : task.getRecipient();
        }

        @Override
        public CspTask withText(CspTask task, String text) {
            return withRecipient(task, text);
        }

        @Override
        public CspTask activeAt(CspTask task, long time) {
            return changed(task, task.getState(), task.getAccepted(), time);
        }
    }
}
