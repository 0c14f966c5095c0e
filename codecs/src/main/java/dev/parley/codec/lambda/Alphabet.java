package dev.parley.codec.lambda;

import dev.parley.avro.LambdaFloor;

/** The characters of Λ v0.6, by what they do. All are ASCII; a byte of a longer character counts as part of a word. */
final class Alphabet {

    /** Length in bytes of a floor mark. */
    static final int FLOOR_LENGTH = 2;

    private Alphabet() {}

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    static boolean isControl(byte b) {
        return (b >= 0 && b < ' ') || b == 0x7F;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static boolean isLower(byte b) {
        return b >= 'a' && b <= 'z';
    }

    static boolean isUpper(byte b) {
        return b >= 'A' && b <= 'Z';
    }

    static boolean isLetter(byte b) {
        return isLower(b) || isUpper(b);
    }

    /** Whether white space between two such bytes separates words. */
    static boolean isWord(byte b) {
        return b < 0 || isLetter(b) || isDigit(b) || b == '_';
    }

    /** Whether a statement may start with it (Λ v0.6 §1.1; types of v0.1). */
    static boolean isType(byte b) {
        return switch (b) {
            case '?', '!', '.', '~', '>', '<', '#', '@' -> true;
            default -> false;
        };
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

    static int skipSpaces(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Index after the last byte of a range that is not white space. */
    static int trimEnd(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && isSpace(bytes[end - 1])) {
            end--;
        }
        return end;
    }

    /** Index after an agent id ({@code [A-Z][A-Za-z0-9_]*\*?} or {@code *}, PROTOCOLS L18), or -1 when there is none. */
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

    /** Index after {@code digits.digits}, or -1 when there is none. */
    static int versionEnd(byte[] bytes, int from, int to) {
        int dot = digitsEnd(bytes, from, to);
        if (dot == from || dot + 1 >= to || bytes[dot] != '.') {
            return -1;
        }
        int end = digitsEnd(bytes, dot + 1, to);
        return end == dot + 1 ? -1 : end;
    }

    /** Index after the word characters, and single hyphens between them, that make a message id; {@code from} when there are none. */
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

    static int digitsEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isDigit(bytes[at])) {
            at++;
        }
        return at;
    }

    /** Index after a string whose opening quote stands at a position, in text whose strings are sound. */
    static int stringEnd(byte[] bytes, int quote, int to) {
        int at = quote + 1;
        while (at < to && bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, to);
    }
}
