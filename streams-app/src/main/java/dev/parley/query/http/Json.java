package dev.parley.query.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.json.AvroJson;
import dev.parley.stage.ByteBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Values as JSON: Avro records without their null fields, times in ISO 8601, hashes and other bytes in lower-case
 * hexadecimal.
 */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of nodes can always be written", e);
        }
    }

    /** What somebody has sent; empty when it is no JSON. */
    public static Optional<JsonNode> read(byte[] bytes) {
        try {
            return Optional.ofNullable(STRICT.readTree(bytes));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(ByteBuffers.of(bytes));
    }

    /** Puts where a record stands, as far as it is known. */
    public static ObjectNode putPlace(ObjectNode node, String topic, Integer partition, Long offset) {
        return node.put("topic", topic).put("partition", partition).put("offset", offset);
    }

    /** Puts bytes as text where they are UTF-8, else as base64, and beside them which it is. */
    public static void putText(ObjectNode node, String name, ByteBuffer bytes) {
        Optional<String> text = text(bytes);
        node.put(name, text.orElseGet(() -> Base64.getEncoder().encodeToString(ByteBuffers.of(bytes))));
        node.put(name + "Encoding", text.isPresent() ? "utf-8" : "base64");
    }

    /** An Avro record, or a value in one; see {@link AvroJson}. */
    public static JsonNode of(Object value) {
        return AvroJson.tree(value);
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
