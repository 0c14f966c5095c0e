package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import java.util.ArrayList;
import java.util.List;

/** Reads the members of a JSON object of another format, such as an event that contains a message. */
public final class JsonMembers {
    private JsonMembers() {}

    /** Takes the members of an object, also those before an error. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * Takes one member.
         *
         * @param from index of the first byte of its value, which is valid JSON
         * @param to index after its last byte
         */
        void member(String name, int from, int to);
    }

    /**
     * Reads an object.
     *
     * @return null, or the first byte at which the bytes are not one object within the limits, and the reason
     */
    public static Malformed<?> read(byte[] json, Limits limits, JsonCodes codes, Visitor visitor) {
        JsonScanner scanner = new JsonScanner(json, 0, limits, codes);
        if (!members(scanner, visitor) || !scanner.ends()) {
            return scanner.error();
        }
        return scanner.firstDuplicate() < 0
                ? null
                : new Malformed<>(codes.duplicateKey(), scanner.firstDuplicate(), "A key is repeated.");
    }

    private static boolean members(JsonScanner scanner, Visitor visitor) {
        if (scanner.peek() != '{') {
            return scanner.unexpected("A JSON object is missing.");
        }
        if (!scanner.open()) {
            return false;
        }
        for (boolean first = true; !scanner.closes('}'); first = false) {
            if (!scanner.key(first)) {
                return false;
            }
            scanner.rememberKey();
            String name = scanner.text();
            scanner.peek();
            int from = scanner.position();
            if (!JsonValues.skip(scanner)) {
                return false;
            }
            visitor.member(name, from, scanner.position());
        }
        scanner.forgetKeys(0);
        return true;
    }

    /**
     * Reads the elements of an array.
     *
     * @param json a valid JSON array
     * @return their texts as they are, in order
     */
    public static List<String> elements(byte[] json, JsonCodes codes) {
        List<String> elements = new ArrayList<>();
        JsonValues.array(
                new JsonScanner(json, 0, Limits.NONE, codes),
                (from, to) -> elements.add(new String(json, from, to - from, UTF_8)));
        return elements;
    }

    /** The text of a value: a string without quotes and escapes, any other value as it is. */
    public static String text(byte[] json, int from, int to) {
        return json[from] == '"'
                ? JsonStrings.unescaped(json, from + 1, to - 1)
                : new String(json, from, to - from, UTF_8);
    }
}
