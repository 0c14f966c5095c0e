package dev.parley.dialogue;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.TransitionTable.Cell;
import java.util.ArrayList;
import java.util.List;

/**
 * Dialogue rules of SUBIT. A session has one state, and a lane for each agent with an open INTENT or PLAN. The row for
 * a message is
 *
 * <ol>
 *   <li>the sender's own open lane;
 *   <li>otherwise, for an ACTION, the lane that was opened or renewed last;
 *   <li>otherwise the session's state. If that is an INTENT or PLAN, and both its agent and the sender are known, the
 *       row of another agent applies.
 * </ol>
 *
 * Messages without a sender share a lane, and never count as another agent's. A session is idle if it had no message
 * for the idle time.
 */
public record SubitRules(DialogueSettings settings) implements ProtocolRules<SubitDialogue> {
    /** Dialogue part of SUBIT. */
    public static final DialogueProtocol<SubitDialogue> PROTOCOL = new DialogueProtocol<>(
            WireProtocols.SUBIT,
            SubitDialogue.class,
            DialogueState::getSubit,
            DialogueState::setSubit,
            SubitRules::new);

    private static final String SECTION = "2.4";

    private static final TransitionTable<SubitState, SubitType> TABLE =
            TransitionTable.of(SECTION, SubitState.class, SubitType.class).read("""
            | State     | STATE                          | INTENT                           | ACTION                           | PLAN                        | TRACE                      | ERROR                        |
            | START     | STATE S                        | V SUBIT_NO_INITIAL_STATE C       | V SUBIT_NO_INITIAL_STATE C       | V SUBIT_NO_INITIAL_STATE C  | V SUBIT_NO_INITIAL_STATE C | ERROR W SUBIT_ORPHAN_ERROR I |
            | STATE     | STATE W SUBIT_STATE_REPEATED I | INTENT S                         | V SUBIT_ACTION_WITHOUT_INTENT C  | PLAN S                      | END_TRACE S                | ERROR S                      |
            | INTENT    | V SUBIT_STATE_AFTER_INTENT C   | INTENT W SUBIT_INTENT_REPEATED I | ACTION S                         | PLAN C                      | END_TRACE S                | ERROR S                      |
            | ACTION    | V SUBIT_STATE_AFTER_ACTION S   | V SUBIT_INTENT_AFTER_ACTION C    | ACTION W SUBIT_ACTION_REPEATED I | V SUBIT_PLAN_AFTER_ACTION I | END_TRACE S                | ERROR S                      |
            | PLAN      | V SUBIT_STATE_AFTER_PLAN C     | V SUBIT_INTENT_AFTER_PLAN C      | ACTION C                         | PLAN I                      | END_TRACE S                | ERROR S                      |
            | END_TRACE | STATE I                        | V SUBIT_INTENT_AFTER_TRACE C     | V SUBIT_ACTION_AFTER_TRACE C     | V SUBIT_PLAN_AFTER_TRACE I  | END_TRACE I                | ERROR S                      |
            | ERROR     | STATE S                        | V SUBIT_EXPECTED_STATE C         | V SUBIT_EXPECTED_STATE C         | V SUBIT_EXPECTED_STATE C    | V SUBIT_EXPECTED_STATE C   | ERROR I                      |
            """);

    /** Applies if the open INTENT or PLAN is known to belong to another agent than the sender. */
    private static final TransitionTable<SubitState, SubitType> OTHER_AGENT = TransitionTable.of(
                    SECTION, SubitState.class, SubitType.class)
            .qualified(" of another agent")
            .read("""
            | State  | STATE   | INTENT   | ACTION   | PLAN   | TRACE       | ERROR   |
            | INTENT | STATE I | INTENT C | ACTION S | PLAN C | END_TRACE S | ERROR S |
            | PLAN   | STATE I | INTENT I | ACTION C | PLAN I | END_TRACE S | ERROR S |
            """);

    @Override
    public RuleResult<SubitDialogue> judge(SubitDialogue dialogue, AgentMessage message, RuleContext context) {
        Cell<SubitState> cell =
                cell(dialogue, message.getSender(), message.getSubit().getType());
        Warnings warnings = new Warnings();
        if (context.afterIncomplete()) {
            warnings.add(Code.SUBIT_INCOMPLETE_DIALOGUE);
        }
        if (cell.violation() != null) {
            return new RuleResult<>(cell.violation(), warnings.codes(), cell.rule(), dialogue);
        }
        warnings.add(cell.warning());
        String agent = message.getSender();
        List<SubitLane> before = dialogue == null ? List.of() : dialogue.getLanes();
        SubitDialogue after =
                new SubitDialogue(cell.target(), StoredText.bounded(agent), lanes(before, cell.target(), agent));
        return new RuleResult<>(null, warnings.codes(), cell.rule(), after);
    }

