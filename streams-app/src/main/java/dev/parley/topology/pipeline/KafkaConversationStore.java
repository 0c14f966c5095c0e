package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.StoredStates;
import dev.parley.stage.ConversationStore;
import org.apache.kafka.streams.state.KeyValueStore;

/** Stores the conversation states of a task in a key-value store. */
record KafkaConversationStore(KeyValueStore<String, DialogueState> store, StoredStates storedStates)
        implements ConversationStore {

    @Override
    public ConversationState get(String chain) {
        return storedStates.read(store.get(chain));
    }

    @Override
    public void put(String chain, ConversationState state) {
        store.put(chain, storedStates.write(state));
    }
}
