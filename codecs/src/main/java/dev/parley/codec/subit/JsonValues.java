package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Takes whole JSON values of any kind, and tells their compact text: no white space, strings with the fewest escapes, numbers as they stand. */
final class JsonValues {
    private JsonValues() {}

    /** Takes the next value; false after a fault. */
    static boolean skip(JsonScanner json) {
        return switch (json.peek()) {
            case '{' -> object(json);
            case '[' -> array(json);
            case '"' -> json.string();
            default -> json.word();
        };
    }

    /** Takes the next value; its text is a string unescaped, anything else as compact JSON. Null after a fault. */
    static String text(JsonScanner json) {
        if (json.peek() == '"') {
            return json.string() ? json.text() : null;
        }
        int from = json.position();
        json.startCompact();
        if (!skip(json)) {
            return null;
        }
        int to = json.position();
        return json.isCompact()
                ? new String(json.wire(), from, to - from, UTF_8)
                : JsonWriter.compacted(json.wire(), from, to);
    }

    private static boolean object(JsonScanner json) {
        if (!json.open()) {
            return false;
        }
        int outerKeys = json.rememberedKeys();
        for (boolean first = true; !json.closes('}'); first = false) {
            if ((!first && !json.comma()) || !json.key()) {
                return false;
            }
            json.rememberKey();
            if (!skip(json)) {
                return false;
            }
        }
        json.forgetKeys(outerKeys);
        return true;
    }

    private static boolean array(JsonScanner json) {
        if (!json.open()) {
            return false;
        }
        for (boolean first = true; !json.closes(']'); first = false) {
            if ((!first && !json.comma()) || !skip(json)) {
                return false;
            }
        }
        return true;
    }
}
