package dev.parley.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * The JSON of vectors: wire bytes and expected records. Independent of the kit's own reader, so that each checks the
 * other.
 */
final class VectorJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private VectorJson() {}

    static JsonNode parse(String line) throws JsonProcessingException {
        return JSON.readTree(line);
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static byte[] bytes(JsonNode node) {
        if (node.isNull() || node.isMissingNode()) {
            return null;
        }
        if (node.isTextual()) {
            return node.textValue().getBytes(UTF_8);
        }
        if (node.isArray()) {
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            node.forEach(part -> parts.writeBytes(bytes(part)));
            return parts.toByteArray();
        }
        if (node.has("base64")) {
            return Base64.getDecoder().decode(node.get("base64").textValue());
        }
        return node.get("repeat")
                .textValue()
                .repeat(node.get("times").intValue())
                .getBytes(UTF_8);
    }

    /** A record: fields by name without nulls, enums by name, numbers, bytes in hexadecimal. */
    static JsonNode of(IndexedRecord record) {
        ObjectNode object = JSON.createObjectNode();
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            if (value != null) {
                object.set(field.name(), ofValue(value));
            }
        }
        return object;
    }

    private static JsonNode ofValue(Object value) {
        if (value instanceof IndexedRecord record) {
            return of(record);
        }
        if (value instanceof Collection<?> items) {
            ArrayNode array = JSON.createArrayNode();
            items.forEach(item -> array.add(ofValue(item)));
            return array;
        }
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return JSON.getNodeFactory().textNode(HexFormat.of().formatHex(copy));
        }
        if (value instanceof Boolean flag) {
            return JSON.getNodeFactory().booleanNode(flag);
        }
        if (value instanceof Number number) {
            long whole = number.longValue();
            return whole == (int) whole
                    ? JSON.getNodeFactory().numberNode((int) whole)
                    : JSON.getNodeFactory().numberNode(whole);
        }
        return JSON.getNodeFactory().textNode(value.toString());
    }
}
