package dev.parley.state;

import dev.parley.gloss.Definitions;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** How the messages of a conversation add up to its state. */
public sealed interface StateModel {

    /** The kind of the states. */
    StateKind kind();

    /** The state is kept in checkpoints, which patches make; see {@link dev.parley.checkpoint}. */
    record Checkpoints() implements StateModel {
        @Override
        public StateKind kind() {
            return CheckpointStates.DEFINITIONS;
        }
    }

    /**
     * The state is not kept. It is a fold over the audit records of the conversation, made at each query.
     *
     * @param kind the kind of the states
     * @param changes creates the fold's step for one conversation
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
