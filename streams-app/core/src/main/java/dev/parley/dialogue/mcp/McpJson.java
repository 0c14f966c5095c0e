package dev.parley.dialogue.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Limits;
import dev.parley.codec.json.JsonMembers;
import dev.parley.codec.mcp.McpCodec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads parts of messages that the codec has kept as JSON texts. */
public final class McpJson {
    /** Maximum length of a number that is compared by value. */
    private static final int MAX_NUMBER = 32;

    /** Maximum length of its exponent, with letter and sign. */
    private static final int MAX_EXPONENT = 4;

    private McpJson() {}

    /** Returns the members of an object as JSON texts, in their order; none for another value, and for null. */
    public static Map<String, String> members(String json) {
        Map<String, String> members = new LinkedHashMap<>();
        if (json != null && json.startsWith("{")) {
            byte[] utf8 = json.getBytes(UTF_8);
            JsonMembers.read(
                    utf8,
                    Limits.NONE,
                    McpCodec.JSON,
                    (name, from, to) -> members.put(name, new String(utf8, from, to - from, UTF_8)));
        }
        return members;
    }

    /** Returns the elements of an array as JSON texts; none for another value, and for null. */
    public static List<String> elements(String json) {
        return json != null && json.startsWith("[")
                ? JsonMembers.elements(json.getBytes(UTF_8), McpCodec.JSON)
                : List.of();
    }

    /** Returns the text of a JSON string; null for another value, and for null. */
    public static String string(String json) {
        if (json == null || !json.startsWith("\"")) {
            return null;
        }
        byte[] utf8 = json.getBytes(UTF_8);
        return JsonMembers.text(utf8, 0, utf8.length);
    }

    /** One spelling of equal numbers, such as 1, 1.0 and 1e0, unless they are long; other values as they are. */
    static String canonical(String json) {
        int exponent = Math.max(json.indexOf('e'), json.indexOf('E'));
        boolean isShort = json.length() <= MAX_NUMBER && (exponent < 0 || json.length() - exponent <= MAX_EXPONENT);
        boolean isPlain = exponent < 0 && json.indexOf('.') < 0 && !json.equals("-0");
        return isShort && !isPlain && McpMethods.Type.NUMBER.fits(json)
                ? new BigDecimal(json).stripTrailingZeros().toPlainString()
                : json;
    }
}
