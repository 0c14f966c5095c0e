package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.avro.DialogueState;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.dialogue.CspTaskTable.Cell;
import dev.parley.dialogue.CspTaskTable.Event;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The dialogue rules of CSP/1 (PROTOCOLS 3.3a and 5). In this order: the same bytes as an accepted message are a duplicate; an answer
 * comes from and goes to agents that the task names; the table decides. A PATCH only gets its warnings here.
 */
final class CspRules implements ProtocolRules {
    private static final Rule DUPLICATE =
            rule("same bytes as an accepted message → CSP_DUPLICATE", CspTaskTable.SECTION);
    private static final Rule WRONG_RESPONDER =
            rule("answer from or to an agent that the task does not name → CSP_WRONG_RESPONDER", CspTaskTable.SECTION);
    private static final Rule NO_TASK = rule("no task or query is named → nothing moves", CspTaskTable.SECTION);
    private static final Rule PATCH = rule("PATCH → the checkpoints decide", "CSP 3.3b");

    private final CspTasks tasks;

    CspRules(DialogueSettings settings) {
        this.tasks = new CspTasks(settings.maxEntries());
    }

    @Override
    public Ruling judge(DialogueState state, AgentMessage message, ContextView context) {
        CspMessage csp = message.getCsp();
        Warnings warnings = new Warnings();
        CspRemarks.collect(csp, context, warnings);
        if (csp.getIntent() == CspIntent.PATCH) {
            return new Ruling(null, warnings.codes(), PATCH, state);
        }
        String id = csp.getIntent() == CspIntent.ERROR ? csp.getErrorAt() : csp.getId();
        Event event = event(csp);
        if ((id == null || id.isEmpty()) && event != Event.OTHER) {
            return new Ruling(null, warnings.codes(), NO_TASK, state);
        }
        CspTask task = CspTasks.find(state.getCsp(), id);
        if (task != null) {
            if (task.getAccepted().contains(message.getSha256())) {
                warnings.add(Code.CSP_DUPLICATE);
                return new Ruling(null, warnings.codes(), DUPLICATE, state);
            }
            if (isWrongResponder(task, csp)) {
                return new Ruling(Code.CSP_WRONG_RESPONDER, warnings.codes(), WRONG_RESPONDER, state);
            }
        }
        Cell cell = CspTaskTable.cell(task == null ? CspTaskState.NONE : task.getState(), event);
        if (cell.warning() != null) {
            warnings.add(cell.warning());
        }
        DialogueState next = cell.violation() == null ? move(state, task, cell, event, message) : state;
        return new Ruling(cell.violation(), warnings.codes(), cell.rule(), next);
    }

    @Override
    public DialogueState expire(DialogueState state, long deadline) {
        CspDialogue dialogue = state.getCsp();
        if (dialogue == null || !hasIdle(dialogue.getTasks(), deadline)) {
            return state;
        }
        List<CspTask> kept = new ArrayList<>(dialogue.getTasks());
        kept.removeIf(task -> isIdle(task, deadline));
        return with(state, new CspDialogue(kept));
    }

    private static boolean hasIdle(List<CspTask> tasks, long deadline) {
        for (CspTask task : tasks) {
            if (isIdle(task, deadline)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a task that awaits a result was last touched before the deadline. */
    private static boolean isIdle(CspTask task, long deadline) {
        boolean open = task.getState() == CspTaskState.OPEN || task.getState() == CspTaskState.PARTIAL;
        return open && task.getLastActivity() < deadline;
    }

    private static Event event(CspMessage message) {
        return switch (message.getIntent()) {
            case TASK, QUERY -> Event.OPENING;
            case RESULT ->
                switch (message.getStatus()) {
                    case "OK" -> Event.RESULT_OK;
                    case "PARTIAL" -> Event.RESULT_PARTIAL;
                    default -> Event.RESULT_FAIL;
                };
            case ERROR -> Event.ERROR;
            case PLAN, MEM, FILE, PATCH, UNKNOWN -> Event.OTHER;
        };
    }

    private static boolean isWrongResponder(CspTask task, CspMessage message) {
        KeptText sender = new KeptText(message.getSender());
        boolean responds = sender.isIn(task.getRecipient()) || sender.matches(task.getOwner());
        return switch (message.getIntent()) {
            case RESULT -> !responds || !KeptText.lists(message.getRecipient(), task.getGiver());
            case ERROR -> !responds && !sender.matches(task.getGiver());
            default -> false;
        };
    }

    private DialogueState move(DialogueState state, CspTask task, Cell cell, Event event, AgentMessage message) {
        if (event == Event.OTHER || cell.next() == CspTaskState.NONE) {
            return state;
        }
        long now = message.getSource().getTimestamp().toEpochMilli();
        CspTask moved = task == null
                ? opened(message.getCsp(), List.of(), now)
                : event == Event.OPENING
                        ? opened(message.getCsp(), task.getAccepted(), Math.max(now, task.getLastActivity()))
                        : moved(task, cell.next(), Math.max(now, task.getLastActivity()));
        if (event != Event.ERROR) {
            List<ByteBuffer> accepted = new ArrayList<>(moved.getAccepted().size() + 1);
            accepted.addAll(moved.getAccepted());
            accepted.add(message.getSha256().duplicate());
            moved.setAccepted(accepted);
        }
        return with(state, tasks.replace(state.getCsp(), task, moved));
    }

    private static CspTask opened(CspMessage message, List<ByteBuffer> accepted, long now) {
        return new CspTask(
                KeptText.keep(message.getId()),
                CspTaskState.OPEN,
                KeptText.keep(message.getSender()),
                KeptText.keepList(message.getRecipient()),
                KeptText.keep(owner(message)),
                accepted,
                now);
    }

    private static CspTask moved(CspTask task, CspTaskState next, long now) {
        return new CspTask(
                task.getId(), next, task.getGiver(), task.getRecipient(), task.getOwner(), task.getAccepted(), now);
    }

    /** OWNER; a QUERY has no grammar, so its OWNER, if any, stands among the other keys. */
    private static String owner(CspMessage message) {
        if (message.getIntent() == CspIntent.QUERY) {
            for (CspField field : message.getFields()) {
                if (field.getKey().equals("OWNER")) {
                    return field.getValue();
                }
            }
        }
        return message.getOwner();
    }

    private static DialogueState with(DialogueState state, CspDialogue dialogue) {
        return Dialogues.with(state, state.getSlip(), state.getSubit(), dialogue, state.getLambda());
    }

    private static Rule rule(String name, String section) {
        return new Rule(name, Rule.Provenance.I, section);
    }
}
