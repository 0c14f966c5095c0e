package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.SubitMessage;
import java.util.List;

/**
 * The current form of each agent of a SUBIT session: STATE sets it, ACTION moves it to its second form, ERROR clears it. The entries are
 * {@code agent/NAME}, and {@code agent/-} for messages whose sender nobody knows; a value is a form's number, 0 to 63.
 */
public final class SubitChanges implements Changes {
    /** The state of such a conversation. */
    public static final StateModel.Folded MODEL = new StateModel.Folded("forms", SubitChanges::new);

    @Override
    public List<Change> of(AuditRecord record) {
        SubitMessage subit = record.getMessage().getSubit();
        String sender = record.getMessage().getSender();
        String agent = "agent/" + (sender == null ? "-" : sender);
        return switch (subit.getType()) {
            case STATE -> List.of(Change.set(agent, subit.getForms().get(0).toString()));
            case ACTION -> List.of(Change.set(agent, subit.getForms().get(1).toString()));
            case ERROR -> List.of(Change.clear(agent));
            case INTENT, PLAN, TRACE, UNKNOWN -> List.of();
        };
    }
}
