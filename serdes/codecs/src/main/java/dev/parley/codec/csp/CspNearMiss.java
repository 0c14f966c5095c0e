package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Excerpt;
import dev.parley.codec.Utf8;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the cause of a decode error in a text that is nearly a message: a key that is indented, decorated, in another
 * case, or followed by a colon, or a blank line at the wrong place.
 */
final class CspNearMiss {
    /** Errors that a misspelled key may have caused. */
    private static final Set<Code> OF_KEYS = Set.copyOf(EnumSet.of(
            Code.CSP_MISSING_HEADER,
            Code.CSP_MISSING_REQ,
            Code.CSP_STATUS,
            Code.CSP_PATCH_INCOMPLETE,
            Code.CSP_PATCH_LINE,
            Code.CSP_BODY_MISMATCH,
            Code.CSP_HEREDOC,
            Code.CSP_MALFORMED));

    /** Characters of lists, quotations and emphasis, and blanks, that may precede a key. */
    static final String MARKS = "#*>-_` \t";

    /** Words that agents write for a key of the header. */
    private static final Map<CspHeader.Key, List<String>> SYNONYMS = Map.of(
            CspHeader.Key.FROM, List.of("SENDER", "SOURCE", "SRC"),
            CspHeader.Key.TO, List.of("RECIPIENT", "RECEIVER", "DESTINATION", "DEST", "DST"),
            CspHeader.Key.CTX, List.of("CONTEXT"),
            CspHeader.Key.INTENT, List.of("TYPE", "KIND", "ACT", "ACTION"));

    private static final List<CspHeader.Key> HEADER_KEYS = List.of(CspHeader.Key.values());
    private static final List<? extends Enum<?>> BLOCK_KEYS = Stream.concat(
                    Stream.of(CspBlock.values()), Stream.of(CspKey.values()))
            .toList();

    private final byte[] bytes;
    private int number;
    private int start;
    private int end;
    private int next;

    private CspNearMiss(byte[] bytes, int from) {
        this.bytes = bytes;
        this.next = from;
    }

    /**
     * Whether the text is an attempt at a message: its first line nearly CSP/1, its first keys FROM and TO, or a JSON
     * object or a string literal that names CSP/1.
     */
    static boolean resembles(byte[] wire, int from) {
        int at = from;
        while (at < wire.length && MARKS.indexOf(wire[at]) >= 0) {
            at++;
        }
        if (isName(wire, at) || isLiteral(wire, from)) {
            return true;
        }
        if (wire[from] == '{') {
            return namesCsp(wire, from) || hasHeader(wire, from);
        }
        CspNearMiss lines = new CspNearMiss(wire, from);
        return lines.line()
                && lines.keyAt("FROM") >= 0
                && lines.line()
                && lines.keyAt("TO") >= 0
                && lines.line()
                && (lines.keyAt("CTX") >= 0 || lines.keyAt("INTENT") >= 0);
    }

    /** CSP/1, CSP 1 or CSP1 in any case. */
    private static boolean isName(byte[] wire, int from) {
        if (!Ascii.startsWithLetters(wire, from, "CSP")) {
            return false;
        }
        int at = from + 3;
        if (at < wire.length && "/ -:".indexOf(wire[at]) >= 0) {
            at++;
        }
        boolean version = at < wire.length && (wire[at] | 0x20) == 'v';
        at += version ? 1 : 0;
        return at < wire.length && wire[at] == '1' && (at + 1 == wire.length || !Ascii.isAlphanumeric(wire[at + 1]));
    }

    /** A literal of bytes or a string of Python, such as {@code b'CSP/1\n...'}. */
    private static boolean isLiteral(byte[] wire, int from) {
        int at = from + (wire[from] == 'b' ? 1 : 0);
        return at < wire.length && (wire[at] == '\'' || wire[at] == '"') && Ascii.startsWith(wire, at + 1, "CSP/1");
    }

    private static boolean namesCsp(byte[] wire, int from) {
        for (int at = from; at < wire.length; at++) {
            if (wire[at] == '"' && Ascii.startsWith(wire, at, "\"CSP/1\"")) {
                return true;
            }
        }
        return false;
    }

    /** Whether JSON has the keys FROM, TO, and CTX or INTENT, and no string with a message. */
    private static boolean hasHeader(byte[] wire, int from) {
        Set<CspHeader.Key> found = EnumSet.noneOf(CspHeader.Key.class);
        int at = from;
        while (at < wire.length) {
            if (wire[at] != '"') {
                at++;
                continue;
            }
            if (Ascii.startsWith(wire, at + 1, "CSP/1\\")) {
                return false;
            }
            int after = Ascii.afterString(wire, at, wire.length);
            int colon = Ascii.skipSpaces(wire, after);
            CspHeader.Key key = CspHeader.Key.named(CspBytes.packed(wire, at + 1, Math.max(at + 1, after - 1)));
            if (key != null && colon < wire.length && wire[colon] == ':') {
                found.add(key);
            }
            at = after;
        }
        return found.contains(CspHeader.Key.FROM) && found.contains(CspHeader.Key.TO) && found.size() > 2;
    }

