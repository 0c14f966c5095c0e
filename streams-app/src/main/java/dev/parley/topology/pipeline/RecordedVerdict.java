package dev.parley.topology.pipeline;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.Outcome;

/**
 * An input record with its outcome and its audit record.
 *
 * @param judged the record and its outcome
 * @param audit its audit record; null while it is parked
 */
record RecordedVerdict(JudgedRecord judged, AuditRecord audit) {

    boolean isFinal() {
        return audit != null;
    }

    /** Whether it is a message that was accepted or flagged. */
    boolean passes() {
        return judged.outcome() instanceof Outcome.Accepted || judged.outcome() instanceof Outcome.Flagged;
    }

    boolean madeCheckpoint() {
        return !judged.outcome().checkpoints().isEmpty();
    }

    boolean failedAt(Stage stage) {
        // Records that were deleted unread have no bytes to redrive.
        return !passes()
                && !(judged.outcome() instanceof Outcome.Expired)
                && judged.outcome()
                        .failure()
                        .filter(failure -> failure.stage() == stage)
                        .isPresent();
    }
}
