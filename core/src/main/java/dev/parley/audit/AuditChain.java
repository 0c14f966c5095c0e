package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Computes the hashes of audit chains. Not for several threads at once (it keeps a digest).
 *
 * <p>The hash of a link is SHA-256 over, in this order and big-endian: the previous hash (32 bytes; zeros for the first link), the sequence (8), the
 * source topic (4 bytes of length, UTF-8), partition (4) and offset (8), the SHA-256 of the payload (32), the verdict's name (length, UTF-8), the
 * number of codes (4) and each code (length, UTF-8): the deciding code first, if there is one, then the warnings; and the content hash (32), which records of version
 * 0.1.0 do not have. The payload itself is not in it, nor what was made of it but by its hash, so that both can be removed later and the chain still verifies.
 */
public final class AuditChain {
    /** Length of every hash, in bytes. */
    public static final int HASH_BYTES = 32;

    private final MessageDigest sha256 = sha256();
    private final Sink sink = new Sink();
    private final ContentForm content = new ContentForm();

    /** The hash before the first link: zeros. */
    public static ByteBuffer genesis() {
        return ByteBuffer.wrap(new byte[HASH_BYTES]);
    }

    /**
     * The hash of a record, from its own fields.
     *
     * @param link a record whose every field but hash is set
     * @return 32 bytes
     */
    public ByteBuffer hash(AuditRecord link) {
        sink.clear();
        sink.bytes(link.getPreviousHash());
        sink.number(link.getSequence());
        Source source = link.getSource();
        sink.text(source.getTopic());
        sink.integer(source.getPartition());
        sink.number(source.getOffset());
        sink.bytes(link.getPayloadHash());
        sink.text(link.getVerdict().name());
        List<String> warnings = link.getWarnings();
        String code = link.getCode();
        sink.integer(warnings.size() + (code == null ? 0 : 1));
        if (code != null) {
            sink.text(code);
        }
        for (String warning : warnings) {
            sink.text(warning);
        }
        if (link.getContentHash() != null) {
            sink.bytes(link.getContentHash());
        }
        return sink.digest(sha256);
    }

    /**
     * SHA-256 over the content of a record in the form that docs/audit.md describes: every field but the hashes and {@code redacted}; of the payload its length.
     *
     * @return 32 bytes
     */
    public ByteBuffer contentHash(AuditRecord link) {
        sink.clear();
        content.write(link, sink);
        return sink.digest(sha256);
    }

    /** SHA-256 of some bytes. */
    public ByteBuffer payloadHash(ByteBuffer payload) {
        sha256.update(payload.duplicate());
        return ByteBuffer.wrap(sha256.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