    /** The error with its cause; the same error if the cause is unknown. */
    static Malformed<CspMessage> explain(byte[] bytes, Malformed<CspMessage> error) {
        int from = Ascii.skipSpaces(bytes, Utf8.startsWithMark(bytes) ? Utf8.MARK_LENGTH : 0);
        if (error.code() == Code.CSP_VERSION) {
            return escaped(bytes, from, error);
        }
        if (from == bytes.length || !(OF_KEYS.contains(error.code()) || error.code() == Code.CSP_NOT_CSP)) {
            return error;
        }
        CspNearMiss lines = new CspNearMiss(bytes, from);
        Malformed<CspMessage> cause = lines.cause(error);
        return cause == null ? error : cause;
    }

    /** The error of a message whose line feeds are escapes or white space; the same error for any other first line. */
    private static Malformed<CspMessage> escaped(byte[] bytes, int from, Malformed<CspMessage> error) {
        if (Ascii.startsWith(bytes, from, "CSP/1") && CspBytes.otherSpace(bytes, from + 5) > 0) {
            return withoutLineFeed(bytes, from + 5);
        }
        boolean isEscaped = Ascii.startsWith(bytes, from, "CSP/1\\n") || Ascii.startsWith(bytes, from, "CSP/1\\r\\n");
        return isEscaped
                ? notCsp(from + 5, "A backslash follows CSP/1. Send line feeds instead of the characters \\n.")
                : error;
    }

    private static Malformed<CspMessage> withoutLineFeed(byte[] bytes, int at) {
        return notCsp(at, Excerpt.character(bytes, at) + " follows CSP/1 instead of a line feed.");
    }

