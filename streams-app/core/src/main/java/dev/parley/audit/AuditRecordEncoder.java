package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Encodes audit records in Avro's binary form, and finds the parts of it that the hashes cover: metadata and content,
 * as the schemas {@code metadata.avsc} and {@code content.avsc} list them. Each part is a run of adjacent fields of the
 * record. Not thread-safe.
 */
final class AuditRecordEncoder {
    private static final int USUAL_BYTES = 2_048;

    private static final Schema SCHEMA = AuditRecord.getClassSchema();
    private static final RecordEncoder RECORD = RecordEncoder.of(SCHEMA, SCHEMA);
    private static final int HASH = position("hash");
    private static final int CONTENT_HASH = position("contentHash");
    private static final int MESSAGE = position("message");
    private static final ByteBuffer NO_HASH = AuditChain.genesis();

    /** The metadata of a record. */
    static final Part METADATA = Part.of("metadata.avsc");

    /** The content of a record, which a redaction removes. */
    static final Part CONTENT = Part.of("content.avsc");

    private final ByteOutput out = new ByteOutput(USUAL_BYTES);

    /**
     * A run of adjacent fields of the record.
     *
     * @param schema the schema of these fields; once released, it never changes
     * @param encoder encodes a record in that schema
     * @param first index of the first field
     * @param last index of the last field
     */
    record Part(Schema schema, RecordEncoder encoder, int first, int last) {
        private static Part of(String resource) {
            Schema schema;
            try (InputStream in = AuditRecordEncoder.class.getResourceAsStream(resource)) {
                schema = new Schema.Parser().parse(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            List<Schema.Field> fields = schema.getFields();
            return new Part(
                    schema,
                    RecordEncoder.of(schema, SCHEMA),
                    position(fields.get(0).name()),
                    position(fields.get(fields.size() - 1).name()));
        }
    }

    private static int position(String field) {
        return SCHEMA.getField(field).pos();
    }

    /** Adds a part of a record to a digest. */
    void digest(Part part, AuditRecord auditRecord, MessageDigest digest) {
        out.clear();
        part.encoder.encode(auditRecord, out);
        digest.update(out.array(), 0, out.length());
    }

    /**
     * Computes the hashes of a record, sets them, and encodes it, in one pass: the hashes are written last, over zeros.
     *
     * @param auditRecord an audit record with all fields except contentHash and hash
     */
    EncodedAuditRecord seal(AuditRecord auditRecord, MessageDigest digest) {
        out.clear();
        auditRecord.setHash(NO_HASH);
        auditRecord.setContentHash(NO_HASH);
        int[] ends = new int[RECORD.fields()];
        for (int field = 0; field < ends.length; field++) {
            RECORD.encodeField(field, auditRecord, out);
            ends[field] = out.length();
        }
        digest.update(out.array(), start(CONTENT, ends), ends[CONTENT.last] - start(CONTENT, ends));
        auditRecord.setContentHash(ByteBuffer.wrap(digest.digest()));
        digest.update(out.array(), start(METADATA, ends), ends[METADATA.last] - start(METADATA, ends));
        auditRecord.setHash(AuditChain.hash(digest, digest.digest(), auditRecord.getContentHash()));
        byte[] bytes = out.toBytes();
        put(auditRecord.getContentHash(), bytes, ends[CONTENT_HASH]);
        put(auditRecord.getHash(), bytes, ends[HASH]);
        // After the index of the union's branch, one byte; nothing follows it without a message.
        return new EncodedAuditRecord(auditRecord, bytes, ends[MESSAGE - 1] + 1, ends[MESSAGE]);
    }

    private static int start(Part part, int[] ends) {
        return part.first == 0 ? 0 : ends[part.first - 1];
    }

    private static void put(ByteBuffer hash, byte[] bytes, int end) {
        hash.get(hash.position(), bytes, end - AuditChain.HASH_BYTES, AuditChain.HASH_BYTES);
    }
}
