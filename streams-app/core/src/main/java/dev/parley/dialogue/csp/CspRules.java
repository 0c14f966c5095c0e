package dev.parley.dialogue.csp;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Explanation;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.ProtocolRules;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.ResendHash;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.Rules;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.TransitionTable;
import dev.parley.dialogue.TransitionTable.Cell;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Dialogue rules of CSP/1 (docs/protocols.md 3.3a and 5), in this order: an accepted message that is sent again is a
 * duplicate; sender and recipient of an answer must be agents that the task names; the table decides the rest. A
 * PATCH only gets its warnings here.
 */
public final class CspRules implements ProtocolRules<CspDialogue> {
    /** Dialogue part of CSP. */
    public static final DialogueProtocol<CspDialogue> PROTOCOL = new DialogueProtocol<>(
            WireProtocols.CSP, CspDialogue.class, DialogueState::getCsp, DialogueState::setCsp, CspRules::new);

    private static final String SECTION = "3.3a";

    /** Columns of the table, with their headings. */
    enum Event {
        OPENING("TASK or QUERY"),
        RESULT_OK("RESULT OK"),
        RESULT_PARTIAL("RESULT PARTIAL"),
        RESULT_FAIL("RESULT FAIL"),
        ERROR("ERROR"),
        OTHER("PLAN, MEM or FILE");

        private final String label;

