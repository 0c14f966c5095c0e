package dev.parley.logging;

import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;

/** Bounds the texts of a log event, because libraries quote what clients sent. */
final class LogText {

    /** Maximum characters of a text, without the note about the omitted ones. */
    static final int MAX_CHARACTERS = 4_000;

    private LogText() {}

    /** Truncates a text on one line. */
    static String line(String text) {
        String escaped = ControlCharacters.escape(text);
        if (escaped.length() <= MAX_CHARACTERS) {
            return escaped;
        }
        String cut = Excerpt.cut(escaped, MAX_CHARACTERS);
        return cut + omitted(escaped.length() - cut.length() + 1);
    }

    /** Truncates the strings of a JSON text. */
    static String json(String json) {
        StringBuilder bounded = new StringBuilder(json.length());
        int from = 0;
        for (int open = json.indexOf('"'); open >= 0; open = json.indexOf('"', from)) {
            int end = open + 1;
            int cut = end;
            while (end < json.length() && json.charAt(end) != '"') {
                end = Math.min(end + unit(json, end), json.length());
                cut = end - open <= MAX_CHARACTERS ? end : cut;
            }
            bounded.append(json, from, cut);
            if (cut < end) {
                bounded.append('…').append(omitted(end - cut));
            }
            from = end;
            if (end < json.length()) {
                bounded.append('"');
                from++;
            }
        }
        return bounded.append(json, from, json.length()).toString();
    }

    /** Length of the character or escape at an index within a string. */
    private static int unit(String json, int at) {
        if (json.charAt(at) != '\\') {
            return Character.charCount(json.codePointAt(at));
        }
        return json.startsWith("\\u", at) ? 6 : 2;
    }

    private static String omitted(int characters) {
        return " (" + characters + " characters omitted)";
    }
}
