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

    /** Returns one spelling of equal numbers, such as 1 and 1.0, unless they are long; any other value as it is. */
    static String canonical(String json) {
        boolean isNumber = McpMethods.Type.NUMBER.fits(json) && json.length() <= MAX_NUMBER;
        boolean isPlain = isNumber && json.indexOf('e') < 0 && json.indexOf('E') < 0;
        return isPlain && json.indexOf('.') >= 0
                ? new BigDecimal(json).stripTrailingZeros().toPlainString()
                : json;
    }
}
