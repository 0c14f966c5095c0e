package dev.parley.server.http;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.json.ApiJson;
import dev.parley.json.AvroJson;
import java.io.IOException;
import java.util.Optional;

/** Reads JSON of callers, and writes answers. */
public final class Json {

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Writes a result, or a tree that may contain results. */
    public static byte[] bytes(Object result) {
        return ApiJson.bytes(result);
    }

    /** Parses the body of a request; empty if it is not valid JSON. */
    public static Optional<JsonNode> read(byte[] bytes) {
        try {
            return Optional.ofNullable(STRICT.readTree(bytes));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Puts the position of a record; unknown parts are null. */
    public static ObjectNode putPosition(ObjectNode node, String topic, Integer partition, Long offset) {
        return node.put("topic", topic).put("partition", partition).put("offset", offset);
    }

    /** Converts an Avro record, or a value in one; see {@link AvroJson}. */
    public static JsonNode of(Object value) {
        return AvroJson.tree(value);
    }
}