        Event(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Table of task states, applied after the checks for duplicates and roles. */
    static final TransitionTable<CspTaskState, Event> TABLE = TransitionTable.of(
                    SECTION, CspTaskState.class, Event.class)
            .citingOutcomes()
            .read("""
            | State   | TASK or QUERY             | RESULT OK                   | RESULT PARTIAL              | RESULT FAIL                 | ERROR                         | PLAN, MEM or FILE |
            | NONE    | OPEN S                    | V CSP_RESULT_WITHOUT_TASK I | V CSP_RESULT_WITHOUT_TASK I | V CSP_RESULT_WITHOUT_TASK I | NONE W CSP_ERROR_AT_UNKNOWN I | NONE I            |
            | OPEN    | V CSP_DUPLICATE_TASK_ID I | DONE S                      | PARTIAL I                   | FAILED I                    | ERRORED S                     | OPEN I            |
            | PARTIAL | V CSP_DUPLICATE_TASK_ID I | DONE I                      | PARTIAL I                   | FAILED I                    | ERRORED I                     | PARTIAL I         |
            | DONE    | V CSP_TASK_ID_REUSED I    | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_ERROR_AFTER_CLOSE I     | DONE I            |
            | FAILED  | V CSP_TASK_ID_REUSED I    | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | ERRORED I                     | FAILED I          |
            | ERRORED | OPEN W CSP_TASK_RETRIED I | V CSP_RESULT_AFTER_ERROR I  | V CSP_RESULT_AFTER_ERROR I  | V CSP_RESULT_AFTER_ERROR I  | ERRORED I                     | ERRORED I         |
            """);

    private static final Rule DUPLICATE = rule("same message as an accepted one → CSP_DUPLICATE", SECTION);
    private static final Rule WRONG_RESPONDER =
            rule("answer from or to an agent that the task does not name → CSP_WRONG_RESPONDER", SECTION);
    private static final Rule NO_TASK = rule("no task or query is named → nothing moves", SECTION);
    private static final Rule PATCH = rule("PATCH → the checkpoints decide", "3.3b");

    private final CspTasks tasks;

    public CspRules(DialogueSettings settings) {
        this.tasks = new CspTasks(settings.maxEntries());
    }

    @Override
    public RuleResult<CspDialogue> judge(CspDialogue dialogue, AgentMessage message, RuleContext context) {
        CspMessage csp = message.getCsp();
        Warnings warnings = new Warnings();
        CspWarnings.collect(csp, context.checkpoints(), warnings);
        if (csp.getIntent() == CspIntent.PATCH) {
            return new RuleResult<>(null, warnings.codes(), PATCH, dialogue);
        }
        String id = idOf(csp);
        Event event = event(csp);
        if ((id == null || id.isEmpty()) && event != Event.OTHER) {
            return new RuleResult<>(null, warnings.codes(), NO_TASK, dialogue);
        }
        Found<CspTask> found = tasks.find(dialogue, context.olderItems(), id);
        CspTask task = found.item();
        ByteBuffer hash = ResendHash.stored(message);
        if (task != null) {
            if (task.getAccepted().contains(hash)) {
                warnings.add(Code.CSP_DUPLICATE);
                return new RuleResult<>(null, warnings.codes(), DUPLICATE, dialogue);
            }
            if (isWrongResponder(task, csp)) {
                return new RuleResult<>(Code.CSP_WRONG_RESPONDER, warnings.codes(), WRONG_RESPONDER, dialogue);
            }
        }
        Cell<CspTaskState> cell = TABLE.at(task == null ? CspTaskState.NONE : task.getState(), event);
        warnings.add(cell.warning());
        if (cell.violation() != null || event == Event.OTHER || cell.target() == CspTaskState.NONE) {
            return new RuleResult<>(cell.violation(), warnings.codes(), cell.rule(), dialogue);
        }
        CspTask touched = moved(task, cell.target(), event, message, hash);
        Items<CspTask> next = tasks.touch(dialogue, context, found, touched);
        return new RuleResult<>(null, warnings.codes(), cell.rule(), new CspDialogue(next.recent()), next.older());
    }

    @Override
    public CspDialogue expire(CspDialogue dialogue, long lastActivity, long deadline) {
        List<CspTask> open = tasks.unexpired(dialogue, deadline);
        return open == dialogue.getTasks() ? dialogue : new CspDialogue(open);
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

    @Override
    public Explanation explain(CspDialogue dialogue, AgentMessage message, RuleContext context, Code violation) {
        CspMessage csp = message.getCsp();
        return csp.getIntent() == CspIntent.PATCH
                ? CspExplainer.ofPatch(csp, violation)
                : CspExplainer.ofTask(dialogue, tasks.find(dialogue, context.olderItems(), idOf(csp)), csp, violation);
    }

    /** ID of the task that a message concerns; null or empty if it concerns none. */
    static String idOf(CspMessage message) {
        return message.getIntent() == CspIntent.ERROR ? message.getErrorAt() : message.getId();
    }

    /** Whether an agent is among the recipients of a task, or its owner. */
    static boolean responds(CspTask task, StoredText agent) {
        return agent.isIn(task.getRecipient()) || agent.matches(task.getOwner());
    }

    private static boolean isWrongResponder(CspTask task, CspMessage message) {
        StoredText sender = new StoredText(message.getSender());
        boolean responds = responds(task, sender);
        return switch (message.getIntent()) {
            case RESULT -> !responds || !StoredText.lists(message.getRecipient(), task.getGiver());
            case ERROR -> !responds && !sender.matches(task.getGiver());
            default -> false;
        };
    }

    /** Returns a task after an accepted message with a hash; a new one if it is null. */
    private static CspTask moved(
            CspTask task, CspTaskState target, Event event, AgentMessage message, ByteBuffer hash) {
        long now = message.getSource().getTimestamp().toEpochMilli();
        CspTask moved = task == null
                ? opened(message.getCsp(), List.of(), now)
                : event == Event.OPENING
                        ? opened(message.getCsp(), task.getAccepted(), Math.max(now, task.getLastActivity()))
                        : CspTasks.changed(task, target, task.getAccepted(), Math.max(now, task.getLastActivity()));
        if (event != Event.ERROR) {
            moved.setAccepted(CspTasks.withHash(moved.getAccepted(), hash));
        }
        return moved;
    }

    private static CspTask opened(CspMessage message, List<ByteBuffer> accepted, long now) {
        return new CspTask(
                StoredText.bounded(message.getId()),
                CspTaskState.OPEN,
                StoredText.bounded(message.getSender()),
                StoredText.encodeList(message.getRecipient()),
                StoredText.bounded(owner(message)),
                accepted,
                now);
    }

    /** Returns OWNER. A QUERY has no grammar, so its OWNER, if any, is among the other keys. */
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

    @Override
    public CspDialogue withHashes(CspDialogue dialogue) {
        return new CspDialogue(
                dialogue.getTasks().stream().map(CspTasks::withHashes).toList());
    }

    @Override
    public OlderItems withHashes(OlderItems olderItems) {
        return tasks.withHashes(olderItems);
    }

    @Override
    public String positionOf(CspDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        CspMessage csp = message.getCsp();
        String id = csp.getErrorAt() != null ? csp.getErrorAt() : csp.getId();
        CspTask task = tasks.find(dialogue, olderItems, id).item();
        return (task == null ? CspTaskState.NONE : task.getState()).name();
    }

    @Override
    public String sectionOf(Code violation) {
        return switch (violation) {
            case CSP_PATCH_NAME_TWICE -> "3.2 C11";
            case CSP_SELF_APPLY -> "3.2 C18";
            default -> ProtocolRules.super.sectionOf(violation);
        };
    }

    private static Rule rule(String name, String section) {
        return Rules.of(name, Provenance.I, section);
    }
}
