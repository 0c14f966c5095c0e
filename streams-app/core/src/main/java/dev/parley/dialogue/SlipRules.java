package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.OlderTask;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.RememberedTasks.Found;
import dev.parley.dialogue.RememberedTasks.Tasks;
import dev.parley.dialogue.TransitionTable.Cell;
import java.util.List;
import java.util.Objects;

/**
 * Dialogue rules of SLIP. The conversation counts turns, and each task in it has a state; messages without TASK_ID
 * share one task. A NEW task is not stored. A task closes if no accepted message concerned it for the idle time. The
 * turn counter is dropped only when the whole conversation was idle; then any turn may follow.
 */
public final class SlipRules implements ProtocolRules<SlipDialogue> {
    /** Dialogue part of SLIP. */
    public static final DialogueProtocol<SlipDialogue> PROTOCOL = new DialogueProtocol<>(
            WireProtocols.SLIP, SlipDialogue.class, DialogueState::getSlip, DialogueState::setSlip, SlipRules::new);

    private static final String SECTION = "1.4";

    private static final TransitionTable<SlipTaskState, SlipAct> TABLE =
            TransitionTable.of(SECTION, SlipTaskState.class, SlipAct.class).read("""
            | State     | REQUEST                       | PROPOSE                                | ACCEPT                        | REJECT                       | COMMIT                     | INFORM                                | EVAL                          | ERROR     |
            | NEW       | REQUESTED S                   | PROPOSED W SLIP_UNSOLICITED_PROPOSAL I | V SLIP_NOTHING_TO_ACCEPT I    | V SLIP_NOTHING_TO_REJECT I   | V SLIP_NOTHING_TO_COMMIT I | NEW I                                 | V SLIP_NOTHING_TO_EVAL I      | ERRORED I |
            | REQUESTED | V SLIP_DUPLICATE_REQUEST I    | PROPOSED S                             | ACCEPTED I                    | REJECTED I                   | COMMITTED I                | REPORTED W SLIP_REPORT_WITHOUT_PLAN I | V SLIP_NOTHING_TO_EVAL I      | ERRORED I |
            | PROPOSED  | REQUESTED I                   | PROPOSED I                             | ACCEPTED I                    | REQUESTED I                  | COMMITTED I                | REPORTED S                            | PROPOSED I                    | ERRORED I |
            | ACCEPTED  | V SLIP_DUPLICATE_REQUEST I    | V SLIP_PROPOSE_AFTER_ACCEPT I          | V SLIP_DUPLICATE_ACCEPT I     | V SLIP_REJECT_AFTER_ACCEPT I | COMMITTED I                | REPORTED I                            | ACCEPTED I                    | ERRORED I |
            | COMMITTED | V SLIP_DUPLICATE_REQUEST I    | V SLIP_PROPOSE_AFTER_COMMIT I          | COMMITTED W SLIP_UNEXPECTED I | V SLIP_REJECT_AFTER_COMMIT I | V SLIP_DUPLICATE_COMMIT I  | REPORTED I                            | V SLIP_NOTHING_TO_EVAL I      | ERRORED I |
            | REPORTED  | REQUESTED I                   | PROPOSED I                             | CLOSED I                      | REQUESTED I                  | V SLIP_DUPLICATE_COMMIT I  | REPORTED I                            | EVALUATED S                   | ERRORED I |
            | EVALUATED | REQUESTED I                   | PROPOSED I                             | CLOSED I                      | REQUESTED I                  | V SLIP_NOTHING_TO_COMMIT I | REPORTED I                            | EVALUATED I                   | ERRORED I |
            | REJECTED  | REQUESTED I                   | PROPOSED I                             | V SLIP_ACT_AFTER_REJECT I     | V SLIP_DUPLICATE_REJECT I    | V SLIP_ACT_AFTER_REJECT I  | REJECTED W SLIP_UNEXPECTED I          | V SLIP_ACT_AFTER_REJECT I     | ERRORED I |
            | ERRORED   | REQUESTED I                   | PROPOSED I                             | V SLIP_ACT_AFTER_ERROR I      | V SLIP_ACT_AFTER_ERROR I     | V SLIP_ACT_AFTER_ERROR I   | REPORTED I                            | V SLIP_ACT_AFTER_ERROR I      | ERRORED I |
            | CLOSED    | REQUESTED W SLIP_UNEXPECTED I | V SLIP_ACT_AFTER_CLOSE I               | V SLIP_ACT_AFTER_CLOSE I      | V SLIP_ACT_AFTER_CLOSE I     | V SLIP_ACT_AFTER_CLOSE I   | V SLIP_ACT_AFTER_CLOSE I              | EVALUATED W SLIP_UNEXPECTED I | ERRORED I |
            """);

