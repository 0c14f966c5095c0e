package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.encoding.GrowingBytes;

/** Writes compact JSON as bytes: without white space, and with escapes only where JSON requires them. */
public final class JsonWriter extends GrowingBytes {
    private static final byte[] HEX = "0123456789abcdef".getBytes(UTF_8);

    public JsonWriter(int capacity) {
        super(capacity);
    }

    /** A valid piece of JSON in compact form. */
    public static String compacted(byte[] wire, int from, int to) {
        JsonWriter out = new JsonWriter(to - from);
        boolean inString = false;
        int at = from;
        while (at < to) {
            byte next = wire[at];
            if (next == '\\') {
                int codePoint = JsonStrings.codePoint(wire, at);
                out.character(codePoint);
                at += JsonStrings.escapeLength(wire, at, codePoint);
            } else if (inString && next != '"') {
                int end = JsonStrings.afterPlain(wire, at);
                out.raw(wire, at, end - at);
                at = end;
            } else {
                inString ^= next == '"';
                if (next > ' ') {
                    out.octet(next);
                }
                at++;
            }
        }
        return new String(out.bytes, 0, out.length, UTF_8);
    }

    /** Returns a text as a JSON string, as {@link #string} writes it. */
    public static String quoted(String text) {
        JsonWriter out = new JsonWriter(text.length() + 2);
        out.string(text);
        return new String(out.bytes, 0, out.length, UTF_8);
    }

    /** Removes the last byte. */
    public void dropLast() {
        length--;
    }

    /** Writes the lowest bits of a number, the highest of them first. */
    public void bits(int number, int count) {
        reserve(count);
        for (int bit = count - 1; bit >= 0; bit--) {
            bytes[length++] = (byte) ('0' + (number >> bit & 1));
        }
    }

    /** Writes an ASCII text unchanged. */
    public void raw(String ascii) {
        reserve(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[length++] = (byte) ascii.charAt(i);
        }
    }

    /** Writes a text as a JSON string. The text must not contain an unpaired surrogate, which UTF-8 cannot encode. */
    public void string(String text) {
        byte[] utf8 = text.getBytes(UTF_8);
        octet('"');
        int plain = 0;
        int at = JsonStrings.afterPlain(utf8, 0);
        while (at < utf8.length) {
            raw(utf8, plain, at - plain);
            character(utf8[at]);
            plain = at + 1;
            at = JsonStrings.afterPlain(utf8, plain);
        }
        raw(utf8, plain, utf8.length - plain);
        octet('"');
    }

    /** Writes a character of a string. */
    private void character(int codePoint) {
        reserve(6);
        switch (codePoint) {
            case '"', '\\' -> escape(codePoint);
            case '\b' -> escape('b');
            case '\f' -> escape('f');
            case '\n' -> escape('n');
            case '\r' -> escape('r');
            case '\t' -> escape('t');
            default -> {
                if (codePoint < ' ') {
                    raw("\\u00");
                    bytes[length++] = HEX[codePoint >> 4];
                    bytes[length++] = HEX[codePoint & 0xF];
                } else {
                    length = JsonStrings.put(codePoint, bytes, length);
                }
            }
        }
    }

    private void escape(int kind) {
        bytes[length++] = '\\';
        bytes[length++] = (byte) kind;
    }
}
