package dev.parley.stage;

import dev.parley.dialogue.ConversationState;
import java.util.HashMap;
import java.util.Map;

/** Where the state of each conversation is kept. */
public interface ConversationStore {

    /**
     * The state of a conversation.
     *
     * @param chain its key
     * @return null when nothing of it was recorded yet
     */
    ConversationState get(String chain);

    /** Keeps the state of a conversation. */
    void put(String chain, ConversationState state);

    /** Conversations in memory, for offline work and tests. */
    static ConversationStore inMemory() {
        Map<String, ConversationState> states = new HashMap<>();
        return new ConversationStore() {
            @Override
            public ConversationState get(String chain) {
                return states.get(chain);
            }

            @Override
            public void put(String chain, ConversationState state) {
                states.put(chain, state);
            }
        };
    }
}
