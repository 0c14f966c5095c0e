package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Predicate;

/**
 * Reads whole JSON values and their compact text: no white space, strings with the fewest escapes, numbers unchanged.
 */
public final class JsonValues {
    private static final ElementVisitor NO_VISITOR = (from, to) -> {};

    private JsonValues() {}

    /** Takes the places of the elements of an array. */
    @FunctionalInterface
    interface ElementVisitor {
        void element(int from, int to);
    }

    /** Reads the next value. Returns false after an error. */
    public static boolean skip(JsonScanner json) {
        return switch (json.peek()) {
            case '{' -> object(json);
            case '[' -> array(json, NO_VISITOR);
            case '"' -> json.string();
            default -> json.word();
        };
    }

    /** Reads the next value: a string unescaped, any other value as compact JSON; null after an error. */
    public static String text(JsonScanner json) {
        if (json.peek() == '"') {
            return json.string() ? json.text() : null;
        }
        return json(json, JsonValues::skip);
    }

    /** Reads the next value, a string too, as compact JSON; null after an error. */
    public static String json(JsonScanner json) {
        return json(json, JsonValues::skip);
    }

    /**
     * Reads the next value as compact JSON.
     *
     * @param reader reads the value; returns false after an error
     * @return null after an error
     */
    public static <S extends JsonScanner> String json(S json, Predicate<S> reader) {
        json.peek();
        int from = json.position();
        json.startCompact();
        if (!reader.test(json)) {
            return null;
        }
        int to = json.position();
        return json.isCompact()
                ? new String(json.wire, from, to - from, UTF_8)
                : JsonWriter.compacted(json.wire, from, to);
    }

    private static boolean object(JsonScanner json) {
        if (!json.open()) {
            return false;
        }
        int outerKeys = json.rememberedKeys();
        for (boolean first = true; !json.closes('}'); first = false) {
            if (!json.key(first)) {
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

    /** Reads the next value, an array. Returns false after an error. */
    static boolean array(JsonScanner json, ElementVisitor visitor) {
        json.peek();
        if (!json.open()) {
            return false;
        }
        for (boolean first = true; !json.closes(']'); first = false) {
            if (!first && !json.comma()) {
                return false;
            }
            json.peek();
            int from = json.position();
            if (!skip(json)) {
                return false;
            }
            visitor.element(from, json.position());
        }
        return true;
    }
}
