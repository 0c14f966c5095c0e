package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Bytes as a vector writes them: a text stands for its UTF-8 bytes, {@code {"base64":…}} for any bytes, {@code {"repeat":…,"times":n}} for a text many times over,
 * an array for its parts one after the other, null for no bytes at all.
 */
final class Text {
    /** More than any vector needs, so that a slip of the pen does not fill the memory. */
    private static final int MOST = 1 << 26;

    private Text() {}

    static byte[] bytes(JsonNode node) throws BadVector {
        if (node.isNull() || node.isMissingNode()) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(node, out);
        return out.toByteArray();
    }

    private static void write(JsonNode node, ByteArrayOutputStream out) throws BadVector {
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
            if (times < 0 || (long) piece.length * times > MOST) {
                throw new BadVector("'repeat' makes at most " + MOST + " bytes");
            }
            for (int i = 0; i < times; i++) {
                out.writeBytes(piece);
            }
        } else {
            throw new BadVector("neither a text, base64, repeat with times, nor an array of these: " + node);
        }
    }

    private static byte[] base64(String text) throws BadVector {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadVector("not base 64: " + e.getMessage());
        }
    }
}
