package dev.parley.dialogue;

import java.util.function.Predicate;

/** The checkpoints of one CSP context, as dialogue rules see them. */
public interface ContextView {
    /** No checkpoints. Sufficient to judge a recorded message again: checkpoints cause only warnings. */
    ContextView NONE = new ContextView() {
        @Override
        public boolean knows(String checkpoint) {
            return false;
        }

        @Override
        public Predicate<String> names(String checkpoint) {
            return name -> false;
        }
    };

    /** Whether the checkpoint exists; C0 always does. */
    boolean knows(String checkpoint);

    /**
     * Returns whether the checkpoint defines a name; false for every name if the checkpoint does not exist. Looks up
     * the checkpoint once, however many names are tested.
     */
    Predicate<String> names(String checkpoint);
}
