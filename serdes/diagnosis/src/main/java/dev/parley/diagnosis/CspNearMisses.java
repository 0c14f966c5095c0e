package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Excerpt;
import dev.parley.codec.csp.CspWords;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocols;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Near misses of CSP/1: a first line in another form; a key that is indented, decorated, in another case or word, or
 * followed by a colon; a blank line at the wrong place.
 */
final class CspNearMisses implements NearMisses {
    private static final String NAME = "CSP/1";
    private static final String HEADER = "\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x";

    /** Rows of the first line. */
    private static final List<NearMiss<Lines>> FIRST_LINE = List.of(
            new NearMiss<>("CSP/1\u2028FROM A" + HEADER, Lines::withoutLineFeed),
            NearMiss.of(
                    "CSP/1\\nFROM A\\nTO B",
                    Code.CSP_NOT_CSP,
                    "A backslash follows CSP/1. Send line feeds instead of the characters \\n.",
                    lines -> lines.startsWith(NAME + "\\n") || lines.startsWith(NAME + "\\r\\n")
                            ? lines.afterName()
                            : -1),
            notCsp(
                    "{\"CSP\":\"1\",\"FROM\":\"A\",\"TO\":\"B\",\"CTX\":\"C0\"}",
                    "This is a JSON object. A CSP/1 message has lines.",
                    lines -> lines.startsWith("{") ? lines.start : -1),
            notCsp(
                    "'CSP/1\\nFROM A'",
                    "This is a string literal. Send its text, with line feeds instead of \\n.",
                    lines -> CspAttempt.isLiteral(lines.bytes, lines.start) ? lines.start : -1),
            NearMiss.of(
                    "CSP/1 COMPACT!" + "\nFROM A" + HEADER,
                    Code.CSP_TEMPLATE,
                    "This is a prompt template of a dialect. A message must have only CSP/1 on its first line.",
                    Lines::template),
            notCsp("CSP/1 FROM A" + HEADER, "Line 1: FROM must be on a line of its own.", Lines::senderAfterName),
            notCsp(
                    "# CSP/1\nFROM A" + HEADER,
                    "Line 1: CSP/1 must be at the start of the line, without other characters.",
                    lines -> lines.nameAt() > lines.start ? lines.start : -1),
            notCsp(
                    "csp/1\nFROM A" + HEADER,
                    "Line 1 must be exactly CSP/1.",
                    lines -> lines.nameAt() == lines.start && !lines.startsWith(NAME) ? lines.start : -1),
            notCsp(
                    "FROM A" + HEADER,
                    "Line 1 must be CSP/1; FROM follows it.",
                    lines -> lines.keyAt("FROM") >= 0 ? lines.start : -1),
            notCsp(
                    "TASK T1\nREQ x",
                    "The header is missing: CSP/1, FROM, TO, CTX, INTENT and a blank line must precede the block.",
                    lines -> CspWords.startsBlock(lines.bytes, lines.start) ? lines.start : -1));

    /** Rows of the lines after it. */
    private static final List<NearMiss<Lines>> LINES = List.of(
            new NearMiss<>("CSP/1\nFROM A\n\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x", Lines::blankInHeader),
            new NearMiss<>("CSP/1\n- FROM A" + HEADER, Lines::preceded),
            new NearMiss<>("CSP/1\nfrom A" + HEADER, Lines::inOtherCase),
            new NearMiss<>("CSP/1\nFROM: A" + HEADER, Lines::separated),
            new NearMiss<>("CSP/1\nSENDER A" + HEADER, Lines::otherWord),
            new NearMiss<>("CSP/1\nFROM A TO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ x", Lines::onSameLine));

    /** Words that agents write for a key of the header. */
    private static final Map<String, List<String>> SYNONYMS = Map.of(
            "FROM", List.of("SENDER", "SOURCE", "SRC"),
            "TO", List.of("RECIPIENT", "RECEIVER", "DESTINATION", "DEST", "DST"),
            "CTX", List.of("CONTEXT"),
            "INTENT", List.of("TYPE", "KIND", "ACT", "ACTION"));

