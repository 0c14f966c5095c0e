package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.ConversationItem;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.avro.SlipTurn;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.TransitionTable.Cell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
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
            Rules.of("T used by the same accepted message → W SLIP_DUPLICATE", Provenance.I, TURNS);
    private static final Rule WORD =
            Rules.of("T spells no value, far above last → V SLIP_TURN_WORD", Provenance.I, TURNS);
    private static final Rule REUSED = Rules.of("T = last, other message → V SLIP_TURN_REUSED", Provenance.I, TURNS);
    private static final Rule REGRESSION =
            Rules.of("T < last, other message → V SLIP_TURN_REGRESSION", Provenance.I, TURNS);

    /** Maximum number of turns whose messages are recognized when they are sent again. */
    static final int MAX_TURNS = 8;

    private static final int MAX_PARTIES = 8;

    private final RememberedItems<SlipTask> remembered;

    SlipRules(DialogueSettings settings) {
        this.remembered = new RememberedItems<>(new SlipTaskForm(), settings.maxEntries());
    }

    @Override
    public RuleResult<SlipDialogue> judge(SlipDialogue dialogue, AgentMessage message, RuleContext context) {
        SlipMessage slip = message.getSlip();
        ByteBuffer hash = ResendHash.stored(message);
        Warnings warnings = new Warnings();
        warnAboutFields(slip, warnings);
        SlipTurn last = lastTurn(dialogue);
        long lastNumber = last == null ? -1 : last.getTurn();
        SlipSpelling.warn(slip, lastNumber, warnings);
        if (SlipSpelling.isPlaceholderTurn(lastNumber, slip.getTurn())) {
            return new RuleResult<>(Code.SLIP_TURN_WORD, warnings.codes(), WORD, dialogue);
        }
        if (last != null) {
            if (slip.getTurn() <= last.getTurn()) {
                SlipTurn used = usedTurn(dialogue, slip.getTurn());
                boolean same = used != null && used.getHash().equals(hash);
                if (same && used.getAccepted()) {
                    warnings.add(Code.SLIP_DUPLICATE);
                    return new RuleResult<>(null, warnings.codes(), DUPLICATE, dialogue);
                }
                if (slip.getTurn() < last.getTurn()) {
                    return new RuleResult<>(Code.SLIP_TURN_REGRESSION, warnings.codes(), REGRESSION, dialogue);
                }
                if (!same) {
                    return new RuleResult<>(Code.SLIP_TURN_REUSED, warnings.codes(), REUSED, dialogue);
                }
            } else if (slip.getTurn() - last.getTurn() > 1) {
                warnings.add(Code.SLIP_TURN_GAP);
            }
        }
        SlipTurn turn = new SlipTurn(slip.getTurn(), hash, true);
        long now = message.getSource().getTimestamp().toEpochMilli();
        return judgeAct(dialogue, turn, context, slip, now, warnings);
    }

    /** Judges the act in the state of its task. The turn is already that of the message. */
    private RuleResult<SlipDialogue> judgeAct(
            SlipDialogue dialogue, SlipTurn turn, RuleContext context, SlipMessage slip, long now, Warnings warnings) {
        List<SlipTask> tasks = tasksOf(dialogue);
        OlderItems older = context.olderItems();
        Found<SlipTask> found = find(tasks, older, slip.getTaskId());
        SlipTask task = found.item();
        SlipTaskState before = stateOf(task);
        SlipTaskState after = before;
        Rule rule = UNCHANGING;
        if (!isUnchanging(slip.getAct())) {
            Cell<SlipTaskState> cell = TABLE.at(before, slip.getAct());
            rule = cell.rule();
            if (cell.violation() != null) {
                turn.setAccepted(false);
                return new RuleResult<>(cell.violation(), warnings.codes(), rule, turnTaken(dialogue, turn, tasks));
            }
            warnings.add(cell.warning());
            warnAboutSender(slip, task, before, warnings);
            after = cell.target();
        }
        if (after == SlipTaskState.NEW) {
            return new RuleResult<>(null, warnings.codes(), rule, turnTaken(dialogue, turn, tasks));
        }
        SlipTask touched = touched(task, after, slip, now);
        Items<SlipTask> next = remembered.touch(new Items<>(tasks, older), found, touched, context.sequence());
        return new RuleResult<>(null, warnings.codes(), rule, turnTaken(dialogue, turn, next.recent()), next.older());
    }

    /** Adds the warnings about a legal act that need the agents of its task. */
    private static void warnAboutSender(SlipMessage slip, SlipTask task, SlipTaskState before, Warnings warnings) {
        boolean answers = before == SlipTaskState.REQUESTED
                || before == SlipTaskState.PROPOSED
                || before == SlipTaskState.REPORTED;
        if (slip.getAct() == SlipAct.ACCEPT
                && answers
                && task.getAuthor() != null
                && task.getAuthor() == slip.getSource()) {
            warnings.add(Code.SLIP_SELF_ACCEPT);
        }
        if (slip.getAct() == SlipAct.COMMIT && !task.getParties().contains(slip.getSource())) {
            warnings.add(Code.SLIP_NOT_ADDRESSED);
        }
    }

    /** Returns a task, null if it is new, after an accepted message. */
    private static SlipTask touched(SlipTask task, SlipTaskState after, SlipMessage slip, long now) {
        SlipAct act = slip.getAct();
        boolean opens = act == SlipAct.REQUEST && stateOf(task) != SlipTaskState.PROPOSED;
        List<Long> before = task == null || opens ? List.of() : task.getParties();
        List<Long> parties = with(before, slip.getDestination());
        Long author = task == null || act == SlipAct.REJECT ? null : task.getAuthor();
        if (act == SlipAct.PROPOSE) {
            parties = with(parties, slip.getSource());
        }
        boolean reports = after == SlipTaskState.REPORTED && stateOf(task) != SlipTaskState.REPORTED;
        if (act == SlipAct.PROPOSE || act == SlipAct.REQUEST || reports) {
            author = slip.getSource();
        }
        long time = task == null ? now : Math.max(now, task.getLastActivity());
        return new SlipTask(slip.getTaskId(), after, time, author, parties);
    }

    private static List<Long> with(List<Long> parties, long agent) {
        if (parties.contains(agent)) {
            return parties;
        }
        List<Long> more = new ArrayList<>(parties.size() + 1);
        for (int i = Math.max(0, parties.size() + 1 - MAX_PARTIES); i < parties.size(); i++) {
            more.add(parties.get(i));
        }
        more.add(agent);
        return more;
    }

    @Override
    public Explanation explain(SlipDialogue dialogue, AgentMessage message, RuleContext context, Code violation) {
        SlipMessage slip = message.getSlip();
        SlipTurn last = lastTurn(dialogue);
        SlipTaskState state = stateOf(
                find(tasksOf(dialogue), context.olderItems(), slip.getTaskId()).item());
        List<String> allowed = new ArrayList<>();
        for (SlipAct act : SlipAct.values()) {
            if (isUnchanging(act)
                    || act != SlipAct.UNKNOWN && TABLE.at(state, act).violation() == null) {
                allowed.add(act.name());
            }
        }
        String detail = "";
        long used = slip.getTurn();
        if (violation == Code.SLIP_TURN_REUSED) {
            detail = "Another message has turn " + SlipSpelling.field('T', used) + ". ";
        } else if (violation == Code.SLIP_TURN_WORD) {
            used = last == null ? -1 : last.getTurn();
            detail = "The turn must be a number, but " + SlipSpelling.field('T', slip.getTurn())
                    + " spells a missing value; it is not used. ";
        } else if (violation == Code.SLIP_TURN_REGRESSION) {
            used = last.getTurn();
            detail = "Turn " + SlipSpelling.field('T', slip.getTurn()) + " is lower than the last turn "
                    + SlipSpelling.field('T', used)
                    + (SlipSpelling.wouldFollow(used, slip.getTurn()) ? ", perhaps meant in decimal. " : ". ");
            detail += jump(dialogue.getTurns());
            long oldest = dialogue.getTurns().get(0).getTurn();
            if (slip.getTurn() < oldest && dialogue.getTurns().size() == MAX_TURNS) {
                detail += "A message that is sent again is recognized on the last " + MAX_TURNS + " turns only, since "
                        + SlipSpelling.field('T', oldest) + ". ";
            }
        }
        detail += used == Long.MAX_VALUE
                ? "No higher turn exists until the conversation has been idle. "
                : "The next free turn is " + SlipSpelling.field('T', used + 1) + ". ";
        detail += (slip.getTaskId() == null
                        ? "The conversation outside tasks"
                        : "Task " + SlipSpelling.field('k', slip.getTaskId()))
                + " is " + state + " and allows " + Explanation.either(allowed) + ". "
                + SlipSpelling.causes(slip, last == null ? -1 : last.getTurn());
        return new Explanation(detail.strip(), allowed);
    }

    /** Names the turn before a last turn that skipped others, which may be why a turn is too low. */
    private static String jump(List<SlipTurn> turns) {
        long before =
                turns.size() < 2 ? Long.MAX_VALUE : turns.get(turns.size() - 2).getTurn();
        long last = turns.get(turns.size() - 1).getTurn();
        return last - 1 > before
                ? SlipSpelling.field('T', last) + " came directly after " + SlipSpelling.field('T', before)
                        + ". If that was a mistake, count on from it, or start another conversation. "
                : "";
    }

    @Override
    public String remark(SlipDialogue dialogue, AgentMessage message, RuleContext context, List<Code> warnings) {
        SlipMessage slip = message.getSlip();
        SlipTurn last = lastTurn(dialogue);
        String remark = SlipSpelling.causes(slip, last == null ? -1 : last.getTurn());
        if (warnings.contains(Code.SLIP_TURN_GAP) && !warnings.contains(Code.SLIP_DECIMAL)) {
            remark += " After " + SlipSpelling.field('T', last.getTurn()) + " comes "
                    + SlipSpelling.field('T', last.getTurn() + 1) + '.';
        }
        if (warnings.contains(Code.SLIP_FRAME_MISMATCH)) {
            SlipFrame frame = expectedFrame(slip.getAct());
            remark += " The frame of " + slip.getAct() + " is f" + (frame.ordinal() - 1) + " (" + frame + ").";
        }
        return remark.isEmpty() ? null : remark.strip();
    }

    @Override
    public SlipDialogue expire(SlipDialogue dialogue, long lastActivity, long deadline) {
        if (lastActivity < deadline) {
            return null;
        }
        List<SlipTask> open = remembered.unexpired(dialogue.getTasks(), deadline);
        return open == dialogue.getTasks() ? dialogue : new SlipDialogue(dialogue.getTurns(), open);
    }

    /** SLIP state has no texts. */
    @Override
    public SlipDialogue withHashes(SlipDialogue dialogue) {
        return dialogue;
    }

    @Override
    public String positionOf(SlipDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        Found<SlipTask> found =
                find(tasksOf(dialogue), olderItems, message.getSlip().getTaskId());
        return stateOf(found.item()).name();
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

    private Found<SlipTask> find(List<SlipTask> tasks, OlderItems older, Long id) {
        SlipTask recent = null;
        for (int i = tasks.size() - 1; i >= 0 && recent == null; i--) {
            recent = Objects.equals(tasks.get(i).getTask(), id) ? tasks.get(i) : null;
        }
        return remembered.find(recent, older, () -> SlipTaskForm.key(id));
    }

    private static List<SlipTask> tasksOf(SlipDialogue dialogue) {
        return dialogue == null ? List.of() : dialogue.getTasks();
    }

    private static SlipTurn lastTurn(SlipDialogue dialogue) {
        return dialogue == null || dialogue.getTurns().isEmpty()
                ? null
                : dialogue.getTurns().get(dialogue.getTurns().size() - 1);
    }

    /** Returns a turn that is in use; null if no message had it, or if it is too old. */
    private static SlipTurn usedTurn(SlipDialogue dialogue, long turn) {
        List<SlipTurn> turns = dialogue.getTurns();
        for (int i = turns.size() - 1; i >= 0 && turns.get(i).getTurn() >= turn; i--) {
            if (turns.get(i).getTurn() == turn) {
                return turns.get(i);
            }
        }
        return null;
    }

    /** Returns the dialogue after a turn. If it is the last one, a rejected message was sent again. */
    private static SlipDialogue turnTaken(SlipDialogue dialogue, SlipTurn turn, List<SlipTask> tasks) {
        List<SlipTurn> before = dialogue == null ? List.of() : dialogue.getTurns();
        int end = before.size();
        if (end > 0 && before.get(end - 1).getTurn() == turn.getTurn()) {
            end--;
        }
        int start = Math.max(0, end + 1 - MAX_TURNS);
        SlipTurn[] turns = new SlipTurn[end - start + 1];
        for (int i = start; i < end; i++) {
            turns[i - start] = before.get(i);
        }
        turns[end - start] = turn;
        return new SlipDialogue(Arrays.asList(turns), tasks);
    }

    /** Stored SLIP tasks. Idle time closes each of them, so all are awaited. */
    private static final class SlipTaskForm implements RememberedItems.Form<SlipTask> {
        /** Bytes of ID, time and author. */
        private static final int BYTES = 3 * Long.BYTES;

        static String key(Long id) {
            return id == null ? "" : id.toString();
        }

        @Override
        public String key(SlipTask task) {
            return key(task.getTask());
        }

        @Override
        public ConversationItem write(SlipTask task, long order) {
            return new ConversationItem(task, null, null, null, null, order);
        }

        @Override
        public SlipTask read(ConversationItem stored) {
            return stored.getSlip();
        }

        @Override
        public int bytes(SlipTask task) {
            return BYTES + Long.BYTES * task.getParties().size();
        }

        @Override
        public boolean isExpired(SlipTask task, long deadline) {
            return task.getLastActivity() < deadline;
        }

        @Override
        public SlipTask activeAt(SlipTask task, long time) {
            return new SlipTask(task.getTask(), task.getState(), time, task.getAuthor(), task.getParties());
        }
    }
}
