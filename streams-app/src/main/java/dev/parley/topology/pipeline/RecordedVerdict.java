package dev.parley.topology.pipeline;

import dev.parley.audit.EncodedAuditRecord;
import dev.parley.avro.Stage;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;

/**
 * An input record with its outcome and its audit record.
 *
 * @param judged input record and outcome
 * @param audit audit record; null while the patch is parked
 */
record RecordedVerdict(JudgedRecord judged, EncodedAuditRecord audit) {

    boolean isFinal() {
        return audit != null;
    }

    /** Returns whether the message was accepted or flagged. */
    boolean passes() {
        return judged.outcome() instanceof Outcome.Accepted || judged.outcome() instanceof Outcome.Flagged;
    }

    boolean madeCheckpoint() {
        return !judged.outcome().checkpoints().isEmpty();
    }

    boolean failedAt(Stage stage) {
        // Records that were deleted unread have no bytes for a dead letter.
        return !passes()
                && !(judged.outcome() instanceof Outcome.Expired)
                && judged.outcome()
                        .failure()
                        .filter(failure -> failure.stage() == stage)
                        .isPresent();
    }
}
