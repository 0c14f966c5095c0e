package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.decode.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * Computes the hashes of audit chains. Reuses one digest, so it is not thread-safe.
 *
 * <p>The hash of an audit record is SHA-256 over these values in this order, numbers big-endian: the previous hash (32
 * bytes; zeros for the first record), the sequence (8), the source topic (4 bytes of length, UTF-8), partition (4) and
 * offset (8), the SHA-256 of the payload (32), the verdict (length, UTF-8), the number of codes (4) and each
 * code (length, UTF-8), and the content hash (32). The deciding code, if any, precedes the warnings. The payload and the
 * decoded form enter only by their hashes, so both can be removed later and the chain still verifies.
 */
public final class AuditChain {
    /** Length of every hash, in bytes. */
    public static final int HASH_BYTES = 32;

    private final MessageDigest sha256 = Sha256.digest();
    private final HashBuffer buffer = new HashBuffer();
    private final AuditRecordEncoder encoder = new AuditRecordEncoder();

    /** The hash before the first record: zeros. */
    public static ByteBuffer genesis() {
        return ByteBuffer.wrap(new byte[HASH_BYTES]);
    }

    /**
     * Computes the hash of an audit record from its fields.
     *
     * @param auditRecord an audit record with all fields except hash
     * @return 32 bytes
     */
    public ByteBuffer hash(AuditRecord auditRecord) {
        buffer.clear();
        buffer.bytes(auditRecord.getPreviousHash());
        buffer.number(auditRecord.getSequence());
        Source source = auditRecord.getSource();
        buffer.text(source.getTopic());
        buffer.integer(source.getPartition());
        buffer.number(source.getOffset());
        buffer.bytes(auditRecord.getPayloadHash());
        buffer.text(auditRecord.getVerdict());
        List<String> warnings = auditRecord.getWarnings();
        String code = auditRecord.getCode();
        buffer.integer(warnings.size() + (code == null ? 0 : 1));
        if (code != null) {
            buffer.text(code);
        }
        for (String warning : warnings) {
            buffer.text(warning);
        }
        buffer.bytes(auditRecord.getContentHash());
        return buffer.digest(sha256);
    }

    /**
     * Computes the content hash of an audit record as docs/audit.md describes.
     *
     * @return 32 bytes
     */
    public ByteBuffer contentHash(AuditRecord auditRecord) {
        encoder.digestContent(auditRecord, sha256);
        return ByteBuffer.wrap(sha256.digest());
    }

    /**
     * Completes an audit record: sets both hashes, and encodes it.
     *
     * @param auditRecord an audit record with all other fields; becomes part of the result
     */
    public EncodedAuditRecord seal(AuditRecord auditRecord) {
        return encoder.seal(auditRecord, this, sha256);
    }

    /** SHA-256 of a payload. */
    public ByteBuffer payloadHash(ByteBuffer payload) {
        sha256.update(payload.duplicate());
        return ByteBuffer.wrap(sha256.digest());
    }
}
