package dev.parley.state;

import dev.parley.gloss.Definitions;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Derives the state of a conversation from its messages. */
public sealed interface StateModel {

    StateKind kind();

    /** The state is stored in checkpoints; see {@link dev.parley.checkpoint}. */
    record Checkpoints() implements StateModel {
        @Override
        public StateKind kind() {
            return CheckpointStates.DEFINITIONS;
        }
    }

    /**
     * The state is not stored, but computed by each query as a fold over the audit records of the conversation.
     *
     * @param changes creates the reducer of one conversation
     * @param definitions the definitions in a state, for glosses
     */
    record Folded(
            StateKind kind, Supplier<StateReducer> changes, Function<Map<String, StateEntry>, Definitions> definitions)
            implements StateModel {

        /** A fold whose states have no definitions. */
        public Folded(StateKind kind, Supplier<StateReducer> changes) {
            this(kind, changes, entries -> Definitions.NONE);
        }
    }
}