    private static NearMiss<Lines> notCsp(String example, String detail, ToIntFunction<Lines> place) {
        return NearMiss.of(
                example,
                Code.CSP_NOT_CSP,
                detail,
                lines -> lines.error.code() == Code.CSP_NOT_CSP ? place.applyAsInt(lines) : -1);
    }

    @Override
    public List<String> examples() {
        return Stream.of(
                        NearMiss.examples(FIRST_LINE, "CSP／1\nFROM A" + HEADER),
                        NearMiss.examples(LINES, "CSP/1\nFROM\u00A0A" + HEADER))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Malformed<?> cause(byte[] wire, Malformed<?> error) {
        int from = WireProtocols.start(wire);
        boolean isFirstLine = error.code() == Code.CSP_VERSION || error.code() == Code.CSP_NOT_CSP;
        if (from == wire.length) {
            return null;
        }
        Lines lines = new Lines(wire, from, error);
        lines.line();
        Malformed<?> found = isFirstLine ? NearMiss.first(FIRST_LINE, lines) : null;
        if (error.code() == Code.CSP_MISSING_HEADER) {
            lines.findMissing();
            while (found == null && lines.mayHaveCause()) {
                found = NearMiss.first(LINES, lines);
            }
        }
        return found == null ? ForeignSpelling.cause(wire, error, WireProtocols.CSP) : found;
    }

    @Override
    public int embeddedEnd(byte[] text, int from) {
        return CspEmbedded.end(text, from);
    }

    @Override
    public ClaimedNames claimedNames(byte[] wire) {
        return CspClaims.of(wire);
    }

    @Override
    public boolean resembles(byte[] wire, int from) {
        return CspAttempt.resembles(wire, from);
    }

    /** The lines of a text with its decode error; the current line, and its key. */
    static final class Lines {
        private final byte[] bytes;
        private final Malformed<?> error;
        private Set<String> missing = Set.of();
        private int number;
        /** Index of the first byte of the current line. */
        int start;
        /** Index after its last byte that is no white space. */
        int end;

        private int next;
        /** The key of the current line after marks, in any case; null without one. */
        private String key;

        private int at;
        private int after;

        Lines(byte[] bytes, int from, Malformed<?> error) {
            this.bytes = bytes;
            this.next = from;
            this.error = error;
        }

        /** Moves to the next line that may have the cause; returns false after the first blank line. */
        boolean mayHaveCause() {
            if (start == end || !line()) {
                return false;
            }
            key = null;
            for (String name : CspWords.HEADER_KEYS) {
                int found = keyAt(name);
                if (found >= 0) {
                    key = name;
                    at = found;
                    after = found + name.length();
                }
            }
            return true;
        }

        /** Finds the keys of the header with which no line before the next blank one starts. */
        void findMissing() {
            missing = new LinkedHashSet<>(CspWords.HEADER_KEYS);
            Lines lines = new Lines(bytes, next, null);
            while (lines.line() && lines.start < lines.end) {
                missing.removeIf(name -> lines.keyAt(name) == lines.start);
            }
        }

        private boolean startsWithHeaderKey() {
            return CspWords.HEADER_KEYS.stream().anyMatch(name -> keyAt(name) == start);
        }

        boolean startsWith(String text) {
            return Ascii.startsWith(bytes, start, text);
        }

        int afterName() {
            return start + NAME.length();
        }

        /** Index of the name of the protocol after marks; -1 if there is none. */
        int nameAt() {
            int name = CspWords.afterMarks(bytes, start, end);
            return CspAttempt.isName(bytes, name) ? name : -1;
        }

        Malformed<?> withoutLineFeed() {
            int follows = afterName();
            boolean found = startsWith(NAME)
                    && (CspWords.otherSpace(bytes, follows) > 0 || skipBlanks(follows) < end && bytes[follows] == '\r');
            return found
                    ? new Malformed<>(
                            Code.CSP_NOT_CSP,
                            follows,
                            Excerpt.character(bytes, follows) + " follows CSP/1 instead of a line feed.")
                    : null;
        }

        int template() {
            boolean found = false;
            for (int i = afterName(); startsWith(NAME) && i < end; i++) {
                found |= bytes[i] == ';' || bytes[i] == '!';
            }
            return found && error.code() == Code.CSP_NOT_CSP ? start : -1;
        }

        int senderAfterName() {
            int sender = startsWith(NAME) ? skipBlanks(afterName()) : bytes.length;
            return Ascii.startsWith(bytes, sender, "FROM") ? sender : -1;
        }

        Malformed<?> blankInHeader() {
            return start == end && precedesHeaderKey()
                    ? at(start, "is blank. The header must have no blank line before its last key")
                    : null;
        }

        /** Whether the next line that is not blank has a key of the header. */
        private boolean precedesHeaderKey() {
            Lines lines = new Lines(bytes, next, null);
            boolean more = true;
            while (more && lines.start == lines.end) {
                more = lines.line();
            }
            return lines.startsWithHeaderKey();
        }

        Malformed<?> preceded() {
            if (key == null || at == start) {
                return null;
            }
            boolean isIndented = CspWords.isBlank(bytes[start]) || CspWords.otherSpace(bytes, start) > 0;
            return at(start, (isIndented ? "white space precedes " : "other characters precede ") + key);
        }

        Malformed<?> inOtherCase() {
            return key == null || Ascii.startsWith(bytes, at, key) ? null : at(at, key + " must be in upper case");
        }

        Malformed<?> separated() {
            int separator = key == null ? -1 : CspWords.separator(bytes, after, end);
            return separator < 0
                    ? null
                    : at(separator, (bytes[separator] == ':' ? "a colon" : "an equals sign") + " follows " + key);
        }

        /** A missing key in another word. */
        Malformed<?> otherWord() {
            for (String name : missing) {
                for (String synonym : SYNONYMS.get(name)) {
                    int found = keyAt(synonym);
                    if (found >= 0) {
                        return at(found, synonym + " must be " + name);
                    }
                }
            }
            return null;
        }

        /** A missing key after the value of another one. */
        Malformed<?> onSameLine() {
            if (missing.isEmpty() || !startsWithHeaderKey()) {
                return null;
            }
            for (String name : missing) {
                for (int i = start; i < end; i++) {
                    int other = CspWords.otherSpace(bytes, i);
                    int found = i + (CspWords.isBlank(bytes[i]) ? 1 : other);
                    if (found > i
                            && Ascii.startsWith(bytes, found, name)
                            && CspWords.isNearly(name, bytes, found, end)) {
                        return other > 0 || bytes[i] == '\r'
                                ? at(i, Excerpt.character(bytes, i) + " precedes " + name + " instead of a line feed")
                                : at(found, name + " must be on a line of its own");
                    }
                }
            }
            return null;
        }

        private Malformed<?> at(int offset, String cause) {
            String line = "Line " + number + (cause.startsWith("is ") ? " " : ": ");
            return new Malformed<>(error.code(), offset, line + cause + '.');
        }

        /** Index of a key in any case after marks, before a space, colon or equals sign; -1 if there is none. */
        int keyAt(String key) {
            int at = CspWords.afterMarks(bytes, start, end);
            return CspWords.isNearly(key, bytes, at, end) ? at : -1;
        }

        /** Index of the value of a key on the line; -1 if the line has another key. */
        int valueOf(String key) {
            int at = keyAt(key);
            int value = at + key.length();
            int length = 1;
            while (at >= 0 && value < end && length > 0) {
                length = " \t\r:=*_`".indexOf(bytes[value]) >= 0 ? 1 : CspWords.otherSpace(bytes, value);
                value += length;
            }
            return at < 0 ? -1 : Math.min(value, end);
        }

        private int skipBlanks(int from) {
            return Ascii.skip(bytes, from, end, CspWords::isBlank);
        }

        /** Moves to the next line. */
        boolean line() {
            if (next >= bytes.length) {
                return false;
            }
            number++;
            start = next;
            next = Ascii.skip(bytes, start, bytes.length, b -> b != '\n');
            end = Ascii.skipBack(bytes, start, next++, CspWords::isBlank);
            return true;
        }
    }
}
