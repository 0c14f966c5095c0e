package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Parses the bytes of a vector: a string is its UTF-8 bytes, {@code {"base64":…}} any bytes, {@code
 * {"repeat":…,"times":n}} a repeated string, an array the concatenation of its parts, and null no bytes.
 */
final class VectorBytes {
    /** More than any vector needs, so that a typing error does not exhaust memory. */
    private static final int MAX_BYTES = 1 << 26;

    private VectorBytes() {}

    static byte[] bytes(JsonNode node) throws InvalidVectorException {
        if (node.isNull() || node.isMissingNode()) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(node, out);
        return out.toByteArray();
    }

    /**
     * Returns the bytes in readable form: the string itself if all of its characters are visible, otherwise its JSON.
     */
    static String shown(JsonNode node) {
        return node.isTextual() && node.textValue().chars().allMatch(VectorBytes::isVisible)
                ? node.textValue()
                : node.toString();
    }

    /**
     * Returns the attributes of a record other than the message, each as name: value. The key is omitted, because it is
     * the conversation.
     */
    static List<String> record(JsonNode line) {
        List<String> record = new ArrayList<>();
        for (String field : List.of("timestamp", "topic")) {
            if (line.has(field)) {
                record.add(field + ": " + line.get(field).asText());
            }
        }
        line.path("headers")
                .properties()
                .forEach(header -> record.add(header.getKey() + ": " + shown(header.getValue())));
        return record;
    }

    private static boolean isVisible(int character) {
        return character == '\n' || (!Character.isISOControl(character) && character != '\uFEFF');
    }

    private static void write(JsonNode node, ByteArrayOutputStream out) throws InvalidVectorException {
        if (node.isTextual()) {
            out.writeBytes(node.textValue().getBytes(StandardCharsets.UTF_8));
        } else if (node.isArray()) {
            for (JsonNode part : node) {
                write(part, out);
            }
        } else if (node.path("base64").isTextual() && node.size() == 1) {
            out.writeBytes(base64(node.get("base64").textValue()));
        } else if (node.path("repeat").isTextual() && node.path("times").isInt() && node.size() == 2) {
            byte[] piece = node.get("repeat").textValue().getBytes(StandardCharsets.UTF_8);
            int times = node.get("times").intValue();
            if (times < 0 || (long) piece.length * times > MAX_BYTES) {
                throw new InvalidVectorException("'repeat' must not exceed " + MAX_BYTES + " bytes");
            }
            for (int i = 0; i < times; i++) {
                out.writeBytes(piece);
            }
        } else {
            throw new InvalidVectorException(
                    "bytes must be a string, base64, repeat with times, or an array of these, but were " + node);
        }
    }

    private static byte[] base64(String text) throws InvalidVectorException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidVectorException("invalid base64: " + e.getMessage());
        }
    }
}
