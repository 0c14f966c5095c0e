package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.csp.CspWords;

/**
 * Finds the end of a message inside other text. CSP/1 has no end mark: the message ends at a code fence, the backticks
 * that close those before it, a tag, the first line of another message, a blank line after its block that no key or
 * operation follows, or the end of the text.
 */
final class CspEmbedded {
    private final byte[] text;
    /** Number of backticks directly before the message. */
    private final int backticks;

    private int start;
    private int next;

    private CspEmbedded(byte[] text, int from) {
        this.text = text;
        this.next = from;
        this.backticks = from - Ascii.skipBack(text, 0, from, b -> b == '`');
    }

    /** Index after a message that starts at an index; {@code -1 - i} if none starts there. */
    static int end(byte[] text, int from) {
        boolean starts = CspWords.isFirstLine(text, from) && (from == 0 || isBoundary(text[from - 1]));
        return starts ? new CspEmbedded(text, from).end() : -1 - from;
    }

    private static boolean isBoundary(byte before) {
        return before != '\\' && !Ascii.isAlphanumeric(before);
    }

    private int end() {
        line();
        boolean block = false;
        boolean heredoc = false;
        int end = next;
        while (line()) {
            if (heredoc) {
                if (Ascii.startsWith(text, start, ">>>")) {
                    return start + 3;
                }
            } else if (Ascii.skipSpaces(text, start, next) == next) {
                if (block && !goesOn(next)) {
                    return trimmed(end);
                }
                block = true;
            } else if (closes(start)) {
                return trimmed(end);
            } else {
                heredoc = Ascii.startsWith(text, start, "<<<") || endsWithHeredoc();
                int token = tokenIn(start, next);
                if (token >= 0) {
                    return trimmed(token);
                }
                end = next;
            }
        }
        return heredoc ? -1 - text.length : trimmed(end);
    }

    private boolean endsWithHeredoc() {
        return Ascii.startsWith(text, start, "CONTENT") && Ascii.startsWith(text, trimmed(next) - 3, "<<<");
    }

    /** Moves to the next line. */
    private boolean line() {
        start = next;
        next = Ascii.afterLine(text, start);
        return start < text.length;
    }

    /** Whether a line ends the text around a message: a fence, a tag, or the first line of another message. */
    private boolean closes(int at) {
        return Ascii.startsWith(text, at, "```") || Ascii.startsWith(text, at, "~~~") || CspWords.isFirstLine(text, at);
    }

    /** Index of closing backticks, a closing tag or a token of a chat template in a line; -1 if there is none. */
    private int tokenIn(int from, int to) {
        int run = 0;
        for (int at = from; at < to; at++) {
            run = text[at] == '`' ? run + 1 : 0;
            if (run > 0 && run == backticks) {
                return at + 1 - run;
            }
            if (at < to - 2 && text[at] == '<' && (text[at + 1] == '|' || text[at + 1] == '/') && text[at + 2] > ' ') {
                return at;
            }
            if (CspEndTokens.isToken(text, at)) {
                return at;
            }
        }
        return -1;
    }

    /** Whether a key or an operation is on the line. */
    private boolean goesOn(int at) {
        int word = Ascii.skip(text, at, text.length, CspWords::isKeyByte);
        boolean key = word > at + 1 && (word == text.length || Ascii.isSpace(text[word]));
        return key || at < text.length && "+~-".indexOf(text[at]) >= 0 && Ascii.startsWith(text, at + 1, " DEF ");
    }

    /** Index after the last byte before an index that is not white space, such as the first of the message. */
    private int trimmed(int end) {
        return Ascii.trimEnd(text, 0, end);
    }
}
