package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.encoding.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Computes the hashes of audit records (docs/audit.md). Reuses one digest, so it is not thread-safe.
 *
 * <p>The content hash is SHA-256 over the content of a record, and the hash of the record is SHA-256 over the SHA-256
 * of its metadata and its content hash. Metadata and content are Avro's binary encoding of the record in the schemas
 * {@code metadata.avsc} and {@code content.avsc}. The metadata contain the previous hash of the chain and the position
 * in the log. A record without its content therefore still proves its metadata.
 */
public final class AuditChain {
    /** Length of every hash, in bytes. */
    public static final int HASH_BYTES = 32;

    /** Length of the salt of a record, in bytes. */
    public static final int SALT_BYTES = 16;

    private final MessageDigest sha256 = Sha256.digest();
    private final AuditRecordEncoder encoder = new AuditRecordEncoder();

    /** The bytes of the message or undecodable record; null if the audit record does not have them. */
    public static ByteBuffer raw(AuditRecord auditRecord) {
        return auditRecord.getMessage() == null
                ? auditRecord.getRaw()
                : auditRecord.getMessage().getRaw();
    }

    /** The hash before the first record: zeros. */
    public static ByteBuffer genesis() {
        return ByteBuffer.wrap(new byte[HASH_BYTES]);
    }

    /**
     * Computes the hash of an audit record from its metadata and content hash.
     *
     * @param auditRecord an audit record, perhaps without its content
     * @return 32 bytes
     */
    public ByteBuffer hash(AuditRecord auditRecord) {
        encoder.digest(AuditRecordEncoder.METADATA, auditRecord, sha256);
        return hash(sha256, sha256.digest(), auditRecord.getContentHash());
    }

    /** The hash of a record: SHA-256 over the SHA-256 of its metadata and its content hash. */
    static ByteBuffer hash(MessageDigest sha256, byte[] metadata, ByteBuffer contentHash) {
        sha256.update(metadata);
        sha256.update(contentHash.duplicate());
        return ByteBuffer.wrap(sha256.digest());
    }

    /**
     * Computes the content hash of an audit record.
     *
     * @return 32 bytes
     */
    public ByteBuffer contentHash(AuditRecord auditRecord) {
        encoder.digest(AuditRecordEncoder.CONTENT, auditRecord, sha256);
        return ByteBuffer.wrap(sha256.digest());
    }

    /**
     * Completes an audit record: sets both hashes, and encodes it.
     *
     * @param auditRecord an audit record with all other fields; becomes part of the result
     */
    public EncodedAuditRecord seal(AuditRecord auditRecord) {
        return encoder.seal(auditRecord, sha256);
    }

    /** SHA-256 of a payload. */
    public ByteBuffer payloadHash(ByteBuffer payload) {
        sha256.update(payload.duplicate());
        return ByteBuffer.wrap(sha256.digest());
    }
}
