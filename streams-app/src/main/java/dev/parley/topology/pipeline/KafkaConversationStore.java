package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.StoredStates;
import dev.parley.stage.ConversationStore;
import org.apache.kafka.streams.state.KeyValueStore;

/** The conversations of a task, in its store. */
record KafkaConversationStore(KeyValueStore<String, DialogueState> store, StoredStates form)
        implements ConversationStore {

    @Override
    public ConversationState get(String chain) {
        return form.read(store.get(chain));
    }

    @Override
    public void put(String chain, ConversationState state) {
        store.put(chain, form.write(state));
    }
}
