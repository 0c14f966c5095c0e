package dev.parley.state;

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
     */
    record Folded(StateKind kind, Supplier<StateReducer> changes) implements StateModel {}
}
