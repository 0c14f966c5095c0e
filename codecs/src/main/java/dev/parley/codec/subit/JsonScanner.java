package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads JSON (RFC 8259) from bytes, left to right, keeping byte positions. A general parser would count characters instead of bytes in places,
 * and would throw what is expected here; this one notes the first fault and answers false.
 *
 * <p>Keys that stand twice do not stop it: lexical faults come first, so the first such key is only remembered.
 */
final class JsonScanner {

    /** Nesting is read by recursion, so no configuration may ask for more than the thread's stack surely holds. */
    private static final int DEEPEST = 1_000;

    private final byte[] wire;
    private final int badUtf8;
    private final int deepest;
    private final int mostKeys;

    private int position;
    private int depth;
    private int keys;
    private int firstDuplicate = -1;
    private int stringStart;
    private int stringEnd;
    private boolean escaped;
    private Malformed<SubitMessage> fault;

    JsonScanner(byte[] wire, int from, Limits limits) {
        this.wire = wire;
        this.position = from;
        this.badUtf8 = Utf8.firstInvalid(wire, 0, wire.length);
        this.deepest = Math.min(limits.depth(), DEEPEST);
        this.mostKeys = limits.fields();
    }

    /** Index of the next byte. */
    int position() {
        return position;
    }

    /** The first fault, once a method answered false. */
    Malformed<SubitMessage> fault() {
        return fault;
    }

    /** Index of the first key that repeats another of its object, or -1. */
    int firstDuplicate() {
        return firstDuplicate;
    }

    /** Remembers a key that repeats another of its object. */
    void noteDuplicate(int at) {
        if (firstDuplicate < 0) {
            firstDuplicate = at;
        }
    }

    /** The next byte after white space, or 0 at the end. */
    byte peek() {
        while (position < wire.length && isWhite(wire[position])) {
            position++;
        }
        return position < wire.length ? wire[position] : 0;
    }

    /** Enters an object or array whose opening bracket is next. */
    boolean open() {
        if (depth == deepest) {
            return fail(Code.TOO_DEEP, position, position, "A packet nests at most " + deepest + " deep.");
        }
        depth++;
        position++;
        return true;
    }

    /** Leaves the object or array if its closing bracket is next. */
    boolean closes(char bracket) {
        if (peek() != bracket) {
            return false;
        }
        position++;
        depth--;
        return true;
    }

    /** Takes the comma that separates two elements. */
    boolean comma() {
        return symbol(',', "A comma or the closing bracket is missing.");
    }

    /** Takes a key and its colon; the key is then the current string. */
    boolean key() {
        if (peek() != '"') {
            return unexpected("A key in quotes is missing.");
        }
        if (keys == mostKeys) {
            return fail(Code.TOO_MANY_FIELDS, position, position, "A packet has at most " + mostKeys + " keys.");
        }
        keys++;
        return string() && symbol(':', "The colon after the key is missing.");
    }

    /** Takes the string whose opening quote is next; it is then the current string. */
    boolean string() {
        int open = position;
        stringStart = open + 1;
        escaped = false;
        for (int at = open + 1; at < wire.length; at++) {
            byte value = wire[at];
            if (value == '"') {
                stringEnd = at;
                position = at + 1;
                return true;
            }
            if (value >= 0 && value < ' ') {
                return fail(Code.SUBIT_NOT_JSON, at, at, "A control character in a string is written as an escape.");
            }
            if (value == '\\') {
                escaped = true;
                int length = escapeLength(at);
                if (length == 0) {
                    return false;
                }
                at += length - 1;
            }
        }
        return fail(Code.SUBIT_NOT_JSON, open, wire.length, "The string that opens here is not closed.");
    }

    /** Index of the current string's first byte, after its quote. */
    int stringStart() {
        return stringStart;
    }

    /** Index of the current string's closing quote. */
    int stringEnd() {
        return stringEnd;
    }