    private static final String TURNS = "1.3";

    private static final Rule UNCHANGING =
            Rules.of("OBSERVE, ASK, META → the task's state stays", Provenance.I, SECTION);
    private static final Rule DUPLICATE =
            Rules.of("T = last, bytes of the accepted message → W SLIP_DUPLICATE", Provenance.I, TURNS);
    private static final Rule REUSED = Rules.of("T = last, other bytes → V SLIP_TURN_REUSED", Provenance.I, TURNS);
    private static final Rule REGRESSION = Rules.of("T < last → V SLIP_TURN_REGRESSION", Provenance.I, TURNS);

    private final RememberedTasks<SlipTask> remembered;

    SlipRules(DialogueSettings settings) {
        this.remembered = new RememberedTasks<>(new SlipTaskForm(), settings.maxEntries());
    }

    @Override
    public RuleResult<SlipDialogue> judge(SlipDialogue dialogue, AgentMessage message, RuleContext context) {
        SlipMessage slip = message.getSlip();
        Warnings warnings = new Warnings();
        warnAboutFields(slip, warnings);
        if (dialogue != null) {
            long last = dialogue.getLastTurn();
            if (slip.getTurn() < last) {
                return new RuleResult<>(Code.SLIP_TURN_REGRESSION, warnings.codes(), REGRESSION, dialogue);
            }
            if (slip.getTurn() == last) {
                if (!dialogue.getLastTurnHash().equals(message.getSha256())) {
                    return new RuleResult<>(Code.SLIP_TURN_REUSED, warnings.codes(), REUSED, dialogue);
                }
                if (dialogue.getLastTurnAccepted()) {
                    warnings.add(Code.SLIP_DUPLICATE);
                    return new RuleResult<>(null, warnings.codes(), DUPLICATE, dialogue);
                }
            } else if (slip.getTurn() - last > 1) {
                warnings.add(Code.SLIP_TURN_GAP);
            }
        }
        return judgeAct(dialogue == null ? List.of() : dialogue.getTasks(), context, message, warnings);
    }

    /** Judges the act in the state of its task. The turn is already that of the message. */
    private RuleResult<SlipDialogue> judgeAct(
            List<SlipTask> tasks, RuleContext context, AgentMessage message, Warnings warnings) {
        SlipMessage slip = message.getSlip();
        OlderTasks older = context.olderTasks();
        Found<SlipTask> found = find(tasks, older, slip.getTaskId());
        SlipTask task = found.task();
        SlipTaskState before = stateOf(task);
        SlipTaskState after = before;
        Rule rule = UNCHANGING;
        if (!isUnchanging(slip.getAct())) {
            Cell<SlipTaskState> cell = TABLE.at(before, slip.getAct());
            rule = cell.rule();
            if (cell.violation() != null) {
                return new RuleResult<>(cell.violation(), warnings.codes(), rule, turnTaken(message, false, tasks));
            }
            if (cell.warning() != null) {
                warnings.add(cell.warning());
            }
            after = cell.target();
        }
        if (after == SlipTaskState.NEW) {
            return new RuleResult<>(null, warnings.codes(), rule, turnTaken(message, true, tasks));
        }
        long now = millisOf(message);
        SlipTask touched =
                new SlipTask(slip.getTaskId(), after, task == null ? now : Math.max(now, task.getLastActivity()));
        Tasks<SlipTask> next = remembered.touch(new Tasks<>(tasks, older), found, touched, context.sequence());
        return new RuleResult<>(null, warnings.codes(), rule, turnTaken(message, true, next.recent()), next.older());
    }

