package dev.parley.server.api;

import dev.parley.avro.AuditRecord;
import dev.parley.decode.ConversationKey;
import dev.parley.json.StateResults;
import dev.parley.json.model.MessageDetail.Dialogue;
import dev.parley.json.model.MessageDetail.Position;
import dev.parley.json.model.State;
import dev.parley.protocol.Protocols;
import dev.parley.server.access.MaskingPolicy;
import dev.parley.server.http.ProblemException;
import dev.parley.server.http.ResponseBudget;
import dev.parley.state.PointInTime;
import dev.parley.state.StateModel;
import dev.parley.state.StateQueries;
import dev.parley.state.StateQueryException;
import dev.parley.topology.views.read.Views;
import java.util.Optional;

/**
 * The states of a conversation before and after one message. A state without checkpoints is folded from the beginning
 * of its conversation, so it is computed only for the first {@link #MAX_FOLDED} messages; of a CSP context, the answer
 * has the checkpoints, whose definitions are read by the paths of states.
 */
final class DialogueStates {

    /** Maximum number of messages that are folded for one answer. */
    static final long MAX_FOLDED = 5_000;

    private final Views views;
    private final MaskingPolicy masking;
    private final ResponseBudget budget;

    DialogueStates(Views views, MaskingPolicy masking, ResponseBudget budget) {
        this.views = views;
        this.masking = masking;
        this.budget = budget;
    }

    /** Returns {@code before} and {@code after}; both null, with the reason in {@code omitted}, if there are none. */
    Dialogue around(AuditRecord record, ConversationKey conversation) {
        Optional<StateModel> model = Protocols.STANDARD.stateModel(conversation.protocol());
        if (model.isEmpty()) {
            return omitted("Records of this protocol have no state.");
        }
        boolean folded = model.get() instanceof StateModel.Folded;
        if (folded && record.getSequence() >= MAX_FOLDED) {
            return omitted("The state is computed here only for the first " + MAX_FOLDED
                    + " messages of a conversation. Request /state?at=sequence:" + record.getSequence() + ".");
        }
        StateQueries queries = new StateQueries(views, Protocols.STANDARD::stateModel, masking::masks, budget);
        try {
            Position position = record.getSequence() < MAX_FOLDED && !masking.masks(record)
                    ? new DialogueReplay(views, masking).around(record).orElse(null)
                    : null;
            return budget.addAnswer(new Dialogue(
                    position,
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
        return folded
                ? StateResults.of(queries.state(conversation, at))
                : StateResults.of(queries.point(conversation, at));
    }

    private static Dialogue omitted(String reason) {
        return new Dialogue(null, null, null, reason);
    }
}
