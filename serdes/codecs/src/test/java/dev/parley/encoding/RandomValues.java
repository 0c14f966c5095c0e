package dev.parley.encoding;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Random values of Avro schemas, with numbers of every length. The classes of records must be trusted. */
public final class RandomValues {
    private static final int MAX_ITEMS = 4;
    private static final int MAX_BYTES = 40;

    private final Random random;
    private final String[] texts;

    /**
     * Creates a generator.
     *
     * @param random source of the values
     * @param texts the strings to choose from
     */
    public RandomValues(Random random, String... texts) {
        this.random = random;
        this.texts = texts.clone();
    }

    /**
     * Returns a random value.
     *
     * @param schema schema of the value; a union must be of null and one type
     * @throws IllegalArgumentException if the schema has another type than those of Parley's records
     */
    public Object of(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> {
                SpecificRecord record = (SpecificRecord) SpecificData.get().newRecord(null, schema);
                for (Schema.Field field : schema.getFields()) {
                    record.put(field.pos(), of(field.schema()));
                }
                yield record;
            }
            case STRING -> texts[random.nextInt(texts.length)];
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
                    items.add(of(schema.getElementType()));
                }
                yield items;
            }
            case MAP -> {
                Map<String, Object> entries = new LinkedHashMap<>();
                for (int i = random.nextInt(MAX_ITEMS); i > 0; i--) {
                    entries.put("key" + i, of(schema.getValueType()));
                }
                yield entries;
            }
            case UNION -> random.nextBoolean() ? null : of(schema.getTypes().get(1));
            default -> throw new IllegalArgumentException(schema.toString());
        };
    }

    /** Random bytes in a buffer that neither begins nor ends with its array. */
    public ByteBuffer bytes() {
        byte[] bytes = new byte[random.nextInt(MAX_BYTES)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes, bytes.length / 3, bytes.length / 2);
    }
}
