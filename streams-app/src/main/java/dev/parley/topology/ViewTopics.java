package dev.parley.topology;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Stage;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;

/**
 * The topics that the views are built from, and how their values are read. All of them must exist before the views start.
 *
 * @param audit name of the audit topic
 * @param auditValue its values
 * @param checkpoint name of the checkpoint topic
 * @param checkpointValue its values
 * @param accounting name of the accounting topic
 * @param accountingValue its values
 * @param deadLetters names of the dead-letter topics, one for each of {@link ViewStores#DEAD_LETTER_STAGES}
 */
public record ViewTopics(
        String audit,
        Serde<AuditRecord> auditValue,
        String checkpoint,
        Serde<Checkpoint> checkpointValue,
        String accounting,
        Serde<Accounting> accountingValue,
        Map<Stage, String> deadLetters) {

    /** @throws IllegalArgumentException when a stage has no dead-letter topic */
    public ViewTopics {
        deadLetters = Map.copyOf(deadLetters);
        if (!deadLetters.keySet().containsAll(ViewStores.DEAD_LETTER_STAGES)) {
            throw new IllegalArgumentException(
                    "every one of " + ViewStores.DEAD_LETTER_STAGES + " needs a dead-letter topic: " + deadLetters);
        }
    }
}
