package dev.parley.audit;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.ByteOutput;
import dev.parley.encoding.RecordEncoder;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Audit records with random values in every field, and sound ones among them. */
final class RandomRecords {
    static {
        TrustedRecords.trust();
    }

    private static final int MAX_ITEMS = 3;
    private static final int MAX_BYTES = 40;
    private static final String[] TEXTS = {"", "a", "release_2.4", "Λ: übergabe", "\uD83D\uDE00", "x".repeat(100)};
    private static final RecordEncoder ENCODER = RecordEncoder.of(AuditRecord.class);

    private final Random random;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    /** A record with random values, whose hashes match nothing. */
    AuditRecord any() {
        return (AuditRecord) value(AuditRecord.getClassSchema());
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
            record.setRaw(bytes());
        }
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
        record.put(field.pos(), value(field.schema()));
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

    private ByteBuffer bytes() {
        byte[] bytes = new byte[random.nextInt(MAX_BYTES)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private Object value(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> {
                SpecificRecord record = (SpecificRecord) SpecificData.get().newRecord(null, schema);
                for (Schema.Field field : schema.getFields()) {
                    record.put(field.pos(), value(field.schema()));
                }
                yield record;
            }
            case STRING -> TEXTS[random.nextInt(TEXTS.length)];
            case BYTES -> bytes();
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt() >> random.nextInt(Integer.SIZE);
            case LONG ->
                schema.getLogicalType() == null
                        ? random.nextLong() >> random.nextInt(Long.SIZE)
                        : (Object) Instant.ofEpochMilli(random.nextLong() >> 12 + random.nextInt(40));
            case ENUM ->
                SpecificData.get()
                        .createEnum(
                                schema.getEnumSymbols()
                                        .get(random.nextInt(
                                                schema.getEnumSymbols().size())),
                                schema);
            case ARRAY -> {
                List<Object> items = new ArrayList<>();
                for (int i = random.nextInt(MAX_ITEMS); i > 0; i--) {
                    items.add(value(schema.getElementType()));
                }
                yield items;
            }
            case UNION -> random.nextBoolean() ? null : value(schema.getTypes().get(1));
            default -> throw new IllegalArgumentException(schema.toString());
        };
    }
}
