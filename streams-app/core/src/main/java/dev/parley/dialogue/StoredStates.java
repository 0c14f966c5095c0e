package dev.parley.dialogue;

import dev.parley.avro.DialogueState;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Converts conversation states to and from their stored form. Immutable and thread-safe. */
public final class StoredStates {
    private final List<DialogueProtocol<?>> protocols;

    /** Creates a converter for conversations of these protocols. */
    public StoredStates(List<DialogueProtocol<?>> protocols) {
        this.protocols = List.copyOf(protocols);
    }

    /**
     * Converts a stored state; null for null.
     *
     * @param olderItems the older items of the conversation
     */
    public ConversationState read(DialogueState stored, OlderItems.Source olderItems) {
        return stored == null
                ? null
                : new ConversationState(
                        new ChainHead(stored.getSequence(), stored.getHead(), stored.getRedactions()),
                        stored.getLastActivity(),
                        dialogue(stored, olderItems));
    }

    private Dialogue dialogue(DialogueState stored, OlderItems.Source olderItems) {
        SpecificRecord state = null;
        for (int i = 0; i < protocols.size() && state == null; i++) {
            state = protocols.get(i).getter().apply(stored);
        }
        return state == null && !stored.getClosedIncomplete()
                ? Dialogue.NONE
                : new Dialogue(
                        state,
                        stored.getClosedIncomplete(),
                        OlderItems.of(stored.getOlderItems(), stored.getOlderBytes(), olderItems));
    }

    /** Converts a state to its stored form, which has the number of older items, but not these. */
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
                null,
                head.redactions(),
                null,
                dialogue.olderItems().count(),
                dialogue.olderItems().bytes());
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
