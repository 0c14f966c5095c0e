package dev.parley.topology;

import dev.parley.avro.DialogueState;
import dev.parley.pipeline.Conversations;
import org.apache.kafka.streams.state.KeyValueStore;

/** The conversations of a task, in its store. */
record StoredConversations(KeyValueStore<String, DialogueState> store) implements Conversations {

    @Override
    public DialogueState get(String chain) {
        return store.get(chain);
    }

    @Override
    public void put(String chain, DialogueState state) {
        store.put(chain, state);
    }
}
