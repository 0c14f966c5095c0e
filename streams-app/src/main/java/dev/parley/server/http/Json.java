package dev.parley.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/** Conversions to JSON: Avro records without null fields, times in ISO 8601, bytes in lower-case hexadecimal. */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of nodes can always be written", e);
        }
    }

    /** Parses the body of a request; empty if it is not valid JSON. */
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

    /** Puts the position of a record; unknown parts are null. */
    public static ObjectNode putPosition(ObjectNode node, String topic, Integer partition, Long offset) {
        return node.put("topic", topic).put("partition", partition).put("offset", offset);
    }

    /** Puts bytes as text if they are UTF-8, otherwise as base64, and the encoding as {@code nameEncoding}. */
    public static void putText(ObjectNode node, String name, ByteBuffer bytes) {
        Optional<String> text = text(bytes);
        node.put(name, text.orElseGet(() -> Base64.getEncoder().encodeToString(ByteBuffers.of(bytes))));
        node.put(name + "Encoding", text.isPresent() ? "utf-8" : "base64");
    }

    /** Converts an Avro record, or a value in one; see {@link AvroJson}. */
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
