package dev.parley.log;

import dev.parley.audit.AuditChain;
import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies audit records by themselves: payload, content hash and hash, and that every verdict except ACCEPTED has a
 * deciding code. Not thread-safe; several threads may verify different records, each with its own verifier.
 */
public final class RecordVerifier {
    private final AuditChain hashes = new AuditChain();
    private final List<FaultCode> found = new ArrayList<>(2);

    /** Verifies a record without regard to others. */
    public CheckedRecord check(AuditRecord auditRecord) {
        found.clear();
        ByteBuffer raw =
                auditRecord.getMessage() != null ? auditRecord.getMessage().getRaw() : auditRecord.getRaw();
        boolean redacted = Redactions.isRedactedCopy(auditRecord);
        boolean elsewhere = false;
        boolean payloadChanged = raw != null && !hashes.payloadHash(raw).equals(auditRecord.getPayloadHash());
        if (payloadChanged) {
            found.add(FaultCode.PAYLOAD_CHANGED);
        } else if (raw == null && !redacted && !hasNone(auditRecord)) {
            if (Symbols.VERDICT.of(auditRecord.getVerdict()) == Verdict.UNDECODABLE) {
                // Larger than the maximum message size; only the input topic contains it.
                elsewhere = true;
            } else {
                found.add(FaultCode.PAYLOAD_MISSING);
            }
        }
        if (auditRecord.getOmitted() != null
                && !auditRecord.getOmitted().getSha256().equals(auditRecord.getPayloadHash())) {
            found.add(FaultCode.PAYLOAD_CHANGED);
        }
        boolean whole = checkHashes(auditRecord, redacted, payloadChanged);
        return new CheckedRecord(
                auditRecord.getChain(),
                auditRecord.getSequence(),
                ByteBuffers.of(auditRecord.getHash()),
                ByteBuffers.of(auditRecord.getPreviousHash()),
                ByteBuffers.of(auditRecord.getPayloadHash()),
                InputPosition.of(auditRecord.getSource()),
                auditRecord.getSource().getTimestamp().toEpochMilli(),
                auditRecord.getLog(),
                List.copyOf(found),
                whole,
                elsewhere,
                auditRecord);
    }

    private boolean checkHashes(AuditRecord auditRecord, boolean redacted, boolean payloadChanged) {
        // The content includes the payload, whose change is already reported.
        boolean whole = !redacted && !payloadChanged;
        if (whole
                && (auditRecord.getRedacted() != null
                        || !hashes.contentHash(auditRecord).equals(auditRecord.getContentHash()))) {
            found.add(FaultCode.CONTENT_CHANGED);
            whole = false;
        }
        if (!hashes.hash(auditRecord).equals(auditRecord.getHash())) {
            found.add(FaultCode.RECORD_CHANGED);
        } else if ((Symbols.VERDICT.of(auditRecord.getVerdict()) == Verdict.ACCEPTED)
                != (auditRecord.getCode() == null)) {
            found.add(FaultCode.VERDICT_CHANGED);
        } else {
            return whole;
        }
        return false;
    }

    /** Whether the input record had no value. */
    private boolean hasNone(AuditRecord auditRecord) {
        return hashes.payloadHash(ByteBuffer.allocate(0)).equals(auditRecord.getPayloadHash());
    }
}
