package dev.parley.log;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
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
        AuditRecord auditRecord) {}
