package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * Computes the hashes of audit chains. Not for several threads at once (it keeps a digest).
 *
 * <p>The hash of a link is SHA-256 over, in this order and big-endian: the previous hash (32 bytes; zeros for the first link), the sequence (8), the
 * source topic (4 bytes of length, UTF-8), partition (4) and offset (8), the SHA-256 of the payload (32), the verdict's name (length, UTF-8), the
 * number of codes (4) and each code (length, UTF-8): the deciding code first, if there is one, then the warnings. The payload itself is not in it, so
 * that a payload can be removed later and the chain still verifies.
 */
public final class AuditChain {
    /** Length of every hash, in bytes. */
    public static final int HASH_BYTES = 32;

    private final MessageDigest sha256 = sha256();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

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
        sha256.update(link.getPreviousHash().duplicate());
        addLong(link.getSequence());
        Source source = link.getSource();
        addText(source.getTopic());
        addInt(source.getPartition());
        addLong(source.getOffset());
        sha256.update(link.getPayloadHash().duplicate());
        Verdict verdict = link.getVerdict();
        addText(verdict.name());
        List<String> warnings = link.getWarnings();
        String code = link.getCode();
        addInt(warnings.size() + (code == null ? 0 : 1));
        if (code != null) {
            addText(code);
        }
        for (String warning : warnings) {
            addText(warning);
        }
        return ByteBuffer.wrap(sha256.digest());
    }

    /** SHA-256 of some bytes. */
    public ByteBuffer payloadHash(ByteBuffer payload) {
        sha256.update(payload.duplicate());
        return ByteBuffer.wrap(sha256.digest());
    }

    private void addText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        addInt(bytes.length);
        sha256.update(bytes);
    }

    private void addInt(int value) {
        sha256.update(number.clear().putInt(value).flip());
    }

    private void addLong(long value) {
        sha256.update(number.clear().putLong(value).flip());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
