package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RandomValues;
import dev.parley.encoding.RecordEncoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;

/** Audit records with random values in every field, and sound ones among them. */
final class RandomRecords {
    static {
        TrustedRecords.trust();
    }

    private static final String[] TEXTS = {"", "a", "release_2.4", "Λ: übergabe", "\uD83D\uDE00", "x".repeat(100)};
    private static final RecordEncoder ENCODER = RecordEncoder.of(AuditRecord.class);

    private final Random random;
    private final RandomValues values;

    RandomRecords(long seed) {
        random = new Random(seed);
        values = new RandomValues(random, TEXTS);
    }

    /** A record with random values, whose hashes match nothing. */
    AuditRecord any() {
        return (AuditRecord) values.of(AuditRecord.getClassSchema());
    }

    /** A record without faults, and without the fields that only some records have. */
    AuditRecord sound() {
        AuditRecord record = any();
        record.setRedaction(null);
        record.setRedacted(null);
        record.setUnread(null);
        record.setOmitted(null);
        record.setPreviousHash(hash());
        if (record.getMessage() == null) {
            record.setRaw(values.bytes());
        }
        record.setSalt(values.bytes());
        record.setPayloadHash(new AuditChain()
                .payloadHash(
                        record.getMessage() == null
                                ? record.getRaw()
                                : record.getMessage().getRaw()));
        // With a code, any other text is sound: a later version may add symbols.
        if (record.getCode() == null) {
            record.setVerdict(Verdict.ACCEPTED.name());
        }
        return Links.sealed(record);
    }

    /** Replaces one field by a random value. */
    void change(AuditRecord record) {
        List<Schema.Field> fields = AuditRecord.getClassSchema().getFields();
        Schema.Field field = fields.get(random.nextInt(fields.size()));
        record.put(field.pos(), values.of(field.schema()));
    }

    /** The bytes of a record, as exports and topics have them. */
    static byte[] encoded(AuditRecord record) {
        ByteOutput out = new ByteOutput(256);
        ENCODER.encode(record, out);
        return out.toBytes();
    }

    private ByteBuffer hash() {
        byte[] hash = new byte[AuditChain.HASH_BYTES];
        random.nextBytes(hash);
        return ByteBuffer.wrap(hash);
    }
}
