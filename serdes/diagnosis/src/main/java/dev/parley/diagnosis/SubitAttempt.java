package dev.parley.diagnosis;

import dev.parley.avro.SubitType;
import dev.parley.codec.Ascii;

/** Recognizes attempts at SUBIT packets. */
final class SubitAttempt {
    /** Bits of a form. */
    private static final int BITS = 6;

    private SubitAttempt() {}

    /**
     * Whether the text is an attempt at a packet: an object in the notation of another language, with other case or
     * escaped quotes, or without braces; or the plain form {@code TYPE: bits} or {@code TYPE(agent)}.
     */
    static boolean resembles(byte[] wire, int from) {
        if (wire[from] != '{') {
            if (isQuote(wire[from]) || wire[from] == '\\') {
                return lacksBraces(wire, from);
            }
            int end = typeEnd(wire, from);
            if (end < 0) {
                return false;
            }
            int at = afterAgent(wire, end);
            return hasBits(wire, Ascii.skip(wire, at, wire.length, b -> Ascii.isSpace(b) || isMark(b)))
                    || at > end
                            && (at == wire.length
                                    || isMark(wire[Ascii.skip(wire, at, wire.length - 1, Ascii::isSpace)]));
        }
        boolean escaped = isEscaped(wire, from);
        int type = valueOf(wire, from, wire.length, "type", escaped);
        int payload = valueOf(wire, from, wire.length, "payload", escaped);
        return type < wire.length
                && payload < wire.length
                && (typeEnd(wire, afterQuotes(wire, type)) >= 0
                        || hasBits(wire, afterQuotes(wire, payload))
                        || valueOf(wire, from, wire.length, "meta", escaped) < wire.length);
    }

    /** Index after an agent in parentheses, as in the patterns of the specification; the same index without one. */
    private static int afterAgent(byte[] wire, int from) {
        boolean opens = from + 1 < wire.length && wire[from] == '(' && wire[from + 1] >= 'A' && wire[from + 1] <= 'Z';
        int end = opens ? Ascii.wordEnd(wire, from + 1, wire.length) : wire.length;
        return end < wire.length && wire[end] == ')' ? end + 1 : from;
    }

    /** Whether a byte is, or is part of, a mark between a type and its bits. */
    private static boolean isMark(int b) {
        return b < 0 || ":=->([".indexOf(b) >= 0;
    }

    /** Whether the keys and values of a packet start here without a brace. */
    static boolean lacksBraces(byte[] wire, int from) {
        int key = afterQuotes(wire, from);
        int before = key - 1;
        boolean escaped = isEscaped(wire, from);
        return key > from
                && (Ascii.startsWithLetters(wire, key, "type") || Ascii.startsWithLetters(wire, key, "payload"))
                && typeEnd(wire, afterQuotes(wire, valueOf(wire, before, wire.length, "type", escaped))) >= 0
                && hasBits(wire, afterQuotes(wire, valueOf(wire, before, wire.length, "payload", escaped)));
    }

    /**
     * Index of the value of a key in any case, in quotes of any kind or none; not less than the end if there is none.
     *
     * @param from index of a byte before the key
     * @param end index after the last byte that is read for the key
     * @param escaped whether backslashes precede quotes
     */
    static int valueOf(byte[] wire, int from, int end, String key, boolean escaped) {
        for (int at = from + 1; at < end - key.length(); at++) {
            if (isBeforeKey(wire[at - 1]) && Ascii.startsWithLetters(wire, at, key)) {
                int colon = Ascii.skip(
                        wire, at + key.length(), end, b -> isQuote(b) || Ascii.isSpace(b) || escaped && b == '\\');
                if (colon < end && wire[colon] == ':') {
                    return Ascii.skipSpaces(wire, colon + 1);
                }
            }
        }
        return end;
    }

    /** Whether the first quote of a text, perhaps after a brace, is escaped; not those in strings inside it. */
    static boolean isEscaped(byte[] wire, int from) {
        int at = from < wire.length && wire[from] == '{' ? Ascii.skipSpaces(wire, from + 1) : from;
        return at < wire.length && wire[at] == '\\';
    }

    private static boolean isBeforeKey(byte b) {
        return b == '{' || b == ',' || isQuote(b) || Ascii.isSpace(b);
    }

    private static int afterQuotes(byte[] wire, int from) {
        return Ascii.skip(wire, from, wire.length, b -> isQuote(b) || b == '\\');
    }

    /** Whether a byte is a quote, or part of a quote that is not ASCII. */
    private static boolean isQuote(int b) {
        return b == '"' || b == '\'' || b == '`' || b < 0;
    }

    private static boolean hasBits(byte[] wire, int from) {
        int at = Ascii.skip(wire, from, wire.length, b -> b == '0' || b == '1');
        return at - from >= BITS;
    }

    /** Index after the name of a type in any case; -1 if there is none. */
    private static int typeEnd(byte[] wire, int from) {
        for (SubitType type : SubitType.values()) {
            int end = from + type.name().length();
            if (type != SubitType.UNKNOWN
                    && Ascii.startsWithLetters(wire, from, type.name())
                    && (end == wire.length || !Ascii.isAlphanumeric(wire[end]))) {
                return end;
            }
        }
        return -1;
    }
}
