package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.avro.OlderTask;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.OlderTasks;
import dev.parley.dialogue.StoredStates;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.OlderTaskStore;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** Stores the conversation states of a task in a key-value store, and their older tasks in another one. */
final class KafkaConversationStore implements ConversationStore {
    private final KeyValueStore<String, DialogueState> states;
    private final OlderTaskStore olderTasks;
    private final StoredStates storedStates;

    KafkaConversationStore(ProcessorContext<?, ?> context, PipelineSettings settings) {
        KeyValueStore<String, OlderTask> tasks = context.getStateStore(PipelineStores.OLDER_TASKS);
        this.states = context.getStateStore(PipelineStores.CONVERSATIONS);
        this.olderTasks = new OlderTaskStore(new KafkaSortedStore<>(tasks));
        this.storedStates = settings.stages().protocols().storedStates();
    }

    @Override
    public ConversationState get(String chain) {
        return read(chain, states.get(chain));
    }

    /** Converts a stored state; null for null. */
    ConversationState read(String chain, DialogueState stored) {
        boolean hasOlderTasks = stored != null && stored.getOlderTasks() > 0;
        return storedStates.read(stored, hasOlderTasks ? olderTasks.of(chain) : OlderTasks.Source.EMPTY);
    }

    @Override
    public void put(String chain, ConversationState state) {
        olderTasks.put(chain, state.dialogue().olderTasks());
        states.put(chain, storedStates.write(state));
    }
}
