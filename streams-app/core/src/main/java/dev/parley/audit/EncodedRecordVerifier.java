package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Verdict;
import dev.parley.decode.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Verifies audit records by themselves in Avro's binary form, without building objects: several times as fast as {@link
 * RecordVerifier}. It accepts only records without faults, in the form that Parley writes, with a payload and without
 * redaction. Every other record must be decoded and given to {@link RecordVerifier}, which decides. Not thread-safe.
 */
public final class EncodedRecordVerifier {
    /** Result for a record that {@link RecordVerifier} must verify. */
    public static final int NONE = RecordScanner.NONE;

    private static final Schema SCHEMA = AuditRecord.getClassSchema();
    private static final byte[] ACCEPTED = Verdict.ACCEPTED.name().getBytes(StandardCharsets.UTF_8);
    private static final boolean SUPPORTED = isRun(AuditRecordEncoder.METADATA) && isRun(AuditRecordEncoder.CONTENT);

    private final RecordScanner source =
            new RecordScanner(SCHEMA.getField("source").schema(), Map.of());
    private final RecordScanner message =
            new RecordScanner(SCHEMA.getField("message").schema().getTypes().get(1), Map.of());
    private final RecordScanner log = new RecordScanner(SCHEMA.getField("log").schema(), Map.of());
    private final RecordScanner fields =
            new RecordScanner(SCHEMA, Map.of("source", source, "message", message, "log", log));

    private final int topicField = source.field("topic");
    private final int partitionField = source.field("partition");
    private final int offsetField = source.field("offset");
    private final int timestampField = source.field("timestamp");
    private final int logPartitionField = log.field("partition");
    private final int logIndexField = log.field("index");
    private final int messageRawField = message.field("raw");
    private final int chainField = fields.field("chain");
    private final int sequenceField = fields.field("sequence");
    private final int hashField = fields.field("hash");
    private final int previousHashField = fields.field("previousHash");
    private final int payloadHashField = fields.field("payloadHash");
    private final int verdictField = fields.field("verdict");
    private final int codeField = fields.field("code");
    private final int messageField = fields.field("message");
    private final int rawField = fields.field("raw");
    private final int contentHashField = fields.field("contentHash");

    /** Fields that only {@link RecordVerifier} handles. */
    private final int[] unusual = {
        fields.field("redaction"), fields.field("redacted"), fields.field("unread"), fields.field("omitted")
    };

    private final MessageDigest sha256 = Sha256.digest();
    private final byte[] computed = new byte[AuditChain.HASH_BYTES];
    private String topic = "";
    private byte[] topicBytes = {};
    private CheckedRecord checked;

    /** Whether this class can verify records that were written with a schema: only with that of this version. */
    public static boolean supports(Schema writer) {
        return SUPPORTED && areEncodedAlike(writer, SCHEMA);
    }

    /** Whether a part of the record is encoded like its run of fields. */
    private static boolean isRun(AuditRecordEncoder.Part part) {
        List<Schema.Field> expected = part.schema().getFields();
        if (part.last() - part.first() + 1 != expected.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            Schema.Field field = SCHEMA.getFields().get(part.first() + i);
            if (!field.name().equals(expected.get(i).name())
                    || !areEncodedAlike(field.schema(), expected.get(i).schema())) {
                return false;
            }
        }
        return true;
    }

    private static boolean areEncodedAlike(Schema one, Schema other) {
        return SchemaNormalization.toParsingForm(one).equals(SchemaNormalization.toParsingForm(other));
    }

    /**
     * Verifies the record that starts at a position.
     *
     * @param bytes encoded records, written with a schema that this class {@link #supports}
     * @param from position of the record
     * @param to limit of the record, which may end earlier
     * @return the position after the record; {@link #NONE} if it must be decoded and verified by {@link
     *     RecordVerifier}
     */
    public int check(byte[] bytes, int from, int to) {
        int end = fields.scan(bytes, from, to);
        return end != NONE && isUsual(bytes) && matches(bytes) ? end : NONE;
    }

    /** The record of the last successful {@link #check}. Shares no memory with the checked bytes. */
    public CheckedRecord checked() {
        return checked;
    }

