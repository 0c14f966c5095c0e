package dev.parley.checkpoint;

import dev.parley.avro.Checkpoint;
import dev.parley.codec.Code;
import java.util.List;

/** Result of a patch. */
public sealed interface PatchOutcome {

    /** The row of docs/protocols.md 3.3b that decided. */
    PatchRule rule();

    /** Warnings; none while the patch is parked. */
    List<Code> warnings();

    /**
     * The patch was applied.
     *
     * @param written all checkpoints written to the store, in order, the new one last. An existing one may be written
     *     again with a snapshot, which changes neither its state nor its hash
     * @param warnings CSP_FORK, CSP_FULL_REWRITE
     * @param rule FORK or APPLIED
     */
    record Applied(List<Checkpoint> written, List<Code> warnings, PatchRule rule) implements PatchOutcome {
        /** The checkpoint that it made. */
        public Checkpoint checkpoint() {
            return written.get(written.size() - 1);
        }
    }

    /**
     * The same patch was already applied or parked. It is accepted with CSP_DUPLICATE and has no effect.
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
     * The patch is illegal and has no effect.
     *
     * @param code the violation, of stage APPLY. CSP_FORK is one here, although a warning by kind
     * @param detail a sentence with the names
     * @param rule the row that rejected it
     */
    record Rejected(Code code, String detail, List<Code> warnings, PatchRule rule) implements PatchOutcome {}

    /** The patch waits for its base and has no verdict yet. */
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
