package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.decode.WireProtocols;

/** Recognizes values that are no message because of their form, which their author probably does not see. */
final class ForeignText {
    private static final String INVISIBLE = "\u200B\u200C\u200D\u200E\u200F\u2060\u00A0\u00AD";

    private static final int MAX_BYTES = 8 << 10;

    private ForeignText() {}

    /** Describes the value and the remedy in a clause; null if its first 8 KiB have no such form. */
    static String detail(byte[] value) {
        String binary = BinaryFormat.detail(value);
        if (binary != null) {
            return binary;
        }
        int start = WireProtocols.start(value);
        String first = new String(value, start, Math.min(3, value.length - start), UTF_8);
        if (!first.isEmpty() && INVISIBLE.indexOf(first.charAt(0)) >= 0) {
            return "an invisible character is at byte " + start + ", before the message; send the message without it";
        }
        int end = Math.min(value.length, start + MAX_BYTES);
        for (int at = ForeignSpelling.find(value, start); at < end; at = ForeignSpelling.find(value, at + 1)) {
            if (value[at] == '&' || value[at] == '%') {
                return "byte " + at + " starts " + ForeignSpelling.at(value, at).kind() + "; send the character itself";
            }
        }
        if (isYaml(value, start, end)) {
            return "this is YAML or a list of keys and values; send a message of a protocol";
        }
        return start + 1 < value.length && value[start] == '<' && Ascii.isAlphanumeric(value[start + 1])
                ? "this is text with tags, such as XML; send the message alone"
                : null;
    }

    /** Whether a value starts with the line of a YAML document, or its first two lines are keys with values. */
    private static boolean isYaml(byte[] value, int start, int end) {
        if (Ascii.startsWith(value, start, "---\n")) {
            return true;
        }
        int second = afterKeyLine(value, start, end);
        return second > start && second < end && afterKeyLine(value, second, end) > second;
    }

    /**
     * Index after a line that has a name of letters, digits and {@code _-}, and a colon; the same index if it has none.
     */
    private static int afterKeyLine(byte[] value, int from, int end) {
        int at = Ascii.skip(value, from, end, b -> Ascii.isAlphanumeric(b) || b == '_' || b == '-');
        boolean isKey = at > from && at < end && value[at] == ':' && (at + 1 == end || Ascii.isSpace(value[at + 1]));
        return isKey ? Math.min(Ascii.skip(value, at, end, b -> b != '\n') + 1, end) : from;
    }
}
