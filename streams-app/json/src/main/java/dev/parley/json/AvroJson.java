package dev.parley.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.encoding.ByteBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Writes generated records as JSON. Field names are those of the schema, and null fields are omitted. Enums become
 * their names, times ISO 8601 in UTC, and bytes lower-case hexadecimal.
 */
public final class AvroJson {
    private AvroJson() {}

    /** Writes one record as an object. */
    public static void write(JsonGenerator json, IndexedRecord record) throws IOException {
        json.writeStartObject();
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            if (value != null) {
                json.writeFieldName(field.name());
                writeValue(json, value);
            }
        }
        json.writeEndObject();
    }

    /** Bytes in lower-case hexadecimal digits. */
    public static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(ByteBuffers.of(bytes));
    }

    /**
     * Writes one value.
     *
     * @param value a record, or the value of one of its fields; null becomes JSON null
     */
    public static void writeValue(JsonGenerator json, Object value) throws IOException {
        if (value instanceof IndexedRecord record) {
            write(json, record);
        } else if (value instanceof Collection<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                writeValue(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(entry.getKey().toString());
                writeValue(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof ByteBuffer bytes) {
            json.writeString(hex(bytes));
        } else if (value instanceof Instant || value instanceof CharSequence || value instanceof Enum<?>) {
            json.writeString(value.toString());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value == null) {
            json.writeNull();
        } else {
            throw new IllegalArgumentException("Cannot write as JSON: " + value.getClass());
        }
    }
}