    private boolean isUsual(byte[] bytes) {
        for (int field : unusual) {
            if (isPresent(field, bytes)) {
                return false;
            }
        }
        return isHash(bytes, fields.start(hashField))
                && isHash(bytes, fields.start(previousHashField))
                && isPresent(payloadHashField, bytes)
                && isHash(bytes, fields.start(payloadHashField) + 1)
                && isHash(bytes, fields.start(contentHashField));
    }

    private boolean isPresent(int optional, byte[] bytes) {
        return bytes[fields.start(optional)] != 0;
    }

    private static boolean isHash(byte[] bytes, int from) {
        return RecordScanner.number(bytes, from) == AuditChain.HASH_BYTES;
    }

    private boolean matches(byte[] bytes) {
        int payloadHash = fields.end(payloadHashField) - AuditChain.HASH_BYTES;
        int contentHash = fields.end(contentHashField) - AuditChain.HASH_BYTES;
        int hash = fields.end(hashField) - AuditChain.HASH_BYTES;
        if (!addPayload(bytes) || !isDigest(bytes, payloadHash)) {
            sha256.reset();
            return false;
        }
        add(AuditRecordEncoder.CONTENT, bytes);
        if (!isDigest(bytes, contentHash)) {
            return false;
        }
        int verdict = RecordScanner.after(bytes, fields.start(verdictField));
        if (Arrays.equals(ACCEPTED, 0, ACCEPTED.length, bytes, verdict, fields.end(verdictField))
                == isPresent(codeField, bytes)) {
            return false;
        }
        add(AuditRecordEncoder.METADATA, bytes);
        digest();
        sha256.update(computed);
        sha256.update(bytes, contentHash, AuditChain.HASH_BYTES);
        if (!isDigest(bytes, hash)) {
            return false;
        }
        checked = new CheckedRecord(
                string(bytes, RecordScanner.after(bytes, fields.start(chainField)), fields.end(chainField)),
                RecordScanner.number(bytes, fields.start(sequenceField)),
                copy(bytes, hash),
                copy(bytes, fields.end(previousHashField) - AuditChain.HASH_BYTES),
                copy(bytes, payloadHash),
                input(bytes),
                RecordScanner.number(bytes, source.start(timestampField)),
                new LogPosition(
                        (int) RecordScanner.number(bytes, log.start(logPartitionField)),
                        RecordScanner.number(bytes, log.start(logIndexField))),
                List.of(),
                true,
                false,
                null);
        return true;
    }

    /** Adds the payload to the digest; false without one. */
    private boolean addPayload(byte[] bytes) {
        int start;
        int end;
        if (isPresent(messageField, bytes)) {
            start = message.start(messageRawField);
            end = message.end(messageRawField);
        } else if (isPresent(rawField, bytes)) {
            start = fields.start(rawField) + 1;
            end = fields.end(rawField);
        } else {
            return false;
        }
        int data = RecordScanner.after(bytes, start);
        sha256.update(bytes, data, end - data);
        return true;
    }

    /** Adds a part of the record to the digest. */
    private void add(AuditRecordEncoder.Part part, byte[] bytes) {
        int start = fields.start(part.first());
        sha256.update(bytes, start, fields.end(part.last()) - start);
    }

    /** Finishes the digest, and compares it with a hash in the record. */
    private boolean isDigest(byte[] bytes, int hash) {
        digest();
        return Arrays.equals(computed, 0, computed.length, bytes, hash, hash + AuditChain.HASH_BYTES);
    }

    private void digest() {
        try {
            sha256.digest(computed, 0, computed.length);
        } catch (DigestException e) {
            throw new IllegalStateException("a SHA-256 has " + AuditChain.HASH_BYTES + " bytes", e);
        }
    }

    private InputPosition input(byte[] bytes) {
        return new InputPosition(
                topic(bytes, RecordScanner.after(bytes, source.start(topicField)), source.end(topicField)),
                (int) RecordScanner.number(bytes, source.start(partitionField)),
                RecordScanner.number(bytes, source.start(offsetField)));
    }

    /** The topic as a string, which is usually that of the last record. */
    private String topic(byte[] bytes, int from, int to) {
        if (!Arrays.equals(topicBytes, 0, topicBytes.length, bytes, from, to)) {
            topicBytes = Arrays.copyOfRange(bytes, from, to);
            topic = string(bytes, from, to);
        }
        return topic;
    }

    private static String string(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static byte[] copy(byte[] bytes, int hash) {
        return Arrays.copyOfRange(bytes, hash, hash + AuditChain.HASH_BYTES);
    }
}
