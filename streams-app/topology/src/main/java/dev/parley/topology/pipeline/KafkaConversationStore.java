package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.checkpoint.SortedStore;
import dev.parley.dialogue.ConversationState;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.StoredStates;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.ItemStore;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/** Stores the conversation states of a task in a key-value store, and their older items in another one. */
final class KafkaConversationStore implements ConversationStore {
    private final SortedStore<DialogueState> states;
    private final ItemStore olderItems;
    private final StoredStates storedStates;

    KafkaConversationStore(ProcessorContext<?, ?> context, PipelineSettings settings) {
        this.states = new KafkaSortedStore<>(context.getStateStore(PipelineStores.CONVERSATIONS));
        this.olderItems = new ItemStore(new KafkaSortedStore<>(context.getStateStore(PipelineStores.ITEMS)));
        this.storedStates = settings.stages().protocols().storedStates();
    }

    @Override
    public ConversationState get(String chain) {
        return read(chain, states.get(chain).orElse(null));
    }

    /** Converts a stored state; null for null. */
    ConversationState read(String chain, DialogueState stored) {
        boolean hasOlderItems = stored != null && stored.getOlderItems() > 0;
        return storedStates.read(stored, hasOlderItems ? olderItems.of(chain) : OlderItems.Source.EMPTY);
    }

    @Override
    public void put(String chain, ConversationState state) {
        olderItems.put(chain, state.dialogue().olderItems());
        states.put(chain, storedStates.write(state));
    }
}
