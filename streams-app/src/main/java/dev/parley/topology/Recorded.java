package dev.parley.topology;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.pipeline.Judged;

/**
 * A verdict and its audit record.
 *
 * @param judged the verdict
 * @param audit its link of the chain; null while the message is parked
 */
record Recorded(Judged judged, AuditRecord audit) {

    boolean isFinal() {
        return audit != null;
    }

    /** Accepted, or flagged for those who only watch. */
    boolean passes() {
        return isFinal()
                && audit.getMessage() != null
                && (judged.verdict() == Verdict.ACCEPTED || judged.verdict() == Verdict.FLAGGED);
    }

    boolean madeCheckpoint() {
        return isFinal() && !judged.checkpoints().isEmpty();
    }

    boolean failedAt(Stage stage) {
        // What was deleted unread has no bytes to send again.
        return isFinal()
                && judged.code() != null
                && judged.code() != Code.INPUT_EXPIRED
                && !passes()
                && judged.stage() == stage;
    }
}
