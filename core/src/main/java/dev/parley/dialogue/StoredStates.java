package dev.parley.dialogue;

import dev.parley.avro.DialogueState;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Maps states of conversations to the form in which stores keep them, and back. Immutable; for any number of threads.
 */
public final class StoredStates {
    private final List<DialogueProtocol<?>> protocols;

    /** A mapper for conversations of these protocols. */
    public StoredStates(List<DialogueProtocol<?>> protocols) {
        this.protocols = List.copyOf(protocols);
    }

    /** Reads a stored state; null as null. */
    public ConversationState read(DialogueState stored) {
        return stored == null
                ? null
                : new ConversationState(
                        new ChainHead(stored.getSequence(), stored.getHead(), stored.getRedactions()),
                        stored.getLastActivity(),
                        dialogue(stored));
    }

    private Dialogue dialogue(DialogueState stored) {
        SpecificRecord state = null;
        for (int i = 0; i < protocols.size() && state == null; i++) {
            state = protocols.get(i).getter().apply(stored);
        }
        return state == null && !stored.getClosedIncomplete()
                ? Dialogue.NONE
                : new Dialogue(state, stored.getClosedIncomplete());
    }

    /** The form of a state in a store. */
    public DialogueState write(ConversationState state) {
        ChainHead head = state.head();
        Dialogue dialogue = state.dialogue();
        DialogueState stored = new DialogueState(
                head.records(),
                head.hash(),
                state.lastActivity(),
                dialogue.closedIncomplete(),
                null,
                null,
                null,
                null,
                head.redactions(),
                null);
        for (int i = 0; i < protocols.size() && dialogue.state() != null; i++) {
            put(protocols.get(i), dialogue.state(), stored);
        }
        return stored;
    }

    private static <D extends SpecificRecord> void put(
            DialogueProtocol<D> protocol, SpecificRecord state, DialogueState stored) {
        if (protocol.stateType().isInstance(state)) {
            protocol.setter().accept(stored, protocol.stateType().cast(state));
        }
    }
}
