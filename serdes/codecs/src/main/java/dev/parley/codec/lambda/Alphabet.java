package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.LambdaFloor;
import dev.parley.codec.Ascii;

/**
 * Character classes of Λ v0.6. All classified characters are ASCII; a byte of a longer character counts as part of a
 * word.
 */
public final class Alphabet {

    /** Length in bytes of a floor mark. */
    static final int FLOOR_LENGTH = 2;

    private static final String[] TRUST_WORDS = {"prv", "pub", "sig", "private", "public", "signed"};

    private static final int DIGIT = 1;
    private static final int LOWER = 1 << 1;
    private static final int UPPER = 1 << 2;
    private static final int WORD = 1 << 3;
    private static final int TYPE = 1 << 4;
    private static final int ATOM = 1 << 5;
    private static final int PLAIN = 1 << 6;

    private static final byte[] TRAITS = new byte[256];

    static {
        mark("0123456789", DIGIT | WORD);
        mark("abcdefghijklmnopqrstuvwxyz", LOWER | WORD | ATOM);
        mark("ABCDEFGHIJKLMNOPQRSTUVWXYZ", UPPER | WORD);
        mark("_", WORD | ATOM);
        mark("?!.~><#@", TYPE);
        for (int b = 0x80; b < 0x100; b++) {
            TRAITS[b] = (byte) (WORD | ATOM);
        }
        for (char c = '!'; c <= '~'; c++) {
            if ("\"{}[]|,:".indexOf(c) < 0) {
                TRAITS[c] |= (byte) PLAIN;
            }
        }
    }

    private Alphabet() {}

    private static void mark(String characters, int traits) {
        for (int i = 0; i < characters.length(); i++) {
            TRAITS[characters.charAt(i)] |= (byte) traits;
        }
    }

    private static boolean is(int b, int trait) {
        return (TRAITS[b & 0xFF] & trait) != 0;
    }

    static boolean isDigit(int b) {
        return is(b, DIGIT);
    }

    public static boolean isLower(int b) {
        return is(b, LOWER);
    }

    public static boolean isUpper(int b) {
        return is(b, UPPER);
    }

    public static boolean isLetter(int b) {
        return is(b, LOWER | UPPER);
    }

    /** Whether white space between two such bytes separates words. */
    public static boolean isWord(int b) {
        return is(b, WORD);
    }

    /** Whether the byte continues a word of a body; capitals and digits do not. */
    static boolean isAtom(int b) {
        return is(b, ATOM);
    }

    /** Whether a letter names a domain in v1.1 or v2.0, such as c in {@code c:fn}. */
    public static boolean isDomain(int b) {
        return "acemosv".indexOf(b) >= 0;
    }

    /** Whether the byte after '@' switches to a domain in v1.1, or with '*' back. */
    public static boolean isSwitch(int b) {
        return "ceosv*".indexOf(b) >= 0;
    }

    /** Whether an index has the colon of an atom in a domain, such as {@code c:fn}. */
    static boolean isDomainColon(byte[] bytes, int colon, int to) {
        return colon > 1
                && colon + 1 < to
                && isDomain(bytes[colon - 1])
                && !isWord(bytes[colon - 2])
                && isLower(bytes[colon + 1]);
    }

    /** Whether a statement may start with the byte (Λ v0.6 §1.1; types of v0.1). */
    static boolean isType(int b) {
        return is(b, TYPE);
    }

    /** Whether the byte has no structural meaning anywhere: visible ASCII that opens, closes and separates nothing. */
    static boolean isPlain(int b) {
        return is(b, PLAIN);
    }

    /** The floor mark at a position, or null (Λ v0.6 §2.3). */
    static LambdaFloor floorAt(byte[] bytes, int at, int to) {
        if (to - at < FLOOR_LENGTH) {
            return null;
        }
        byte second = bytes[at + 1];
        return switch (bytes[at]) {
            case '>' -> second == '>' ? LambdaFloor.TAKE : second == '<' ? LambdaFloor.INTERJECT : null;
            case '<' -> second == '<' ? LambdaFloor.YIELD : null;
            case '-' -> second == '-' ? LambdaFloor.CONTINUE : null;
            default -> null;
        };
    }

