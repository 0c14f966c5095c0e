package dev.parley.encoding;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Encodes generated records in Avro's binary form. It resolves the schema once, at creation, instead of once per value.
 * It supports the types that Parley's schemas use: records, strings, bytes, {@code int}, {@code long}, booleans, enums,
 * {@code timestamp-millis}, arrays, maps, and unions of null and one other type. Immutable and thread-safe.
 */
public final class RecordEncoder {
    private final Field[] fields;

    /** A field of the schema, with its position in the generated class. */
    private record Field(String name, int position, ValueEncoder encoder) {}

    private RecordEncoder(Field[] fields) {
        this.fields = fields;
    }

    /** Creates an encoder of a generated class, in the schema of the class. */
    public static RecordEncoder of(Class<? extends SpecificRecord> type) {
        Schema schema = SpecificData.get().getSchema(type);
        return of(schema, schema);
    }

    /**
     * Creates an encoder of a schema whose records are those of a generated class.
     *
     * @param schema the schema to encode in; may lack fields of the class
     * @param classSchema the schema of the class, which has every field of {@code schema} by name
     * @throws IllegalArgumentException if the schema has a type that is not supported, or a field that the class lacks
     */
    public static RecordEncoder of(Schema schema, Schema classSchema) {
        return record(schema, classSchema, new HashMap<>());
    }

    /** Number of fields of the schema. */
    public int fields() {
        return fields.length;
    }

    /** Appends all fields of a record. */
    public void encode(IndexedRecord record, ByteOutput out) {
        for (Field field : fields) {
            encode(field, record, out);
        }
    }

    /**
     * Appends one field of a record.
     *
     * @param index index of the field in the schema, from 0
     */
    public void encodeField(int index, IndexedRecord record, ByteOutput out) {
        encode(fields[index], record, out);
    }

    private static void encode(Field field, IndexedRecord record, ByteOutput out) {
        Object value = record.get(field.position);
        try {
            field.encoder.encode(value, out);
        } catch (NullPointerException | ClassCastException invalid) {
            throw new AvroRuntimeException(
                    "field " + field.name + " of " + record.getSchema().getName() + " cannot be "
                            + (value == null ? "null" : "a " + value.getClass().getSimpleName()),
                    invalid);
        }
    }

    private static RecordEncoder record(Schema schema, Schema classSchema, Map<String, RecordEncoder> known) {
        RecordEncoder recursive = known.get(schema.getFullName());
        if (recursive != null) {
            return recursive;
        }
        List<Schema.Field> declared = schema.getFields();
        RecordEncoder encoder = new RecordEncoder(new Field[declared.size()]);
        known.put(schema.getFullName(), encoder);
        for (int i = 0; i < declared.size(); i++) {
            String name = declared.get(i).name();
            Schema.Field ofClass = classSchema.getField(name);
            if (ofClass == null) {
                throw new IllegalArgumentException("the class of " + schema.getFullName() + " has no field " + name);
            }
            encoder.fields[i] =
                    new Field(name, ofClass.pos(), value(declared.get(i).schema(), ofClass.schema(), known));
        }
        return encoder;
    }

    private static ValueEncoder value(Schema schema, Schema ofClass, Map<String, RecordEncoder> known) {
        switch (schema.getType()) {
            case STRING:
                return (value, out) -> out.string((String) value);
            case BYTES:
                return (value, out) -> out.bytes((ByteBuffer) value);
            case BOOLEAN:
                return (value, out) -> out.octet((Boolean) value ? 1 : 0);
            case INT:
                return (value, out) -> out.number((Integer) value);
            case LONG:
                return schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
                        ? (value, out) -> out.number(((Instant) value).toEpochMilli())
                        : (value, out) -> out.number((Long) value);
            case ENUM:
                return enumeration(schema, ofClass);
            case RECORD:
                RecordEncoder nested = record(schema, ofClass, known);
                return (value, out) -> nested.encode((IndexedRecord) value, out);
            case ARRAY:
                return array(value(schema.getElementType(), ofClass.getElementType(), known));
            case MAP:
                return map(value(schema.getValueType(), ofClass.getValueType(), known));
            case UNION:
                return optional(schema, ofClass, known);
            default:
                throw new IllegalArgumentException("cannot encode the type " + schema.getType());
        }
    }

    /** An enum, whose class may have more symbols at its end than the schema. */
    private static ValueEncoder enumeration(Schema schema, Schema ofClass) {
        int symbols = schema.getEnumSymbols().size();
        if (!schema.getEnumSymbols().equals(ofClass.getEnumSymbols().subList(0, symbols))) {
            throw new IllegalArgumentException("the class of " + schema.getFullName() + " has other symbols");
        }
        return (value, out) -> {
            int ordinal = ((Enum<?>) value).ordinal();
            if (ordinal >= symbols) {
                throw new AvroRuntimeException(value + " is not a symbol of " + schema.getFullName());
            }
            out.number(ordinal);
        };
    }

    private static ValueEncoder array(ValueEncoder element) {
        return (value, out) -> {
            Collection<?> items = (Collection<?>) value;
            if (!items.isEmpty()) {
                out.number(items.size());
                out.elements(items, element);
            }
            out.octet(0);
        };
    }

    private static ValueEncoder map(ValueEncoder element) {
        return (value, out) -> {
            Map<?, ?> entries = (Map<?, ?>) value;
            if (!entries.isEmpty()) {
                out.number(entries.size());
                for (Map.Entry<?, ?> entry : entries.entrySet()) {
                    out.string((String) entry.getKey());
                    element.encode(entry.getValue(), out);
                }
            }
            out.octet(0);
        };
    }

    private static ValueEncoder optional(Schema schema, Schema ofClass, Map<String, RecordEncoder> known) {
        List<Schema> branches = schema.getTypes();
        if (branches.size() != 2 || !schema.isNullable()) {
            throw new IllegalArgumentException("cannot encode the union " + schema);
        }
        int nothing = schema.getIndexNamed("null");
        ValueEncoder some = value(branches.get(1 - nothing), ofClass.getTypes().get(1 - nothing), known);
        return (value, out) -> {
            if (value == null) {
                out.number(nothing);
            } else {
                out.number(1 - nothing);
                some.encode(value, out);
            }
        };
    }
}
