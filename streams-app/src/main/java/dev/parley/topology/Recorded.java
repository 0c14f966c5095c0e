package dev.parley.topology;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
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
        return isFinal() && judged.code() != null && !passes() && judged.stage() == stage;
    }
}
