package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.decode.WireProtocols;

/** Recognizes attempts at nSLIP messages, and the end of a message inside other text. */
final class SlipAttempt {
    private static final int HEADER_FIELDS = 6;

    private SlipAttempt() {}

    /**
     * Whether the text starts with act and frame in another notation, such as "@a3 | f0", "a3,f0" or "@A=3|F=0", has
     * the fields of a message with other prefixes, such as "@3|0|1|0|1|5#" or "@act:3|conv:1", or is an object in JSON
     * or Python with the act and the frame or conversation of a message.
     */
    static boolean resembles(byte[] wire, int from) {
        if (wire[from] == '{') {
            return hasKey(wire, from, "act") && (hasKey(wire, from, "frame") || hasKey(wire, from, "conv_id"));
        }
        boolean marked = wire[from] == '@';
        if (marked && (hasFields(wire, from) || isNamedAct(wire, from + 1))) {
            return true;
        }
        int separator = fieldEnd(wire, Ascii.skipSpaces(wire, from + (marked ? 1 : 0)), 'a');
        if (separator < 0) {
            return false;
        }
        int next = afterSeparator(wire, separator);
        boolean separated = next > separator || marked && Ascii.isSpace(wire[separator - 1]);
        return separated && fieldEnd(wire, Ascii.skipSpaces(wire, next), 'f') >= 0;
    }

    /** Whether a field starts with "act" and a colon or equals sign, as in the dialect with names of fields. */
    private static boolean isNamedAct(byte[] wire, int from) {
        int at = from + 3;
        return Ascii.startsWithLetters(wire, from, "act") && at < wire.length && (wire[at] == ':' || wire[at] == '=');
    }

    /** Index after a message "@a3|...#", without reading into the next one. */
    static int embeddedEnd(byte[] text, int from) {
        if (!Ascii.startsWith(text, from, "@a") || !WireProtocols.SLIP.codec().detects(text, from)) {
            return -1 - from;
        }
        int at = from + 2;
        while (at < text.length) {
            byte b = text[at];
            if (b == '#') {
                return at + 1;
            }
            if (b == '@' || b <= ' ' && b >= 0) {
                break;
            }
            at++;
            if (b == '|' && at + 1 < text.length && text[at + 1] == '"') {
                at = Ascii.afterString(text, at + 1, text.length);
            }
        }
        return -1 - at;
    }

    /** Whether at least six fields without white space end with an end mark. */
    private static boolean hasFields(byte[] wire, int from) {
        int bars = 0;
        int at = from + 1;
        while (at < wire.length && wire[at] != '#' && !Ascii.isSpace(wire[at])) {
            bars += wire[at] == '|' ? 1 : 0;
            at++;
        }
        return bars >= HEADER_FIELDS - 1 && at < wire.length && wire[at] == '#';
    }

    /** Index after a field with that prefix in any case, an optional symbol, and digits, and white space; or -1. */
    private static int fieldEnd(byte[] wire, int from, char prefix) {
        if (from >= wire.length || (wire[from] | 0x20) != prefix) {
            return -1;
        }
        int value = Ascii.skip(wire, from + 1, wire.length, b -> b == '=' || b == ':' || b == ' ');
        int end = Ascii.skip(wire, value, wire.length, b -> b >= '0' && b <= '9');
        if (end == value && value < wire.length && wire[value] == 'A') {
            end++;
        }
        return end == value ? -1 : Ascii.skipSpaces(wire, end);
    }

    /** Index after a separator of fields, perhaps a bar that is not ASCII; the same index without one. */
    static int afterSeparator(byte[] wire, int from) {
        int at = Ascii.skip(wire, from, wire.length, b -> b < 0);
        return at == from && at < wire.length && "|,;/&".indexOf(wire[at]) >= 0 ? at + 1 : at;
    }

    private static boolean hasKey(byte[] wire, int from, String key) {
        String quoted = '"' + key + '"';
        String single = '\'' + key + '\'';
        return Ascii.find(wire, from, wire.length, quoted) < wire.length
                || Ascii.find(wire, from, wire.length, single) < wire.length;
    }
}
