package dev.parley.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.codec.TrustedRecords;
import dev.parley.codec.Utf8;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Reads generated records from the JSON that {@link AvroJson} writes. */
public final class AvroJsonReader {
    static {
        TrustedRecords.trust();
    }

    /** Whether unknown fields are ignored, and missing ones have their defaults. */
    private final boolean tolerant;

    private AvroJsonReader(boolean tolerant) {
        this.tolerant = tolerant;
    }

    /**
     * Reads a record with exactly the fields of its schema.
     *
     * @param json an object
     * @param schema schema of a generated record
     * @throws IllegalArgumentException if the JSON does not match the schema; the message names the field
     */
    public static SpecificRecord read(JsonNode json, Schema schema) {
        return (SpecificRecord) new AvroJsonReader(false).record(json, schema, schema.getName());
    }

    /**
     * Reads a record that an instance with a different schema may have written. It ignores unknown fields, and gives
     * missing ones their defaults. Otherwise like {@link #read}.
     */
    public static SpecificRecord readKnown(JsonNode json, Schema schema) {
        return (SpecificRecord) new AvroJsonReader(true).record(json, schema, schema.getName());
    }

    private IndexedRecord record(JsonNode json, Schema schema, String path) {
        if (!json.isObject()) {
            throw bad(path, "an object");
        }
        IndexedRecord record = (IndexedRecord) SpecificData.get().newRecord(null, schema);
        int taken = 0;
        for (Schema.Field field : schema.getFields()) {
            JsonNode value = json.get(field.name());
            String place = path + "." + field.name();
            if (value != null) {
                taken++;
                record.put(field.pos(), value(value, present(field.schema()), place));
            } else if (field.schema().isNullable()) {
                record.put(field.pos(), null);
            } else if (tolerant && field.hasDefaultValue()) {
                record.put(
                        field.pos(),
                        SpecificData.get()
                                .deepCopy(field.schema(), SpecificData.get().getDefaultValue(field)));
            } else {
                throw new IllegalArgumentException(place + " is missing");
            }
        }
        if (!tolerant && taken < json.size()) {
            throw new IllegalArgumentException(path + " has an unknown field");
        }
        return record;
    }

    /** Returns the schema of the values that are not null. */
    public static Schema present(Schema schema) {
        return schema.isUnion()
                ? schema.getTypes().stream()
                        .filter(type -> type.getType() != Schema.Type.NULL)
                        .findFirst()
                        .orElseThrow()
                : schema;
    }

    private Object value(JsonNode json, Schema schema, String path) {
        return switch (schema.getType()) {
            case RECORD -> record(json, schema, path);
            case ARRAY -> {
                List<Object> items = new ArrayList<>(json.size());
                require(json.isArray(), path, "an array");
                json.forEach(item -> items.add(value(item, schema.getElementType(), path)));
                yield items;
            }
            case MAP -> {
                Map<String, Object> map = new LinkedHashMap<>();
                require(json.isObject(), path, "an object");
                json.properties()
                        .forEach(
                                entry -> map.put(entry.getKey(), value(entry.getValue(), schema.getValueType(), path)));
                yield map;
            }
            case STRING -> text(json, path);
            case BYTES -> bytes(text(json, path), path);
            case ENUM -> {
                String symbol = text(json, path);
                require(schema.hasEnumSymbol(symbol), path, "one of " + schema.getEnumSymbols());
                yield SpecificData.get().createEnum(symbol, schema);
            }
            case INT -> {
                require(json.isIntegralNumber() && json.canConvertToInt(), path, "an integer");
                yield json.intValue();
            }
            case LONG -> {
                if (schema.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
                    yield time(text(json, path), path);
                }
                require(json.isIntegralNumber() && json.canConvertToLong(), path, "an integer");
                yield json.longValue();
            }
            case BOOLEAN -> {
                require(json.isBoolean(), path, "true or false");
                yield json.booleanValue();
            }
            default -> throw new IllegalArgumentException("Cannot read from JSON: " + schema.getType());
        };
    }

    private static String text(JsonNode json, String path) {
        require(json.isTextual(), path, "a string");
        String text = json.textValue();
        // The binary encoding, which is hashed, has a question mark in place of any other character.
        require(Utf8.canEncode(text), path, "a string of whole characters");
        return text;
    }

    private static ByteBuffer bytes(String text, String path) {
        try {
            return ByteBuffer.wrap(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException e) {
            throw bad(path, "hexadecimal");
        }
    }

    private static Instant time(String text, String path) {
        try {
            Instant time = Instant.parse(text);
            // The binary encoding, which is hashed, has no more.
            require(time.equals(Instant.ofEpochMilli(time.toEpochMilli())), path, "a time of whole milliseconds");
            return time;
        } catch (DateTimeException | ArithmeticException e) {
            throw bad(path, "a time in ISO 8601");
        }
    }

    private static void require(boolean holds, String path, String what) {
        if (!holds) {
            throw bad(path, what);
        }
    }

    private static IllegalArgumentException bad(String path, String what) {
        return new IllegalArgumentException(path + " must be " + what);
    }
}
