package dev.parley.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.codec.Excerpt;
import java.util.Set;
import java.util.TreeSet;

/** Describes the first difference between two JSON values. */
final class JsonDifference {
    private static final int MAX_CHARACTERS = 200;

    private JsonDifference() {}

    /** Returns a sentence about the first difference of two unequal values. */
    static String between(JsonNode expected, JsonNode actual) {
        if (expected.isObject() && actual.isObject()) {
            Set<String> fields = new TreeSet<>();
            expected.fieldNames().forEachRemaining(fields::add);
            actual.fieldNames().forEachRemaining(fields::add);
            for (String field : fields) {
                if (!expected.path(field).equals(actual.path(field))) {
                    return "." + field + " " + between(expected.path(field), actual.path(field));
                }
            }
        }
        if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                if (!expected.get(i).equals(actual.get(i))) {
                    return "[" + i + "] " + between(expected.get(i), actual.get(i));
                }
            }
        }
        return "expected " + brief(expected) + ", but got " + brief(actual);
    }

    private static String brief(JsonNode value) {
        if (value.isMissingNode()) {
            return "nothing";
        }
        String text = value.toString();
        return text.length() <= MAX_CHARACTERS
                ? text
                : Excerpt.cut(text, MAX_CHARACTERS) + " (" + text.length() + " characters)";
    }
}