    private Malformed<CspMessage> cause(Malformed<CspMessage> error) {
        line();
        if (error.code() == Code.CSP_NOT_CSP) {
            return firstLine();
        }
        Set<CspHeader.Key> missing = error.code() == Code.CSP_MISSING_HEADER ? missing() : Set.of();
        boolean ended = false;
        boolean blank = false;
        while (!ended && line() && start <= error.offset()) {
            if (start == end && number == 2 && error.code() == Code.CSP_MISSING_HEADER) {
                return at(error, start, "is blank. The header must follow CSP/1 without a blank line");
            }
            if (start == end && !blank && error.code() == Code.CSP_MISSING_HEADER && precedesHeaderKey()) {
                return at(error, start, "is blank. The header must have no blank line before its last key");
            }
            blank |= start == end;
            ended = keyAt("DATA") == start || keyAt("CONTENT") == start;
            Malformed<CspMessage> found = ended ? null : wrongKey(error, blank);
            found = found == null && !blank ? otherPlace(error, missing) : found;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The keys of the header with which no line before the next blank one starts. */
    private Set<CspHeader.Key> missing() {
        Set<CspHeader.Key> missing = EnumSet.allOf(CspHeader.Key.class);
        CspNearMiss lines = new CspNearMiss(bytes, next);
        while (lines.line() && lines.start < lines.end) {
            missing.removeIf(key -> lines.keyAt(key.name()) == lines.start);
        }
        return missing;
    }

    /**
     * The error of a line that has a missing key in another word, or after the value of another key; null for others.
     */
    private Malformed<CspMessage> otherPlace(Malformed<CspMessage> error, Set<CspHeader.Key> missing) {
        boolean hasKey = !missing.isEmpty() && HEADER_KEYS.stream().anyMatch(key -> keyAt(key.name()) == start);
        for (CspHeader.Key key : missing) {
            for (String synonym : SYNONYMS.get(key)) {
                int at = keyAt(synonym);
                if (at >= 0) {
                    return at(error, at, synonym + " must be " + key);
                }
            }
            for (int at = start; hasKey && at < end; at++) {
                int other = CspBytes.otherSpace(bytes, at);
                int found = at + (CspBytes.isBlank(bytes[at]) ? 1 : other);
                int after = found + key.name().length();
                if (found > at
                        && Ascii.startsWith(bytes, found, key.name())
                        && after < end
                        && (CspBytes.isBlank(bytes[after]) || bytes[after] == ':' || bytes[after] == '=')) {
                    return other > 0 || bytes[at] == '\r'
                            ? at(
                                    error,
                                    at,
                                    Excerpt.character(bytes, at) + " precedes " + key + " instead of a line feed")
                            : at(error, found, key + " must be on a line of its own");
                }
            }
        }
        return null;
    }

    /** Whether the next line that is not blank has a key of the header. */
    private boolean precedesHeaderKey() {
        CspNearMiss lines = new CspNearMiss(bytes, next);
        while (lines.line()) {
            if (lines.start < lines.end) {
                return HEADER_KEYS.stream().anyMatch(key -> lines.keyAt(key.name()) == lines.start);
            }
        }
        return false;
    }

    private Malformed<CspMessage> firstLine() {
        if (bytes[start] == '{') {
            return notCsp(start, "This is a JSON object. A CSP/1 message has lines.");
        }
        if (isLiteral(bytes, start)) {
            return notCsp(start, "This is a string literal. Send its text, with line feeds instead of \\n.");
        }
        if (Ascii.startsWith(bytes, start, "CSP/1")) {
            int at = skipBlanks(start + 5);
            if (at < end && bytes[start + 5] == '\r') {
                return withoutLineFeed(bytes, start + 5);
            }
            for (int i = at; i < end; i++) {
                if (bytes[i] == ';' || bytes[i] == '!') {
                    return new Malformed<>(
                            Code.CSP_TEMPLATE,
                            start,
                            "This is a prompt template of a dialect. A message must have only CSP/1 on its first line.");
                }
            }
            return Ascii.startsWith(bytes, at, "FROM")
                    ? notCsp(at, "Line 1: FROM must be on a line of its own.")
                    : null;
        }
        int name = start;
        while (name < end && MARKS.indexOf(bytes[name]) >= 0) {
            name++;
        }
        if (isName(bytes, name)) {
            return name > start
                    ? notCsp(start, "Line 1: CSP/1 must be at the start of the line, without other characters.")
                    : notCsp(start, "Line 1 must be exactly CSP/1.");
        }
        return keyAt("FROM") >= 0 ? notCsp(start, "Line 1 must be CSP/1; FROM follows it.") : null;
    }

    private static Malformed<CspMessage> notCsp(int offset, String detail) {
        return new Malformed<>(Code.CSP_NOT_CSP, offset, detail);
    }

    /** The error of a line that has a known key in another form; null if it has none. */
    private Malformed<CspMessage> wrongKey(Malformed<CspMessage> error, boolean inBlock) {
        Malformed<CspMessage> found = null;
        List<? extends Enum<?>> keys = inBlock ? BLOCK_KEYS : HEADER_KEYS;
        for (int i = 0; i < keys.size() && found == null; i++) {
            found = wrongKey(error, keys.get(i).name(), inBlock);
        }
        return found;
    }

    private Malformed<CspMessage> wrongKey(Malformed<CspMessage> error, String key, boolean inBlock) {
        int at = keyAt(key);
        if (at < 0) {
            return null;
        }
        int after = at + key.length();
        boolean colon = after < end && bytes[after] == ':';
        boolean exact = Ascii.startsWith(bytes, at, key);
        if (!exact && inBlock && !colon) {
            return null;
        }
        if (at > start) {
            boolean indented = CspBytes.isBlank(bytes[start]) || CspBytes.otherSpace(bytes, start) > 0;
            return at(error, start, (indented ? "white space precedes " : "other characters precede ") + key);
        }
        if (!exact) {
            return at(error, at, key + " must be in upper case");
        }
        if (CspBytes.otherSpace(bytes, after) > 0) {
            return at(error, after, Excerpt.character(bytes, after) + " follows " + key + " instead of a space");
        }
        int separator = !inBlock || key.equals("STATUS") ? skipBlanks(after) : after;
        boolean separated = separator < end && (bytes[separator] == ':' || bytes[separator] == '=');
        return separated
                ? at(error, separator, (bytes[separator] == ':' ? "a colon" : "an equals sign") + " follows " + key)
                : null;
    }

    private Malformed<CspMessage> at(Malformed<CspMessage> error, int offset, String cause) {
        String detail = cause.startsWith("is ") ? "Line " + number + ' ' + cause : "Line " + number + ": " + cause;
        return new Malformed<>(error.code(), offset, detail + '.');
    }

    /** Index after the marks and white space at an index, at most the end. */
    static int afterMarks(byte[] bytes, int from, int end) {
        int at = from;
        int length = 1;
        while (at < end && length > 0) {
            length = MARKS.indexOf(bytes[at]) >= 0 ? 1 : CspBytes.otherSpace(bytes, at);
            at += length;
        }
        return Math.min(at, end);
    }

    /** Index of a key in any case after marks of a list or of Markdown, before a space, colon or equals sign; or -1. */
    private int keyAt(String key) {
        int at = afterMarks(bytes, start, end);
        int after = at + key.length();
        boolean found = after <= end
                && Ascii.startsWithLetters(bytes, at, key)
                && (after == end
                        || CspBytes.isBlank(bytes[after])
                        || ":=*_`".indexOf(bytes[after]) >= 0
                        || CspBytes.otherSpace(bytes, after) > 0);
        return found ? at : -1;
    }

    private int skipBlanks(int from) {
        int at = from;
        while (at < end && CspBytes.isBlank(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Moves to the next line. */
    private boolean line() {
        if (next >= bytes.length) {
            return false;
        }
        number++;
        start = next;
        while (next < bytes.length && bytes[next] != '\n') {
            next++;
        }
        end = next++;
        while (end > start && CspBytes.isBlank(bytes[end - 1])) {
            end--;
        }
        return true;
    }
}
