package dev.parley.dialogue;

import java.util.function.Predicate;

/** What the rules may ask of the checkpoints of one CSP context. */
public interface ContextView {

    /** A context that has nothing but its root C0. */
    ContextView EMPTY = new ContextView() {
        @Override
        public boolean knows(String checkpoint) {
            return checkpoint.equals("C0");
        }

        @Override
        public Predicate<String> names(String checkpoint) {
            return name -> false;
        }
    };

    /** Whether the checkpoint exists; C0 always does. */
    boolean knows(String checkpoint);

    /**
     * Which names the checkpoint defines; none, when it does not exist. The checkpoint is looked for here, and not for
     * each name.
     */
    Predicate<String> names(String checkpoint);
}
