package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * The task board of a SLIP conversation: each slot that a message has is the new value of that field of its task. The entries are {@code task/N/field}, and
 * {@code task/-/field} for messages without TASK_ID. Who asks (ASK) or speaks about the protocol (META) says nothing about the task.
 */
public final class SlipChanges implements Changes {
    /** The state of such a conversation. */
    public static final StateModel.Folded MODEL = new StateModel.Folded("board", SlipChanges::new);

    @Override
    public List<Change> of(AuditRecord record) {
        SlipMessage slip = record.getMessage().getSlip();
        if (slip.getAct() == SlipAct.ASK || slip.getAct() == SlipAct.META) {
            return List.of();
        }
        String task = "task/" + (slip.getTaskId() == null ? "-" : slip.getTaskId()) + '/';
        List<Change> changes = new ArrayList<>();
        add(changes, task + "goal", slip.getGoalId());
        add(changes, task + "parent", slip.getParentTaskId());
        add(changes, task + "priority", slip.getPriority());
        add(changes, task + "status", slip.getStatus());
        add(changes, task + "score", slip.getScore());
        add(changes, task + "result", slip.getResultId());
        add(changes, task + "error", slip.getErrorCode());
        add(changes, task + "tag", slip.getTag());
        return changes;
    }

    private static void add(List<Change> changes, String entry, Object value) {
        if (value != null) {
            changes.add(Change.set(entry, value.toString()));
        }
    }
}
