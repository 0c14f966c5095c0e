package dev.parley.server.feature;

import dev.parley.avro.AuditHead;
import java.util.Optional;

/** The cosigned heads of the audit log, which checkpoints and proofs use. Thread-safe. */
public interface CosignedHeads {

    /** The last head of the log of a partition with enough cosignatures; empty if there is none yet. */
    Optional<AuditHead> head(int partition);

    /** Number of witnesses that must have cosigned a head before it is served; 0 if each head is served. */
    int quorum();
}