    @Override
    public SlipDialogue expire(SlipDialogue dialogue, long lastActivity, long deadline) {
        if (lastActivity < deadline) {
            return null;
        }
        List<SlipTask> open = remembered.unexpired(dialogue.getTasks(), deadline);
        return open == dialogue.getTasks()
                ? dialogue
                : new SlipDialogue(
                        dialogue.getLastTurn(), dialogue.getLastTurnHash(), dialogue.getLastTurnAccepted(), open);
    }

    /** SLIP state has no texts. */
    @Override
    public SlipDialogue withHashes(SlipDialogue dialogue) {
        return dialogue;
    }

    @Override
    public String positionOf(SlipDialogue dialogue, OlderTasks olderTasks, AgentMessage message) {
        List<SlipTask> tasks = dialogue == null ? List.of() : dialogue.getTasks();
        return stateOf(find(tasks, olderTasks, message.getSlip().getTaskId()).task())
                .name();
    }

    private static SlipTaskState stateOf(SlipTask task) {
        return task == null ? SlipTaskState.NEW : task.getState();
    }

    /**
     * Adds warnings about a single message that need the meaning of its fields. They are recorded whatever the verdict.
     */
    private static void warnAboutFields(SlipMessage slip, Warnings warnings) {
        if (slip.getSource() == slip.getDestination()) {
            warnings.add(Code.SLIP_SELF_ADDRESSED);
        }
        if (slip.getTaskId() != null && slip.getTaskId().equals(slip.getParentTaskId())) {
            warnings.add(Code.SLIP_PARENT_CYCLE);
        }
        SlipFrame expected = expectedFrame(slip.getAct());
        if (expected != null && expected != slip.getFrame()) {
            warnings.add(Code.SLIP_FRAME_MISMATCH);
        }
    }

    /** The frame that the act requires; null if any frame is allowed. */
    private static SlipFrame expectedFrame(SlipAct act) {
        return switch (act) {
            case REQUEST -> SlipFrame.TASK;
            case PROPOSE -> SlipFrame.PLAN;
            case INFORM, OBSERVE -> SlipFrame.OBSERVATION;
            case EVAL -> SlipFrame.EVALUATION;
            case META -> SlipFrame.CONTROL;
            case ASK, COMMIT, ACCEPT, REJECT, ERROR, UNKNOWN -> null;
        };
    }

    private static boolean isUnchanging(SlipAct act) {
        return act == SlipAct.OBSERVE || act == SlipAct.ASK || act == SlipAct.META;
    }

    private Found<SlipTask> find(List<SlipTask> tasks, OlderTasks older, Long id) {
        SlipTask recent = null;
        for (int i = tasks.size() - 1; i >= 0 && recent == null; i--) {
            recent = Objects.equals(tasks.get(i).getTask(), id) ? tasks.get(i) : null;
        }
        return remembered.find(recent, older, () -> SlipTaskForm.key(id));
    }

    private static SlipDialogue turnTaken(AgentMessage message, boolean accepted, List<SlipTask> tasks) {
        return new SlipDialogue(message.getSlip().getTurn(), message.getSha256(), accepted, tasks);
    }

    private static long millisOf(AgentMessage message) {
        return message.getSource().getTimestamp().toEpochMilli();
    }

    /** Stored SLIP tasks. Idle time closes each of them, so all are awaited. */
    private static final class SlipTaskForm implements RememberedTasks.Form<SlipTask> {
        private static final int BYTES = 2 * Long.BYTES;

        static String key(Long id) {
            return id == null ? "" : id.toString();
        }

        @Override
        public String key(SlipTask task) {
            return key(task.getTask());
        }

        @Override
        public OlderTask write(SlipTask task, long order) {
            return new OlderTask(task, null, order);
        }

        @Override
        public SlipTask read(OlderTask stored) {
            return stored.getSlip();
        }

        @Override
        public int bytes(SlipTask task) {
            return BYTES;
        }

        @Override
        public boolean isAwaited(SlipTask task) {
            return true;
        }

        @Override
        public boolean isExpired(SlipTask task, long deadline) {
            return task.getLastActivity() < deadline;
        }

        @Override
        public SlipTask activeAt(SlipTask task, long time) {
            return new SlipTask(task.getTask(), task.getState(), time);
        }
    }
}
