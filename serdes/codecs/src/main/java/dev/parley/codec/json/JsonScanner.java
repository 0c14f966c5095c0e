package dev.parley.codec.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.SwarBytes;
import dev.parley.codec.Utf8;

/**
 * Scans JSON (RFC 8259) bytes from left to right, with byte positions. A general parser would count characters in
 * places and throw for errors; this one notes the first error and returns false.
 *
 * <p>Repeated keys and semantic errors do not stop it: lexical errors take precedence, so it only remembers the first
 * of each.
 */
public class JsonScanner {

    /** Maximum depth of any configuration. Nesting uses recursion, which the thread's stack must hold. */
    private static final int MAX_DEPTH = 1_000;

    /** Maximum depth of opaque values. */
    private static final int MAX_OPAQUE_DEPTH = 100;

    private static final String BAD_UTF8 = "The byte at this offset is not valid UTF-8.";

    /** The bytes that this scanner reads. */
    protected final byte[] wire;

    private final Limits limits;
    private final JsonCodes codes;

    private int position;
    private int depth;
    private int keys;
    private boolean opaque;
    private OpenKeys openKeys;
    private int firstDuplicate = -1;
    private int stringStart;
    private int stringEnd;
    private boolean escaped;
    private boolean compact;
    private boolean plain;
    private Malformed<?> error;

    /**
     * Creates a scanner.
     *
     * @param wire bytes, which are not changed
     * @param from index of the first byte
     * @param limits limits of depth and number of keys
     * @param codes names of lexical errors
     */
    public JsonScanner(byte[] wire, int from, Limits limits, JsonCodes codes) {
        this.wire = wire;
        this.position = from;
        this.limits = limits;
        this.codes = codes;
    }

    /** Index of the next byte. */
    public int position() {
        return position;
    }

    /** The first lexical error, after a method returned false; before that, the first noted error, or null. */
    @SuppressWarnings("unchecked")
    public <M> Malformed<M> error() {
        return (Malformed<M>) error;
    }

    /** Notes an error that does not stop the scan. The first one counts, and a lexical error replaces it. */
    public void noteError(Code code, int at, String detail) {
        if (error == null) {
            error = new Malformed<>(code, at, detail);
        }
    }

    /** The next byte after white space; 0 at the end. */
    public byte peek() {
        if (position < wire.length && wire[position] > ' ') {
            return wire[position];
        }
        int at = Ascii.skipSpaces(wire, position);
        if (at > position) {
            position = at;
            compact = false;
        }
        return at < wire.length ? wire[at] : 0;
    }

    /**
     * Starts or ends opaque values, which a message carries without reading them: their keys do not count, and they may
     * reach a depth of {@value #MAX_OPAQUE_DEPTH}.
     */
    public void opaque(boolean starts) {
        opaque = starts;
    }

    /** Enters an object or array at its opening bracket. */
    public boolean open() {
        int deepest = opaque ? MAX_OPAQUE_DEPTH : Math.min(limits.depth(), MAX_DEPTH);
        if (depth >= deepest) {
            return fail(Code.TOO_DEEP, position, "A message must nest at most " + deepest + " levels deep.");
        }
        depth++;
        position++;
        return true;
    }

    /** Leaves the object or array if its closing bracket is next. */
    public boolean closes(char bracket) {
        if (peek() != bracket) {
            return false;
        }
        position++;
        depth--;
        return true;
    }

    /** Reads the comma between two elements. */
    public boolean comma() {
        return symbol(',', "A comma or the closing bracket is missing.");
    }

    /** Reads a key and its colon, after a comma if it is not the first one; the key is then the current string. */
    public boolean key(boolean first) {
        if (!first && !comma()) {
            return false;
        }
        if (peek() != '"') {
            return unexpected("A key in double quotes (\") is missing.");
        }
        if (keys == limits.fields() && !opaque) {
            return fail(
                    Code.TOO_MANY_FIELDS,
                    position,
                    position,
                    "A message must have at most " + limits.fields() + " keys.");
        }
        keys += opaque ? 0 : 1;
        return string() && symbol(':', "The colon after the key is missing.");
    }

    /** Remembers the current string as a key of the innermost object, so that its end notes a repetition. */
    public void rememberKey() {
        openKeys = openKeys == null ? new OpenKeys(wire) : openKeys;
        openKeys.add(stringStart, stringEnd, escaped);
    }

    /** Number of remembered keys of open objects, before the first key of another object. */
    public int rememberedKeys() {
        return openKeys == null ? 0 : openKeys.count();
    }

    /** Forgets the keys remembered since that number, those of an object that ended, and notes a repeated one. */
    public void forgetKeys(int since) {
        int repeated = rememberedKeys() == since ? -1 : openKeys.close(since);
        if (repeated >= 0) {
            noteDuplicate(repeated - 1);
        }
    }

    /** Notes a repeated key by the index of its quote. */
    public void noteDuplicate(int at) {
        if (firstDuplicate < 0 || at < firstDuplicate) {
            firstDuplicate = at;
        }
    }

