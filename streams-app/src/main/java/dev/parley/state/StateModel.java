package dev.parley.state;

import java.util.function.Supplier;

/** How the messages of a conversation add up to its state. */
public sealed interface StateModel {

    /** The state is kept in checkpoints, which patches make; see {@link dev.parley.checkpoint}. */
    record Checkpoints() implements StateModel {}

    /**
     * The state is not kept. It is a fold over the audit records of the conversation, made at each request.
     *
     * @param kind name of the state in answers, such as {@code board}
     * @param changes creates the fold's step for one conversation
     */
    record Folded(String kind, Supplier<Changes> changes) implements StateModel {}
}
