package dev.parley.audit;

import dev.parley.codec.Utf8;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * Finds the fields of a record in Avro's binary encoding, without building objects. Accepts only the form that {@link
 * dev.parley.encoding.RecordEncoder} writes: shortest numbers, arrays in one block, booleans 0 or 1, well-formed UTF-8.
 * Bytes that it accepts are therefore those that decoding and encoding the record again would give. It supports the
 * types of audit records; their schema has no recursion. Not thread-safe.
 */
final class RecordScanner {
    /** Result of a scan of bytes that are not in this form, or end too early. */
    static final int NONE = -1;

    private static final int MAX_INT_BYTES = 5;
    private static final int MAX_LONG_BYTES = 10;
    private static final int LAST_OF_INT = 0x0f;
    private static final int LAST_OF_LONG = 0x01;

    private final Schema schema;
    private final Value[] fields;
    private final int[] ends;
    private int start;

    /**
     * The encoding of a value.
     *
     * @param optional whether it is a union of null, which is the byte 0, and the type after the byte 2
     * @param type the type
     * @param symbols number of symbols of an enum
     * @param element the elements of an array
     * @param record the fields of a record
     */
    private record Value(boolean optional, Schema.Type type, int symbols, Value element, RecordScanner record) {}

    /**
     * Creates a scanner.
     *
     * @param schema schema of a record
     * @param nested scanners of fields that are records, perhaps optional, whose own fields are needed too
     * @throws IllegalArgumentException if the schema has a type that is not supported
     */
    RecordScanner(Schema schema, Map<String, RecordScanner> nested) {
        this.schema = schema;
        List<Schema.Field> declared = schema.getFields();
        fields = new Value[declared.size()];
        ends = new int[fields.length];
        for (Schema.Field field : declared) {
            fields[field.pos()] = value(field.schema(), false, nested.get(field.name()));
        }
    }

    /** Index of a field, for {@link #start} and {@link #end}. */
    int field(String name) {
        return schema.getField(name).pos();
    }

    /**
     * Scans one record.
     *
     * @return the position after it; {@link #NONE} if the bytes are not a record in the expected form
     */
    int scan(byte[] bytes, int from, int to) {
        start = from;
        int at = from;
        for (int i = 0; i < fields.length; i++) {
            at = scan(fields[i], bytes, at, to);
            if (at == NONE) {
                return NONE;
            }
            ends[i] = at;
        }
        return at;
    }

    /** Start of a field in the last scanned record. */
    int start(int field) {
        return field == 0 ? start : ends[field - 1];
    }

    /** Position after a field in the last scanned record. */
    int end(int field) {
        return ends[field];
    }

    /** The number that a scanned {@code int}, {@code long}, length or index starts with. */
    static long number(byte[] bytes, int from) {
        int at = from;
        long rest = 0;
        int shift = 0;
        byte next;
        do {
            next = bytes[at++];
            rest |= (next & 0x7fL) << shift;
            shift += 7;
        } while (next < 0);
        return rest >>> 1 ^ -(rest & 1);
    }

    /** The position after a scanned number: for a length, the start of the data. */
    static int after(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] < 0) {
            at++;
        }
        return at + 1;
    }

    private static Value value(Schema schema, boolean optional, RecordScanner nested) {
        Schema.Type type = schema.getType();
        return switch (type) {
            case STRING, BYTES, BOOLEAN, INT, LONG -> new Value(optional, type, 0, null, null);
            case ENUM -> new Value(optional, type, schema.getEnumSymbols().size(), null, null);
            case ARRAY -> new Value(optional, type, 0, value(schema.getElementType(), false, null), null);
            case RECORD ->
                new Value(optional, type, 0, null, nested == null ? new RecordScanner(schema, Map.of()) : nested);
            case UNION -> {
                List<Schema> branches = schema.getTypes();
                if (branches.size() != 2 || branches.get(0).getType() != Schema.Type.NULL) {
                    throw new IllegalArgumentException("cannot scan the union " + schema);
                }
                yield value(branches.get(1), true, nested);
            }
            default -> throw new IllegalArgumentException("cannot scan the type " + type);
        };
    }

    /** Returns the end of one value, or {@link #NONE}. */
    private static int scan(Value value, byte[] bytes, int from, int to) {
        int at = from;
        if (value.optional) {
            if (from >= to) {
                return NONE;
            }
            if (bytes[from] != 2) {
                return bytes[from] == 0 ? from + 1 : NONE;
            }
            at++;
        }
        return switch (value.type) {
            case STRING -> string(bytes, at, to);
            case BYTES -> sized(bytes, at, to);
            case BOOLEAN -> at < to && bytes[at] >> 1 == 0 ? at + 1 : NONE;
            case INT -> varint(bytes, at, to, MAX_INT_BYTES, LAST_OF_INT);
            case LONG -> varint(bytes, at, to, MAX_LONG_BYTES, LAST_OF_LONG);
            case ENUM -> symbol(value.symbols, bytes, at, to);
            case ARRAY -> array(value.element, bytes, at, to);
            default -> value.record.scan(bytes, at, to);
        };
    }

    private static int varint(byte[] bytes, int from, int to, int max, int last) {
        int at = from;
        int limit = Math.min(to, from + max);
        while (at < limit) {
            byte next = bytes[at++];
            if (next >= 0) {
                boolean shortest = next != 0 || at == from + 1;
                return shortest && (at < from + max || next <= last) ? at : NONE;
            }
        }
        return NONE;
    }

    private static int sized(byte[] bytes, int from, int to) {
        if (from < to && bytes[from] >= 0) {
            // Most lengths have one byte: twice the length, or an odd number if negative.
            int end = from + 1 + (bytes[from] >> 1);
            return (bytes[from] & 1) == 0 && end <= to ? end : NONE;
        }
        int at = varint(bytes, from, to, MAX_LONG_BYTES, LAST_OF_LONG);
        if (at == NONE) {
            return NONE;
        }
        long length = number(bytes, from);
        return length >= 0 && length <= to - at ? at + (int) length : NONE;
    }

    private static int string(byte[] bytes, int from, int to) {
        int end = sized(bytes, from, to);
        if (end == NONE) {
            return NONE;
        }
        return Utf8.firstInvalid(bytes, after(bytes, from), end) < 0 ? end : NONE;
    }

    private static int symbol(int symbols, byte[] bytes, int from, int to) {
        int end = varint(bytes, from, to, MAX_INT_BYTES, LAST_OF_INT);
        if (end == NONE) {
            return NONE;
        }
        long ordinal = number(bytes, from);
        return ordinal >= 0 && ordinal < symbols ? end : NONE;
    }

    private static int array(Value element, byte[] bytes, int from, int to) {
        int at = varint(bytes, from, to, MAX_LONG_BYTES, LAST_OF_LONG);
        if (at == NONE) {
            return NONE;
        }
        long count = number(bytes, from);
        if (count == 0) {
            return at;
        }
        if (count < 0) {
            return NONE;
        }
        for (long i = 0; i < count; i++) {
            at = scan(element, bytes, at, to);
            if (at == NONE) {
                return NONE;
            }
        }
        return at < to && bytes[at] == 0 ? at + 1 : NONE;
    }
}
