package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.apache.avro.Schema;

/**
 * Encodes audit records in Avro's binary form. The content hash is SHA-256 over a part of these bytes: the fields of the
 * content schema, {@code content.avsc}, which is the schema of the record without its hashes and its position in the
 * journal. Not thread-safe.
 */
final class AuditRecordEncoder {
    private static final int USUAL_BYTES = 2_048;

    private static final Schema SCHEMA = AuditRecord.getClassSchema();
    private static final Schema CONTENT_SCHEMA = contentSchema();
    private static final RecordEncoder CONTENT = RecordEncoder.of(CONTENT_SCHEMA, SCHEMA);
    private static final RecordEncoder RECORD = RecordEncoder.of(SCHEMA, SCHEMA);
    private static final int HASH = position("hash");
    private static final int CONTENT_HASH = position("contentHash");
    private static final int MESSAGE = position("message");
    private static final boolean[] IS_CONTENT = new boolean[RECORD.fields()];
    private static final ByteBuffer NO_HASH = AuditChain.genesis();

    static {
        for (Schema.Field field : SCHEMA.getFields()) {
            IS_CONTENT[field.pos()] = CONTENT_SCHEMA.getField(field.name()) != null;
        }
    }

    private final ByteOutput out = new ByteOutput(USUAL_BYTES);

    /** Reads the schema of the hashed content. Once released, it never changes. */
    static Schema contentSchema() {
        try (InputStream resource = AuditRecordEncoder.class.getResourceAsStream("content.avsc")) {
            return new Schema.Parser().parse(resource);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int position(String field) {
        return SCHEMA.getField(field).pos();
    }

    /** Adds the content of a record to a digest. */
    void digestContent(AuditRecord auditRecord, MessageDigest digest) {
        out.clear();
        CONTENT.encode(auditRecord, out);
        digest.update(out.array(), 0, out.length());
    }

    /**
     * Computes the hashes of a record, sets them, and encodes it, in one pass: the hashes are written last, over zeros.
     *
     * @param auditRecord an audit record with all fields except contentHash and hash
     * @param chain computes the hash of the record
     */
    EncodedAuditRecord seal(AuditRecord auditRecord, AuditChain chain, MessageDigest digest) {
        out.clear();
        auditRecord.setHash(NO_HASH);
        auditRecord.setContentHash(NO_HASH);
        int hashEnd = 0;
        int contentHashEnd = 0;
        int messageStart = 0;
        int messageEnd = 0;
        for (int field = 0; field < IS_CONTENT.length; field++) {
            int start = out.length();
            RECORD.encodeField(field, auditRecord, out);
            if (IS_CONTENT[field]) {
                digest.update(out.array(), start, out.length() - start);
            }
            if (field == HASH) {
                hashEnd = out.length();
            } else if (field == CONTENT_HASH) {
                contentHashEnd = out.length();
            } else if (field == MESSAGE) {
                // After the index of the union's branch, one byte; nothing follows it without a message.
                messageStart = start + 1;
                messageEnd = out.length();
            }
        }
        auditRecord.setContentHash(ByteBuffer.wrap(digest.digest()));
        auditRecord.setHash(chain.hash(auditRecord));
        byte[] bytes = out.toBytes();
        put(auditRecord.getContentHash(), bytes, contentHashEnd);
        put(auditRecord.getHash(), bytes, hashEnd);
        return new EncodedAuditRecord(auditRecord, bytes, messageStart, messageEnd);
    }

    private static void put(ByteBuffer hash, byte[] bytes, int end) {
        hash.get(hash.position(), bytes, end - AuditChain.HASH_BYTES, AuditChain.HASH_BYTES);
    }
}