    /**
     * Index after an agent ID ({@code [A-Z][A-Za-z0-9_]*\*?} or {@code *}, docs/protocols.md L18); -1 if there is none.
     */
    static int agentEnd(byte[] bytes, int from, int to) {
        int at = from;
        if (at < to && isUpper(bytes[at])) {
            while (at < to && bytes[at] >= 0 && isWord(bytes[at])) {
                at++;
            }
            return at < to && bytes[at] == '*' ? at + 1 : at;
        }
        return at < to && bytes[at] == '*' ? at + 1 : -1;
    }

    /** Index after the name of a sender label {@code [A-Z][A-Za-z0-9_]*: }; -1 if there is none. */
    public static int labelEnd(byte[] wire, int at) {
        int colon = agentEnd(wire, at, wire.length);
        boolean label = colon > at
                && colon + 1 < wire.length
                && wire[colon - 1] != '*'
                && wire[colon] == ':'
                && Ascii.isSpace(wire[colon + 1]);
        return label ? colon : -1;
    }

    /** Index after the name of a label that names no agent; -1 if there is none. */
    public static int headingEnd(byte[] wire, int at) {
        int colon = labelEnd(wire, at);
        return colon < 0 || isAgent(new String(wire, at, colon - at, US_ASCII)) ? -1 : colon;
    }

    /**
     * Whether a label names an agent as Λ v0.6 does: A or B, perhaps with a number, or Agent_ with a number
     * (docs/protocols.md L24). Any other word may be a heading, such as "Answer: ".
     */
    public static boolean isAgent(String label) {
        boolean spelled = label.startsWith("Agent_") && label.length() > "Agent_".length();
        return (label.startsWith("A") || label.startsWith("B"))
                && label.chars().skip(spelled ? "Agent_".length() : 1).allMatch(Alphabet::isDigit);
    }

    /** Whether a range is the word of a trust prefix in any case, such as "pub" or "public". */
    public static boolean isTrustWord(byte[] wire, int from, int to) {
        for (String word : TRUST_WORDS) {
            if (Ascii.isWord(wire, from, to, word)) {
                return true;
            }
        }
        return false;
    }

    /** Index of the colon after agents with a separator between them; -1 if there is none. */
    static int agentsColon(byte[] bytes, int from, char separator, int to) {
        int at = agentEnd(bytes, from, to);
        while (at > 0 && at < to && bytes[at] == separator) {
            at = agentEnd(bytes, at + 1, to);
        }
        return at > 0 && at < to && bytes[at] == ':' ? at : -1;
    }

    /** Whether a header starts at an index. */
    static boolean isHeader(byte[] bytes, int at, int to) {
        return at + 1 < to && bytes[at] == '@' && bytes[at + 1] == 'v' && versionEnd(bytes, at + 2, to) > 0;
    }

    /** Whether a trust prefix starts at an index (Λ v0.6 §7.3). */
    static boolean isTrust(byte[] bytes, int at) {
        return Ascii.startsWith(bytes, at, "pub:")
                || Ascii.startsWith(bytes, at, "prv:")
                || Ascii.startsWith(bytes, at, "sig:");
    }

    /** Index after {@code digits.digits}; -1 if there is none. */
    public static int versionEnd(byte[] bytes, int from, int to) {
        int dot = digitsEnd(bytes, from, to);
        if (dot == from || dot + 1 >= to || bytes[dot] != '.') {
            return -1;
        }
        int end = digitsEnd(bytes, dot + 1, to);
        return end == dot + 1 ? -1 : end;
    }

    /** Index after a message ID of word characters with single hyphens between them; {@code from} if there is none. */
    static int idEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to
                && (isWord(bytes[at])
                        || (bytes[at] == '-'
                                && at > from
                                && at + 1 < to
                                && isWord(bytes[at - 1])
                                && isWord(bytes[at + 1])))) {
            at++;
        }
        return at;
    }

    /** Index of the first byte at or after an index that is not a letter; the end if there is none. */
    public static int lettersEnd(byte[] bytes, int from, int to) {
        return Ascii.skip(bytes, from, to, Alphabet::isLetter);
    }

    public static int digitsEnd(byte[] bytes, int from, int to) {
        return Ascii.skip(bytes, from, to, Alphabet::isDigit);
    }
}