    /** Whether the current string reads so, an ASCII text. */
    boolean stringIs(String text) {
        if (escaped) {
            return text().equals(text);
        }
        if (stringEnd - stringStart != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (wire[stringStart + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The current string, unescaped. */
    String text() {
        if (!escaped) {
            return new String(wire, stringStart, stringEnd - stringStart, UTF_8);
        }
        StringBuilder text = new StringBuilder(stringEnd - stringStart);
        int at = stringStart;
        while (at < stringEnd) {
            if (wire[at] == '\\') {
                text.append(character(at));
                at += wire[at + 1] == 'u' ? 6 : 2;
            } else {
                int plain = at;
                while (at < stringEnd && wire[at] != '\\') {
                    at++;
                }
                text.append(new String(wire, plain, at - plain, UTF_8));
            }
        }
        return text.toString();
    }

    /** The character that an escape of a sound string stands for, one half of a pair at a time. */
    char character(int backslash) {
        byte kind = wire[backslash + 1];
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) unit(backslash);
            default -> (char) kind;
        };
    }

    /** Takes any value and adds it to a text in compact form: no white space, strings with the fewest escapes, numbers as they stand. */
    boolean value(StringBuilder out) {
        switch (peek()) {
            case '{' -> {
                return object(out);
            }
            case '[' -> {
                return array(out);
            }
            case '"' -> {
                if (!string()) {
                    return false;
                }
                JsonText.appendString(out, text());
                return true;
            }
            default -> {
                return scalar(out);
            }
        }
    }

    /** Takes digits that start with a zero too many for a JSON number; false, and nothing taken, when the next value is anything else. */
    boolean paddedNumber() {
        int to = position;
        while (to < wire.length && isWordByte(wire[to])) {
            to++;
        }
        if (to - position < 2 || wire[position] != '0' || afterDigits(position, to) < to) {
            return false;
        }
        position = to;
        return true;
    }

    /** Whether nothing but white space is left, and all bytes are UTF-8. */
    boolean ends() {
        peek();
        if (position < wire.length) {
            return fail(
                    Code.SUBIT_TRAILING_DATA, position, position, "A record holds one packet; nothing may follow it.");
        }
        return badUtf8 < 0 || fail(Code.SUBIT_BAD_UTF8, badUtf8, badUtf8, "The byte here is not UTF-8.");
    }

    /** Notes a fault at the next byte, or at the end when there is none. */
    boolean unexpected(String detail) {
        return fail(Code.SUBIT_NOT_JSON, position, position, detail);
    }

    /** Notes a fault that shows at index {@code seen}; bytes before it that are no UTF-8 come first. */
    boolean fail(Code code, int offset, int seen, String detail) {
        fault = badUtf8 >= 0 && badUtf8 <= seen
                ? new Malformed<>(Code.SUBIT_BAD_UTF8, badUtf8, "The byte here is not UTF-8.")
                : new Malformed<>(code, offset, detail);
        return false;
    }

    private boolean object(StringBuilder out) {
        if (!open()) {
            return false;
        }
        out.append('{');
        Set<String> names = new HashSet<>();
        for (boolean first = true; !closes('}'); first = false) {
            if (!first) {
                if (!comma()) {
                    return false;
                }
                out.append(',');
            }
            peek();
            int at = position;
            if (!key()) {
                return false;
            }
            String name = text();
            if (!names.add(name)) {
                noteDuplicate(at);
            }
            JsonText.appendString(out, name);
            out.append(':');
            if (!value(out)) {
                return false;
            }
        }
        out.append('}');
        return true;
    }

    private boolean array(StringBuilder out) {
        if (!open()) {
            return false;
        }
        out.append('[');
        for (boolean first = true; !closes(']'); first = false) {
            if (!first) {
                if (!comma()) {
                    return false;
                }
                out.append(',');
            }
            if (!value(out)) {
                return false;
            }
        }
        out.append(']');
        return true;
    }

    /** Takes a number, true, false or null: the longest run of bytes that such a word may have. */
    private boolean scalar(StringBuilder out) {
        int from = position;
        int to = from;
        while (to < wire.length && isWordByte(wire[to])) {
            to++;
        }
        if (from == to) {
            return unexpected("A JSON value is missing.");
        }
        if (!isWord(from, to, "true")
                && !isWord(from, to, "false")
                && !isWord(from, to, "null")
                && !isNumber(from, to)) {
            return fail(Code.SUBIT_NOT_JSON, from, to, "This is no JSON number, true, false or null.");
        }
        position = to;
        out.append(new String(wire, from, to - from, UTF_8));
        return true;
    }

    private boolean isWord(int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (wire[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean isNumber(int from, int to) {
        int at = from;
        if (wire[at] == '-') {
            at++;
        }
        int integer = afterDigits(at, to);
        if (integer == at || (wire[at] == '0' && integer > at + 1)) {
            return false;
        }
        at = integer;
        if (at < to && wire[at] == '.') {
            int fraction = afterDigits(at + 1, to);
            if (fraction == at + 1) {
                return false;
            }
            at = fraction;
        }
        if (at < to && (wire[at] == 'e' || wire[at] == 'E')) {
            at++;
            if (at < to && (wire[at] == '+' || wire[at] == '-')) {
                at++;
            }
            int exponent = afterDigits(at, to);
            if (exponent == at) {
                return false;
            }
            at = exponent;
        }
        return at == to;
    }

    private int afterDigits(int from, int to) {
        int at = from;
        while (at < to && wire[at] >= '0' && wire[at] <= '9') {
            at++;
        }
        return at;
    }

    /** Length of the escape at an index, a pair of surrogates being one; 0 after a fault. */
    private int escapeLength(int at) {
        if (at + 1 >= wire.length) {
            return 1;
        }
        switch (wire[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return 2;
            }
            case 'u' -> {
                return unicodeLength(at);
            }
            default -> {
                return failOnEscape(at, at + 1, "JSON has no such escape.");
            }
        }
    }

    private int unicodeLength(int at) {
        int unit = unit(at);
        if (unit < 0) {
            return failOnEscape(at, Math.min(at + 5, wire.length), "Four hexadecimal digits follow \\u.");
        }
        if (!Character.isSurrogate((char) unit)) {
            return 6;
        }
        boolean escapeFollows = at + 7 < wire.length && wire[at + 6] == '\\' && wire[at + 7] == 'u';
        int second = escapeFollows ? unit(at + 6) : -1;
        boolean pair = Character.isHighSurrogate((char) unit) && second >= 0 && Character.isLowSurrogate((char) second);
        int seen = Math.min(at + (escapeFollows ? 11 : 6), wire.length);
        return pair ? 12 : failOnEscape(at, seen, "Half of a surrogate pair is no character.");
    }

    private int failOnEscape(int at, int seen, String detail) {
        fail(Code.SUBIT_NOT_JSON, at, seen, detail);
        return 0;
    }

    /** The UTF-16 unit of an escape backslash, u, four digits; -1 when they are not there. */
    private int unit(int backslash) {
        if (backslash + 6 > wire.length) {
            return -1;
        }
        int unit = 0;
        for (int i = backslash + 2; i < backslash + 6; i++) {
            int digit = wire[i] < 0 ? -1 : Character.digit(wire[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit * 16 + digit;
        }
        return unit;
    }

    private boolean symbol(char symbol, String detail) {
        if (peek() != symbol) {
            return unexpected(detail);
        }
        position++;
        return true;
    }

    /** What may stand in a number or a literal, and what people write in their place. */
    private static boolean isWordByte(byte value) {
        return (value >= '0' && value <= '9')
                || (value >= 'a' && value <= 'z')
                || (value >= 'A' && value <= 'Z')
                || value == '-'
                || value == '+'
                || value == '.';
    }

    private static boolean isWhite(byte value) {
        return value == ' ' || value == '\t' || value == '\n' || value == '\r';
    }
}
