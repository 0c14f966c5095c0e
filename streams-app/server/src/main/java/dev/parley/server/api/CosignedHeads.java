package dev.parley.server.api;

import dev.parley.avro.AuditHead;
import dev.parley.json.model.Status;
import java.util.List;
import java.util.Optional;

/** The heads of the audit log that witnesses have cosigned. Thread-safe. */
public interface CosignedHeads {

    /** The last head of the log of a partition with enough cosignatures; empty if there is none yet. */
    Optional<AuditHead> head(int partition);

    /** Number of witnesses that must have cosigned a head before it is served; 0 if each head is served. */
    int quorum();

    /** How the witnesses are, for the logs that this instance owns. */
    List<Status.Witness> witnesses();
}
