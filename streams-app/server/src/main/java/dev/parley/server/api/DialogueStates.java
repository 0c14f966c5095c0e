package dev.parley.server.api;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Rule;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.Judge;
import dev.parley.json.model.MessageDetail.Dialogue;
import dev.parley.json.model.MessageDetail.Position;
import dev.parley.server.api.view.ViewRequest;
import dev.parley.server.http.ProblemException;
import dev.parley.stage.DialogueReplay;
import dev.parley.stage.StageSettings;
import dev.parley.state.PointInTime;
import dev.parley.state.StateAnswer.State;
import dev.parley.state.StateModel;
import dev.parley.state.StateQueries;
import dev.parley.state.StateQueryException;
import dev.parley.topology.views.Views;
import java.util.Iterator;
import java.util.Optional;

/**
 * The states of a conversation before and after one message. A state without checkpoints is folded from the beginning
 * of its conversation, so it is computed only for the first {@link #MAX_FOLDED} messages; of a CSP context, the answer
 * has the checkpoints, whose definitions are read by the paths of states.
 *
 * @param settings settings of the pipeline, with which the rules run again
 */
record DialogueStates(Views views, ViewRequest request, StageSettings settings) {

    /** Maximum number of messages that are folded for one answer. */
    static final long MAX_FOLDED = 5_000;

    /** Returns {@code before} and {@code after}; both null, with the reason in {@code omitted}, if there are none. */
    Dialogue around(AuditRecord record, ConversationKey conversation) {
        Optional<StateModel> model = settings.stateModel(conversation.protocol());
        if (model.isEmpty()) {
            return omitted("Records of this protocol have no state.");
        }
        boolean folded = model.get() instanceof StateModel.Folded;
        if (folded && record.getSequence() >= MAX_FOLDED) {
            return omitted("The state is computed here only for the first " + MAX_FOLDED
                    + " messages of a conversation. Request /state?at=sequence:" + record.getSequence() + ".");
        }
        StateQueries queries =
                new StateQueries(views, settings::stateModel, request.masking()::visible, request.budget());
        try {
            return request.budget()
                    .addAnswer(new Dialogue(
                            record.getSequence() < MAX_FOLDED
                                            && request.masking().visible(record) != null
                                    ? positions(record)
                                    : null,
                            state(queries, conversation, record.getSequence() - 1, folded),
                            state(queries, conversation, record.getSequence(), folded),
                            null));
        } catch (StateQueryException e) {
            return omitted(e.getMessage());
        } catch (ProblemException e) {
            if (e.code() == ProblemException.Code.ANSWER_TOO_LARGE) {
                return omitted(e.getMessage());
            }
            throw e;
        }
    }

    private static State state(StateQueries queries, ConversationKey conversation, long sequence, boolean folded) {
        PointInTime at = new PointInTime.AtSequence(sequence);
        return folded ? queries.state(conversation, at) : queries.point(conversation, at);
    }

    /**
     * Returns the names of the dialogue states around a message, from a replay of the rules; those of its recorded rule
     * if the replay lacks messages. Null if its protocol has no rules, or if earlier messages were pruned.
     */
    private Position positions(AuditRecord record) {
        AgentMessage message = record.getMessage();
        Judge judge = settings.judge();
        if (message == null || !judge.knows(message)) {
            return null;
        }
        DialogueReplay replay = new DialogueReplay(judge);
        boolean masked = false;
        long next = 0;
        Iterator<AuditRecord> records = views.records(record.getChain(), next, record.getSequence());
        while (records.hasNext()) {
            AuditRecord earlier = records.next();
            if (earlier.getSequence() != next) {
                return null;
            }
            if (request.masking().visible(earlier) == null) {
                masked = true;
            } else {
                replay.add(earlier);
            }
            next++;
        }
        if (next < record.getSequence()) {
            return null;
        }
        ConversationState before = judge.expire(
                replay.state(record.getChain()),
                message.getSource().getTimestamp().toEpochMilli());
        String position = judge.positionOf(before, message);
        replay.add(record);
        Rule rule = record.getRule();
        boolean exact = replay.isExact() && !masked;
        return exact || rule == null || rule.getBefore() == null
                ? new Position(position, judge.positionOf(replay.state(record.getChain()), message), exact, false)
                : new Position(
                        rule.getBefore(), rule.getAfter() == null ? rule.getBefore() : rule.getAfter(), false, true);
    }

    private static Dialogue omitted(String reason) {
        return new Dialogue(null, null, null, reason);
    }
}
