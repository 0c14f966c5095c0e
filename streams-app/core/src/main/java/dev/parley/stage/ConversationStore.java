package dev.parley.stage;

import dev.parley.checkpoint.MemoryStore;
import dev.parley.dialogue.ConversationState;
import java.util.HashMap;
import java.util.Map;

/**
 * Store of conversation states. The judge and redact stages read a state; the record stage reads and writes it. One
 * thread at a time uses a store.
 */
public interface ConversationStore {

    /**
     * Returns the state of a conversation.
     *
     * @param chain its key
     * @return null before its first audit record
     */
    ConversationState get(String chain);

    /** Stores the state, and the changes of its older items. */
    void put(String chain, ConversationState state);

    /** Creates a store in memory, for offline use and tests. */
    static ConversationStore inMemory() {
        Map<String, ConversationState> states = new HashMap<>();
        ItemStore olderItems = new ItemStore(new MemoryStore<>());
        return new ConversationStore() {
            @Override
            public ConversationState get(String chain) {
                return states.get(chain);
            }

            @Override
            public void put(String chain, ConversationState state) {
                olderItems.put(chain, state.dialogue().olderItems());
                states.put(chain, state.stored(olderItems.of(chain)));
            }
        };
    }
}