    @Override
    public Explanation explain(SubitDialogue dialogue, AgentMessage message, RuleContext context, Code violation) {
        String agent = message.getSender();
        List<String> allowed = new ArrayList<>();
        for (SubitType type : SubitType.values()) {
            if (type != SubitType.UNKNOWN && cell(dialogue, agent, type).violation() == null) {
                allowed.add(type.name());
            }
        }
        int own = dialogue == null ? -1 : indexOf(dialogue.getLanes(), agent);
        String situation = dialogue == null
                ? "The session is new, or was closed after the idle time"
                : own >= 0
                        ? "The sender's " + dialogue.getLanes().get(own).getOpen() + " is open"
                        : "The session is in " + dialogue.getState();
        return new Explanation(situation + ": the sender may send " + Explanation.either(allowed) + " next.", allowed);
    }

    private static Cell<SubitState> cell(SubitDialogue dialogue, String agent, SubitType type) {
        if (dialogue == null) {
            return TABLE.at(SubitState.START, type);
        }
        List<SubitLane> lanes = dialogue.getLanes();
        int own = indexOf(lanes, agent);
        if (own >= 0) {
            return TABLE.at(lanes.get(own).getOpen(), type);
        }
        SubitState row = dialogue.getState();
        String opener = dialogue.getAgent();
        if (type == SubitType.ACTION && !lanes.isEmpty()) {
            SubitLane latest = lanes.get(lanes.size() - 1);
            row = latest.getOpen();
            opener = latest.getAgent();
        }
        boolean othersLane = (row == SubitState.INTENT || row == SubitState.PLAN) && agent != null && opener != null;
        return (othersLane ? OTHER_AGENT : TABLE).at(row, type);
    }

    /** Returns the lanes after a legal message. */
    private List<SubitLane> lanes(List<SubitLane> lanes, SubitState target, String agent) {
        return switch (target) {
            case INTENT, PLAN -> opened(lanes, agent, target);
            case ACTION -> closed(lanes, agent);
            case END_TRACE, ERROR -> List.of();
            case STATE, START -> lanes;
        };
    }

    /** Returns the lanes with the agent's own as the latest; beyond the bound, the oldest is removed. */
    private List<SubitLane> opened(List<SubitLane> lanes, String agent, SubitState target) {
        List<SubitLane> next = new ArrayList<>(lanes.size() + 1);
        next.addAll(lanes);
        int own = indexOf(next, agent);
        if (own >= 0) {
            next.remove(own);
        }
        next.add(new SubitLane(StoredText.bounded(agent), target));
        next.subList(0, Math.max(0, next.size() - settings.maxEntries())).clear();
        return next;
    }

    /** Returns the lanes without the agent's own, or without the latest if the agent has none. */
    private static List<SubitLane> closed(List<SubitLane> lanes, String agent) {
        if (lanes.isEmpty()) {
            return lanes;
        }
        int own = indexOf(lanes, agent);
        List<SubitLane> next = new ArrayList<>(lanes);
        next.remove(own >= 0 ? own : next.size() - 1);
        return next;
    }

    private static int indexOf(List<SubitLane> lanes, String agent) {
        StoredText wanted = new StoredText(agent);
        for (int index = lanes.size() - 1; index >= 0; index--) {
            if (wanted.matches(lanes.get(index).getAgent())) {
                return index;
            }
        }
        return -1;
    }

    @Override
    public SubitDialogue expire(SubitDialogue dialogue, long lastActivity, long deadline) {
        return lastActivity >= deadline ? dialogue : null;
    }

    @Override
    public boolean isIncomplete(SubitDialogue dialogue) {
        return switch (dialogue.getState()) {
            case STATE, INTENT, PLAN -> true;
            case START, ACTION, END_TRACE, ERROR -> false;
        };
    }

    @Override
    public SubitDialogue bounded(SubitDialogue dialogue) {
        List<SubitLane> lanes = StateBytes.newest(dialogue.getLanes(), lane -> 2 + StateBytes.of(lane.getAgent()));
        return lanes == dialogue.getLanes()
                ? dialogue
                : new SubitDialogue(dialogue.getState(), dialogue.getAgent(), lanes);
    }

    @Override
    public SubitDialogue withHashes(SubitDialogue dialogue) {
        return new SubitDialogue(
                dialogue.getState(),
                StoredText.hash(dialogue.getAgent()),
                dialogue.getLanes().stream()
                        .map(lane -> new SubitLane(StoredText.hash(lane.getAgent()), lane.getOpen()))
                        .toList());
    }

    @Override
    public String positionOf(SubitDialogue dialogue, OlderItems olderItems, AgentMessage message) {
        return (dialogue == null ? SubitState.START : dialogue.getState()).name();
    }
}
