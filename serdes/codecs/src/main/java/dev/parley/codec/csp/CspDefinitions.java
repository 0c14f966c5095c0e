package dev.parley.codec.csp;

/** Parses DEF lines outside a patch (CSP v1 "PROJECT DEFs"), which a message keeps as fields with the key DEF. */
public final class CspDefinitions {

    private CspDefinitions() {}

    /**
     * Returns the name that a DEF line defines.
     *
     * @param value the value of a field with the key DEF, such as {@code SRC = src/} or {@code SRC := src/}
     * @return the name before the first separate {@code =} or {@code :=} on the first line; without such a sign, the
     *     first word; empty for an empty line
     */
    public static String name(String value) {
        int end = value.indexOf('\n');
        if (end < 0) {
            end = value.length();
        }
        int start = skipBlanks(value, 0, end);
        for (int i = start + 1; i < end; i++) {
            if (value.charAt(i) == '=' && (i + 1 == end || value.charAt(i + 1) == ' ')) {
                int sign = value.charAt(i - 1) == ':' ? i - 1 : i;
                if (sign > start && value.charAt(sign - 1) == ' ') {
                    return value.substring(start, sign).stripTrailing();
                }
            }
        }
        int blank = value.indexOf(' ', start);
        return value.substring(start, blank < 0 || blank > end ? end : blank);
    }

    private static int skipBlanks(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }
}
