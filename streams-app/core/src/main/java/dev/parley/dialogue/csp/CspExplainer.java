package dev.parley.dialogue.csp;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.codec.Code;
import dev.parley.codec.Excerpt;
import dev.parley.dialogue.CspNames;
import dev.parley.dialogue.Explanation;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.csp.CspRules.Event;
import java.util.ArrayList;
import java.util.List;

/** Explains violations of CSP/1. */
final class CspExplainer {
    /** Maximum number of open tasks that an explanation names. */
    private static final int MAX_NAMED_TASKS = 5;

    private CspExplainer() {}

    /**
     * Explains a violation of the task rules.
     *
     * @param found the task that the message concerns
     */
    static Explanation ofTask(CspDialogue dialogue, Found<CspTask> found, CspMessage message, Code violation) {
        CspTask task = found.item();
        List<String> allowed = allowed(task, new StoredText(message.getSender()));
        String detail = "'" + Excerpt.of(CspRules.idOf(message))
                + (found.isExpired() ? "' was closed after the idle time" : "' is ");
        if (task == null) {
            detail += (found.isExpired() ? "; " : "not a known task or query; ") + openTasks(dialogue) + ". ";
        } else {
            detail += task.getState() + ", from " + StoredText.shown(task.getGiver()) + " to "
                    + StoredText.shown(task.getRecipient())
                    + (task.getOwner() == null ? "" : " with OWNER " + StoredText.shown(task.getOwner()))
                    + ". ";
        }
        if (violation == Code.CSP_WRONG_RESPONDER) {
            detail += "A RESULT must come from its TO or OWNER and go to its FROM; an ERROR must come from one of "
                    + "them. ";
        }
        detail += "With this ID, the sender may send " + Explanation.either(allowed) + ".";
        return new Explanation(detail, allowed);
    }

    /** Explains a violation that a patch shows by itself. */
    static Explanation ofPatch(CspMessage patch, Code violation) {
        String detail = violation == Code.CSP_SELF_APPLY
                ? "BASE and APPLY are both '" + Excerpt.of(patch.getBase()) + "'; APPLY must name a new checkpoint."
                : "'" + Excerpt.of(CspNames.repeatedName(patch.getOperations()))
                        + "' is in two operations; a patch may change a name once.";
        return new Explanation(detail, List.of());
    }

    /** Returns the intents that the rules allow an agent for a task; null is a task that does not exist. */
    private static List<String> allowed(CspTask task, StoredText sender) {
        CspTaskState state = task == null ? CspTaskState.NONE : task.getState();
        boolean responds = task == null || CspRules.responds(task, sender);
        List<String> allowed = new ArrayList<>();
        if (isLegal(state, Event.OPENING)) {
            allowed.add("TASK");
            allowed.add("QUERY");
        }
        if (responds && isLegal(state, Event.RESULT_OK)) {
            allowed.add("RESULT");
        }
        if ((responds || sender.matches(task.getGiver())) && isLegal(state, Event.ERROR)) {
            allowed.add("ERROR");
        }
        allowed.addAll(List.of("PLAN", "MEM", "FILE", "PATCH"));
        return allowed;
    }

    private static boolean isLegal(CspTaskState state, Event event) {
        return CspRules.TABLE.at(state, event).violation() == null;
    }

    private static String openTasks(CspDialogue dialogue) {
        List<String> open = new ArrayList<>();
        List<CspTask> tasks = dialogue == null ? List.of() : dialogue.getTasks();
        for (int i = tasks.size() - 1; i >= 0 && open.size() < MAX_NAMED_TASKS; i--) {
            if (CspTasks.isAwaited(tasks.get(i))) {
                open.add(StoredText.shown(tasks.get(i).getId()));
            }
        }
        return open.isEmpty() ? "no task is open" : "open tasks are " + String.join(", ", open);
    }
}
