package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;

/**
 * Reads JSON (RFC 8259) from bytes, left to right, keeping byte positions. A general parser would count characters instead of bytes in places,
 * and would throw what is expected here; this one notes the first fault and answers false.
 *
 * <p>Keys that stand twice do not stop it: lexical faults come first, so the first such key is only remembered.
 */
final class JsonScanner {

    /** Nesting is read by recursion, so no configuration may ask for more than the thread's stack surely holds. */
    private static final int DEEPEST = 1_000;

    private static final String BAD_UTF8 = "The byte here is not UTF-8.";

    private final byte[] wire;
    private final Limits limits;

    private int position;
    private int depth;
    private int keys;
    private OpenKeys openKeys;
    private int firstDuplicate = -1;
    private int stringStart;
    private int stringEnd;
    private boolean escaped;
    private boolean compact;
    private Malformed<SubitMessage> fault;

    JsonScanner(byte[] wire, int from, Limits limits) {
        this.wire = wire;
        this.position = from;
        this.limits = limits;
    }

    /** The bytes that are read. */
    byte[] wire() {
        return wire;
    }

    /** Index of the next byte. */
    int position() {
        return position;
    }

    /** The first fault, once a method answered false. */
    Malformed<SubitMessage> fault() {
        return fault;
    }

    /** The next byte after white space, or 0 at the end. */
    byte peek() {
        int at = position;
        while (at < wire.length && isWhite(wire[at])) {
            at++;
        }
        if (at > position) {
            position = at;
            compact = false;
        }
        return at < wire.length ? wire[at] : 0;
    }

    /** Enters an object or array whose opening bracket is next. */
    boolean open() {
        int deepest = Math.min(limits.depth(), DEEPEST);
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
        if (keys == limits.fields()) {
            return fail(Code.TOO_MANY_FIELDS, position, position, "A packet has at most " + limits.fields() + " keys.");
        }
        keys++;
        return string() && symbol(':', "The colon after the key is missing.");
    }

    /** How many keys of open objects are remembered; to be asked before the first of another object. */
    int rememberedKeys() {
        return openKeys == null ? 0 : openKeys.count();
    }

    /** Remembers the current string as a key of the innermost object. */
    void rememberKey() {
        if (openKeys == null) {
            openKeys = new OpenKeys(wire);
        }
        openKeys.add(stringStart, stringEnd, escaped);
    }

    /** Looks for a key that stands twice among those remembered since there were so many, and forgets them. */
    void forgetKeys(int since) {
        int repeated = rememberedKeys() == since ? -1 : openKeys.close(since);
        if (repeated >= 0) {
            noteDuplicate(repeated - 1);
        }
    }

    /** Notes a key, by the index of its quote, that repeats another of its object. */
    void noteDuplicate(int at) {
        if (firstDuplicate < 0 || at < firstDuplicate) {
            firstDuplicate = at;
        }
    }

    /** Index of the first key that repeats another of its object, or -1. */
    int firstDuplicate() {
        return firstDuplicate;
    }

    /** Forgets any departure from compact form that was seen. */
    void startCompact() {
        compact = true;
    }

    /** Whether since {@link #startCompact} there was no white space, and no escape, which may be one too many. */
    boolean isCompact() {
        return compact;
    }

    /** Takes the string whose opening quote is next; it is then the current string. */
    boolean string() {
        int open = position;
        stringStart = open + 1;
        escaped = false;
        int at = JsonStrings.afterPlain(wire, stringStart);
        while (at < wire.length && wire[at] != '"') {
            int length = wire[at] == '\\' ? JsonStrings.escapeLength(wire, at) : 0;
            if (length == 0) {
                return failInString(at);
            }
            escaped = true;
            compact = false;
            at += length;
            // Escapes come in crowds: a look at the next byte saves looking for a special one among eight.
            if (at < wire.length && wire[at] != '\\') {
                at = JsonStrings.afterPlain(wire, at);
            }
        }
        if (at == wire.length) {
            return failUnclosed(open);
        }
        stringEnd = at;
        position = at + 1;
        return true;
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
        return escaped
                ? JsonStrings.unescaped(wire, stringStart, stringEnd)
                : new String(wire, stringStart, stringEnd - stringStart, UTF_8);
    }

    /** Takes a number, true, false or null. */
    boolean word() {
        int run = JsonWords.runEnd(wire, position);
        if (run == position) {
            return unexpected("A JSON value is missing.");
        }
        if (JsonWords.end(wire, position) != run) {
            return fail(Code.SUBIT_NOT_JSON, position, run, "This is no JSON number, true, false or null.");
        }
        position = run;
        return true;
    }

    /** Takes digits that start with a zero too many for a JSON number; false, and nothing taken, when the next value is anything else. */
    boolean paddedNumber() {
        int end = JsonWords.afterPadded(wire, position);
        if (end < 0) {
            return false;
        }
        position = end;
        return true;
    }

    /** Whether nothing but white space is left, and all bytes are UTF-8. */
    boolean ends() {
        peek();
        if (position < wire.length) {
            return fail(
                    Code.SUBIT_TRAILING_DATA, position, position, "A record holds one packet; nothing may follow it.");
        }
        int badUtf8 = Utf8.firstInvalid(wire, 0, wire.length);
        return badUtf8 < 0 || fail(Code.SUBIT_BAD_UTF8, badUtf8, badUtf8, BAD_UTF8);
    }

    /** Notes a fault at the next byte, or at the end when there is none. */
    boolean unexpected(String detail) {
        return fail(Code.SUBIT_NOT_JSON, position, position, detail);
    }

    private boolean symbol(char symbol, String detail) {
        if (peek() != symbol) {
            return unexpected(detail);
        }
        position++;
        return true;
    }

    private boolean failUnclosed(int open) {
        return fail(Code.SUBIT_NOT_JSON, open, wire.length, "The string that opens here is not closed.");
    }

    /** Notes what is wrong with a byte that may not stand in a string. */
    private boolean failInString(int at) {
        if (wire[at] != '\\') {
            return fail(Code.SUBIT_NOT_JSON, at, at, "A control character in a string is written as an escape.");
        }
        if (at + 1 == wire.length) {
            return failUnclosed(stringStart - 1);
        }
        if (wire[at + 1] != 'u') {
            return fail(Code.SUBIT_NOT_JSON, at, at + 1, "JSON has no such escape.");
        }
        if (JsonStrings.unit(wire, at) < 0) {
            int seen = Math.min(at + 5, wire.length);
            return fail(Code.SUBIT_NOT_JSON, at, seen, "Four hexadecimal digits follow \\u.");
        }
        int seen = Math.min(JsonStrings.unicodeFollows(wire, at) ? at + 11 : at + 6, wire.length);
        return fail(Code.SUBIT_NOT_JSON, at, seen, "Half of a surrogate pair is no character.");
    }

    /** Notes a fault that shows at index {@code seen}; bytes up to it that are no UTF-8 come first. */
    private boolean fail(Code code, int offset, int seen, String detail) {
        int badUtf8 = Utf8.firstInvalid(wire, 0, wire.length);
        fault = badUtf8 >= 0 && badUtf8 <= seen
                ? new Malformed<>(Code.SUBIT_BAD_UTF8, badUtf8, BAD_UTF8)
                : new Malformed<>(code, offset, detail);
        return false;
    }

    private static boolean isWhite(byte value) {
        return value == ' ' || value == '\t' || value == '\n' || value == '\r';
    }
}
