package dev.parley.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Values as JSON: Avro records without their null fields, times in ISO 8601, hashes and other bytes in lower-case hexadecimal. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    static ObjectNode object() {
        return NODES.objectNode();
    }

    static ArrayNode array() {
        return NODES.arrayNode();
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of nodes can always be written", e);
        }
    }

    static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(copy(bytes));
    }

    static byte[] copy(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    /** Puts bytes as text where they are UTF-8, else as base64, and beside them which it is. */
    static void putText(ObjectNode node, String name, ByteBuffer bytes) {
        Optional<String> text = text(bytes);
        node.put(name, text.orElseGet(() -> Base64.getEncoder().encodeToString(copy(bytes))));
        node.put(name + "Encoding", text.isPresent() ? "utf-8" : "base64");
    }

    /** An Avro record, or a value in one. */
    static JsonNode of(Object value) {
        if (value == null) {
            return NODES.nullNode();
        }
        if (value instanceof SpecificRecord record) {
            return of(record);
        }
        if (value instanceof CharSequence text) {
            return NODES.textNode(text.toString());
        }
        if (value instanceof Integer number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Long number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Boolean truth) {
            return NODES.booleanNode(truth);
        }
        if (value instanceof Instant time) {
            return NODES.textNode(time.toString());
        }
        if (value instanceof ByteBuffer bytes) {
            return NODES.textNode(hex(bytes));
        }
        if (value instanceof Collection<?> items) {
            ArrayNode array = NODES.arrayNode(items.size());
            items.forEach(item -> array.add(of(item)));
            return array;
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = NODES.objectNode();
            map.forEach((key, item) -> object.set(key.toString(), of(item)));
            return object;
        }
        return NODES.textNode(value.toString());
    }

    private static ObjectNode of(SpecificRecord record) {
        ObjectNode object = NODES.objectNode();
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            if (value != null) {
                object.set(field.name(), of(value));
            }
        }
        return object;
    }

    private static Optional<String> text(ByteBuffer bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.duplicate())
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
