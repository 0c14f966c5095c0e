package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.codec.Code;
import java.util.List;

/** What became of a patch. */
public sealed interface PatchOutcome {

    /** The row of PROTOCOLS 3.3b that decided. */
    PatchRule rule();

    /** What is worth knowing about it; none while it is parked. */
    List<Code> warnings();

    /**
     * The patch was applied.
     *
     * @param checkpoint the state that it made
     * @param written every checkpoint that was written to the store, in that order, the new one last: now and then one
     *     that stood there already gets its snapshot, which changes neither its state nor its hash
     * @param warnings CSP_FORK, CSP_FULL_REWRITE
     * @param rule FORK or APPLIED
     */
    record Applied(Checkpoint checkpoint, List<Checkpoint> written, List<Code> warnings, PatchRule rule)
            implements PatchOutcome {}

    /**
     * The same patch was applied, or waits for its base, already: accepted with CSP_DUPLICATE, and nothing moves.
     *
     * @param rule DUPLICATE or PARKED_ALREADY
     */
    record Duplicate(PatchRule rule) implements PatchOutcome {
        @Override
        public List<Code> warnings() {
            return List.of(Code.CSP_DUPLICATE);
        }
    }

    /**
     * The patch is illegal here; nothing moved.
     *
     * @param code why; its stage is PATCH, except that CSP_FORK is a warning by kind and its violation is of stage
     *     PATCH here
     * @param detail the same in a sentence, with the names
     * @param warnings what is worth knowing beside it
     * @param rule the row that rejected it
     */
    record Rejected(Code code, String detail, List<Code> warnings, PatchRule rule) implements PatchOutcome {}

    /** The patch waits for its base. It has no verdict yet. */
    record Parked() implements PatchOutcome {
        @Override
        public PatchRule rule() {
            return PatchRule.PARKED;
        }

        @Override
        public List<Code> warnings() {
            return List.of();
        }
    }
}
