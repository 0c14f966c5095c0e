package dev.parley.log;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.checkpoint.CheckpointKey;
import java.time.Duration;
import java.util.List;

/**
 * An audit record after all checks that need no other record, and what the checks against other records need. Its
 * hashes are those that the record states; their arrays are not to be changed.
 *
 * @param payloadHash null if the record is a redacted copy
 * @param time time at which the broker received the input, in milliseconds since the epoch
 * @param faults the faults of the record by itself
 * @param whole whether its content matches its content hash
 * @param payloadElsewhere whether only the input topic contains its payload, because of its size
 * @param auditRecord the record
 */
public record CheckedRecord(
        String chain,
        long sequence,
        byte[] hash,
        byte[] previousHash,
        byte[] payloadHash,
        InputPosition input,
        long time,
        LogPosition log,
        List<FaultCode> faults,
        boolean whole,
        boolean payloadElsewhere,
        AuditRecord auditRecord) {
    /** Maximum of csp.parking.ms, for which a patch waits for its base, apart from a task without other records. */
    public static final long MAX_PARKED_MS = Duration.ofDays(1).toMillis();

    /**
     * Latest time, in milliseconds since the epoch, at which an audit record can have been written, apart from a lag of
     * the pipeline: that of its input, or for a patch, which may have waited for its base, a day later.
     *
     * @param time time of the input
     */
    public static long writtenBy(String chain, long time) {
        return CheckpointKey.isChain(chain) ? Math.max(time, time + MAX_PARKED_MS) : time;
    }
}
