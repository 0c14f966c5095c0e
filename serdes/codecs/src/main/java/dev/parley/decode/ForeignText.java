package dev.parley.decode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.codec.Ascii;

/** Recognizes texts that are no message because of characters that their author probably does not see. */
final class ForeignText {
    private static final String[] ENTITIES = {"&lt;", "&gt;", "&amp;", "&quot;", "&#"};

    private static final String[] INVISIBLE = {
        "\u00E2\u0080\u008B",
        "\u00E2\u0080\u008C",
        "\u00E2\u0080\u008D",
        "\u00E2\u0080\u008E",
        "\u00E2\u0080\u008F",
        "\u00E2\u0081\u00A0",
        "\u00C2\u00A0",
        "\u00C2\u00AD"
    };

    private static final int MAX_BYTES = 8 << 10;

    private ForeignText() {}

    /** What the value is, and what to do: a clause; null if its first 8 KiB have no such character. */
    static String detail(byte[] value) {
        int start = WireProtocols.start(value);
        for (String invisible : INVISIBLE) {
            if (startsWith(value, start, invisible)) {
                return "an invisible character is at byte " + start
                        + ", before the message; send the message without it";
            }
        }
        int end = Math.min(value.length, start + MAX_BYTES);
        for (int at = start; at < end; at++) {
            if (value[at] == '&' && isEntity(value, at)) {
                return "this is text for HTML: byte " + at + " starts an entity; send the character itself";
            }
        }
        return start + 1 < value.length && value[start] == '<' && Ascii.isAlphanumeric(value[start + 1])
                ? "this is text with tags, such as XML; send the message alone"
                : null;
    }

    private static boolean isEntity(byte[] value, int at) {
        for (String entity : ENTITIES) {
            if (Ascii.startsWith(value, at, entity)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] value, int at, String bytes) {
        byte[] wanted = bytes.getBytes(ISO_8859_1);
        int same = 0;
        while (same < wanted.length && at + same < value.length && value[at + same] == wanted[same]) {
            same++;
        }
        return same == wanted.length;
    }
}
