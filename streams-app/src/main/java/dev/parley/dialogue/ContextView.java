package dev.parley.dialogue;

/** What the rules may ask of the checkpoints of one CSP context. */
public interface ContextView {

    /** A context that has nothing but its root C0. */
    ContextView EMPTY = new ContextView() {
        @Override
        public boolean knows(String checkpoint) {
            return checkpoint.equals("C0");
        }

        @Override
        public boolean defines(String checkpoint, String name) {
            return false;
        }
    };

    /** Whether the checkpoint exists; C0 always does. */
    boolean knows(String checkpoint);

    /** Whether the checkpoint exists and defines the name. */
    boolean defines(String checkpoint, String name);
}
