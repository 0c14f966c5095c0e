package dev.parley.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.codec.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Writes generated records as JSON: field names as in the schema, null fields left out, enums by name, times as ISO 8601 in UTC, hashes in hexadecimal. The field
 * {@code raw} is text where its bytes are UTF-8, else {@code rawBase64}.
 */
public final class AvroJson {
    private AvroJson() {}

    /** Writes one record as an object. */
    public static void write(JsonGenerator json, IndexedRecord record) throws IOException {
        json.writeStartObject();
        writeFields(json, record);
        json.writeEndObject();
    }

    /** Writes the fields of a record into an object that has been started. */
    public static void writeFields(JsonGenerator json, IndexedRecord record) throws IOException {
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            if (value instanceof ByteBuffer bytes && field.name().equals("raw")) {
                writeRaw(json, bytes);
            } else if (value != null) {
                json.writeFieldName(field.name());
                writeValue(json, value);
            }
        }
    }

    /** Writes wire bytes as the field raw, or rawBase64 where they are not UTF-8. */
    public static void writeRaw(JsonGenerator json, ByteBuffer buffer) throws IOException {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        if (Utf8.firstInvalid(bytes, 0, bytes.length) < 0) {
            json.writeStringField("raw", new String(bytes, StandardCharsets.UTF_8));
        } else {
            json.writeStringField("rawBase64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    private static void writeValue(JsonGenerator json, Object value) throws IOException {
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
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            json.writeString(HexFormat.of().formatHex(copy));
        } else if (value instanceof Instant || value instanceof CharSequence || value instanceof Enum<?>) {
            json.writeString(value.toString());
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else {
            throw new IllegalArgumentException("no JSON form is defined for " + value.getClass());
        }
    }
}
