package dev.parley.dialogue;

import java.util.function.Predicate;

/** The checkpoints of one CSP context, as dialogue rules see them. */
public interface ContextView {

    /** Whether the checkpoint exists; C0 always does. */
    boolean knows(String checkpoint);

    /**
     * Returns whether the checkpoint defines a name; false for every name if the checkpoint does not exist. Looks up
     * the checkpoint once, however many names are tested.
     */
    Predicate<String> names(String checkpoint);
}
