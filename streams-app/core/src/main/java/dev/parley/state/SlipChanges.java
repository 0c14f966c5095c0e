package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Task board of a SLIP conversation: each slot of a message is the new value of that field of its task. Entries are
 * {@code task/N/field}, and {@code task/-/field} for messages without TASK_ID. ASK and META messages change nothing.
 */
public final class SlipChanges implements StateReducer {
    /** The tasks by number, fields without a task first. */
    public static final StateModel.Folded MODEL =
            new StateModel.Folded(new StateKind("board", SlipChanges::board), SlipChanges::new);

    private static final String PREFIX = "task/";
    private static final String NO_TASK = "-";
    private static final Set<String> TEXTS = Set.of("status", "tag");

    @Override
    public List<Change> of(AuditRecord record) {
        SlipMessage slip = record.getMessage().getSlip();
        if (slip.getAct() == SlipAct.ASK || slip.getAct() == SlipAct.META) {
            return List.of();
        }
        String task = PREFIX + (slip.getTaskId() == null ? NO_TASK : slip.getTaskId()) + '/';
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

    private static Map<String, Object> board(SortedMap<String, String> entries) {
        Map<Long, Map<String, Object>> tasks = new TreeMap<>(Comparator.nullsFirst(Comparator.naturalOrder()));
        entries.forEach((name, value) -> {
            int end = name.indexOf('/', PREFIX.length());
            String number = name.substring(PREFIX.length(), end);
            String field = name.substring(end + 1);
            Map<String, Object> task =
                    tasks.computeIfAbsent(number.equals(NO_TASK) ? null : Long.valueOf(number), SlipChanges::task);
            task.put(field, TEXTS.contains(field) ? value : Long.valueOf(value));
        });
        return Map.of("tasks", List.copyOf(tasks.values()));
    }

    private static Map<String, Object> task(Long number) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", number);
        return fields;
    }
}
