package dev.parley.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Changes random values of a record to any value that the field's type allows, or null. */
final class Alterations {
    private final Random random;

    Alterations(Random random) {
        this.random = random;
    }

    /** Changes one to three values of a record. */
    void change(IndexedRecord record) {
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            alter(record);
        }
    }

    private void alter(IndexedRecord record) {
        List<Schema.Field> fields = record.getSchema().getFields();
        Schema.Field field = fields.get(random.nextInt(fields.size()));
        record.put(field.pos(), other(field.schema(), record.get(field.pos())));
    }

    /** Another value, or the same value with a change inside. */
    private Object other(Schema schema, Object value) {
        if (random.nextInt(20) == 0 && !isPrimitive(schema)) {
            return null;
        }
        return switch (schema.getType()) {
            case UNION -> {
                List<Schema> types = schema.getTypes();
                Schema type = types.get(random.nextInt(types.size()));
                yield type.getType() == Schema.Type.NULL ? null : other(type, value);
            }
            case STRING -> value == null || random.nextInt(3) > 0 ? text() : value + text();
            case ENUM -> constant(schema);
            case BOOLEAN -> random.nextBoolean();
            case INT -> (int) BuilderContract.number(random);
            case LONG -> BuilderContract.number(random);
            case ARRAY -> list(schema.getElementType(), (List<?>) value);
            case RECORD -> {
                IndexedRecord record = (IndexedRecord) value;
                if (record != null) {
                    alter(record);
                }
                yield record;
            }
            case BYTES -> ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
            default -> throw new IllegalStateException("no message has a " + schema.getType());
        };
    }

    private static boolean isPrimitive(Schema schema) {
        return switch (schema.getType()) {
            case BOOLEAN, INT, LONG -> true;
            default -> false;
        };
    }

    private Object constant(Schema type) {
        try {
            Object[] constants = Class.forName(type.getFullName()).getEnumConstants();
            return constants[random.nextInt(constants.length)];
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private String text() {
        return random.nextBoolean() ? BuilderContract.text(random) : BuilderContract.word(random);
    }

    private List<Object> list(Schema element, List<?> before) {
        List<Object> list = before == null ? new ArrayList<>() : new ArrayList<>(before);
        if (list.isEmpty()) {
            if (element.getType() != Schema.Type.RECORD) {
                list.add(other(element, null));
            }
            return list;
        }
        int at = random.nextInt(list.size());
        switch (random.nextInt(4)) {
            case 0 -> list.remove(at);
            case 1 -> list.add(list.get(random.nextInt(list.size())));
            default -> list.set(at, other(element, list.get(at)));
        }
        return list;
    }
}