    /** Index of the first repeated key of an object; -1 if there is none. */
    public int firstDuplicate() {
        return firstDuplicate;
    }

    /** Resets {@link #isCompact}. */
    public void startCompact() {
        compact = true;
    }

    /** Whether there was no white space since {@link #startCompact}, and no escape that may be unnecessary. */
    public boolean isCompact() {
        return compact;
    }

    /** Reads the string at its opening quote; it is then the current string. */
    public boolean string() {
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
            compact &= JsonStrings.isShortest(wire, at);
            at += length;
            // Escapes are often adjacent: checking the next byte saves a search among eight.
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
    public int stringStart() {
        return stringStart;
    }

    /** Index of the current string's closing quote. */
    public int stringEnd() {
        return stringEnd;
    }

    /** Whether the current string equals an ASCII text. */
    public boolean stringIs(String text) {
        return escaped
                ? text().equals(text)
                : stringEnd - stringStart == text.length() && Ascii.startsWith(wire, stringStart, text);
    }

    /** The current string, unescaped. */
    public String text() {
        return escaped
                ? JsonStrings.unescaped(wire, stringStart, stringEnd)
                : new String(wire, stringStart, stringEnd - stringStart, UTF_8);
    }

    /** Reads a number, true, false or null. */
    public boolean word() {
        int end = position < wire.length ? JsonWords.end(wire, position) : -1;
        if (end >= 0) {
            position = end;
            return true;
        }
        int run = JsonWords.runEnd(wire, position);
        return run == position
                ? unexpected("A JSON value is missing.")
                : fail(codes.notJson(), position, run, "The value must be a JSON number, true, false or null.");
    }

    /** Reads digits with an extra leading zero. Returns false, reading nothing, for any other value. */
    public boolean paddedNumber() {
        int end = JsonWords.afterPadded(wire, position);
        if (end < 0) {
            return false;
        }
        position = end;
        return true;
    }

    /** Whether only white space remains, and all bytes are UTF-8. */
    public boolean ends() {
        peek();
        if (position < wire.length) {
            return fail(codes.trailingData(), position, "A record must contain only one message.");
        }
        plain = hasOnlyPlainBytes();
        int badUtf8 = plain ? -1 : Utf8.firstInvalid(wire, 0, wire.length);
        return badUtf8 < 0 || fail(codes.badUtf8(), badUtf8, BAD_UTF8);
    }

    /** Whether no string can contain a control character: all bytes are ASCII, without escapes and DEL. */
    public final boolean isPlain() {
        return plain;
    }

    private boolean hasOnlyPlainBytes() {
        int last = wire.length - SwarBytes.COUNT;
        if (last < 0) {
            return false;
        }
        long others = special(last);
        for (int at = 0; at < last; at += SwarBytes.COUNT) {
            others |= special(at);
        }
        return others == 0;
    }

    private long special(int at) {
        long eight = SwarBytes.at(wire, at);
        return SwarBytes.beyondPrintable(eight) | SwarBytes.equal(eight, '\\');
    }

    /** Sets an error at the next byte, or at the end if there is none. */
    public boolean unexpected(String detail) {
        return fail(codes.notJson(), position, detail);
    }

    private boolean symbol(char symbol, String detail) {
        if (peek() != symbol) {
            return unexpected(detail);
        }
        position++;
        return true;
    }

    private boolean failUnclosed(int open) {
        return fail(codes.notJson(), open, wire.length, "The string that opens here is not closed.");
    }

    /** Sets the error for a byte that is invalid in a string. */
    private boolean failInString(int at) {
        if (wire[at] != '\\') {
            return fail(codes.notJson(), at, "A control character in a string must be escaped.");
        }
        if (at + 1 == wire.length) {
            return failUnclosed(stringStart - 1);
        }
        if (wire[at + 1] != 'u') {
            return fail(codes.notJson(), at, at + 1, "The escape must be one that JSON defines.");
        }
        if (JsonStrings.unit(wire, at) < 0) {
            int seen = Math.min(at + 5, wire.length);
            return fail(codes.notJson(), at, seen, "\\u must be followed by four hexadecimal digits.");
        }
        int seen = Math.min(JsonStrings.unicodeFollows(wire, at) ? at + 11 : at + 6, wire.length);
        return fail(codes.notJson(), at, seen, "The escape is an unpaired surrogate.");
    }

    private boolean fail(Code code, int offset, String detail) {
        return fail(code, offset, offset, detail);
    }

    /** Sets an error that shows at index {@code seen}; an earlier byte that is not UTF-8 takes precedence. */
    private boolean fail(Code code, int offset, int seen, String detail) {
        int badUtf8 = Utf8.firstInvalid(wire, 0, wire.length);
        error = badUtf8 >= 0 && badUtf8 <= seen
                ? new Malformed<>(codes.badUtf8(), badUtf8, BAD_UTF8)
                : new Malformed<>(code, offset, detail);
        return false;
    }
}
