package dev.parley.codec.json;

import dev.parley.codec.Ascii;

/** The JSON values without quotes or brackets: numbers, true, false and null. */
public final class JsonWords {

    private JsonWords() {}

    /** Index after the value that starts at an index; -1 if none starts there, or it continues in an invalid way. */
    public static int end(byte[] wire, int from) {
        int end = switch (wire[from]) {
            case 't' -> afterLiteral(wire, from, "true");
            case 'f' -> afterLiteral(wire, from, "false");
            case 'n' -> afterLiteral(wire, from, "null");
            default -> afterNumber(wire, from);
        };
        return end >= 0 && end < wire.length && isWordByte(wire[end]) ? -1 : end;
    }

    /** Index after the longest run of characters of such values, or of common mistakes for them. */
    static int runEnd(byte[] wire, int from) {
        return Ascii.skip(wire, from, wire.length, JsonWords::isWordByte);
    }

    /** Index after digits with an extra leading zero; -1 for anything else. */
    static int afterPadded(byte[] wire, int from) {
        int end = afterDigits(wire, from);
        boolean padded = end - from > 1 && wire[from] == '0' && runEnd(wire, end) == end;
        return padded ? end : -1;
    }

    private static int afterLiteral(byte[] wire, int from, String literal) {
        return Ascii.startsWith(wire, from, literal) ? from + literal.length() : -1;
    }

    /** An optional minus, digits without leading zeros, an optional fraction, and an optional exponent. */
    private static int afterNumber(byte[] wire, int from) {
        int integer = is(wire, from, '-') ? from + 1 : from;
        int at = afterDigits(wire, integer);
        if (at == integer || (at - integer > 1 && wire[integer] == '0')) {
            return -1;
        }
        if (is(wire, at, '.')) {
            int fraction = at + 1;
            at = afterDigits(wire, fraction);
            if (at == fraction) {
                return -1;
            }
        }
        if (is(wire, at, 'e') || is(wire, at, 'E')) {
            int exponent = is(wire, at + 1, '+') || is(wire, at + 1, '-') ? at + 2 : at + 1;
            at = afterDigits(wire, exponent);
            if (at == exponent) {
                return -1;
            }
        }
        return at;
    }

    private static int afterDigits(byte[] wire, int from) {
        return Ascii.skip(wire, from, wire.length, b -> b >= '0' && b <= '9');
    }

    private static boolean is(byte[] wire, int at, char character) {
        return at < wire.length && wire[at] == character;
    }

    private static boolean isWordByte(int value) {
        return Ascii.isAlphanumeric(value) || value == '-' || value == '+' || value == '.';
    }
}
