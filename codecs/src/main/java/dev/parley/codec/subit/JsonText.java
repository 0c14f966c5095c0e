package dev.parley.codec.subit;

/** Writes JSON strings with the fewest escapes: only what JSON forbids to stand plain. */
final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"', '\\' -> out.append('\\').append(character);
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> appendPlain(out, character);
            }
        }
        out.append('"');
    }

    private static void appendPlain(StringBuilder out, char character) {
        if (character < ' ') {
            out.append("\\u00").append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 0xF));
        } else {
            out.append(character);
        }
    }
}
