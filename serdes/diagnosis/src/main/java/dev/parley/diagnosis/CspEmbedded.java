package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.csp.CspWords;

/**
 * Finds the end of a message inside other text. CSP/1 has no end mark: the message ends at a code fence, the backticks
 * that close those before it, a tag, the first line of another message, a blank line after its block, or the line
 * PRIORITY or APPLY, that no key or operation follows, or the end of the text.
 */
final class CspEmbedded {
    private static final String OPENING = "<<<";
    private static final String CLOSING = ">>>";
    private static final int MARK_LENGTH = 3;

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
        boolean last = false;
        boolean heredoc = false;
        int end = next;
        while (line()) {
            if (heredoc) {
                if (isClosing()) {
                    return mayBeContent() ? -1 - next : start + MARK_LENGTH;
                }
            } else if (Ascii.skipSpaces(text, start, next) == next) {
                if (block && !goesOn(next)) {
                    return trimmed(end);
                }
                block = true;
            } else if (closes(start) || last && !goesOn(start)) {
                return trimmed(end);
            } else {
                last = Ascii.startsWith(text, start, "PRIORITY ") || Ascii.startsWith(text, start, "APPLY ");
                heredoc = opensHeredoc(start, next);
                int token = tokenIn(start, next);
                if (token >= 0) {
                    return trimmed(token);
                }
                end = next;
            }
        }
        return heredoc ? -1 - text.length : trimmed(end);
    }

    private boolean opensHeredoc(int from, int to) {
        return Ascii.startsWith(text, from, OPENING)
                || Ascii.startsWith(text, from, "CONTENT")
                        && Ascii.startsWith(text, trimmed(to) - MARK_LENGTH, OPENING);
    }

    /** Whether the line closes a heredoc: after a space, as in a shell of Python, text belongs to the content. */
    private boolean isClosing() {
        return Ascii.startsWith(text, start, CLOSING)
                && (isAlone()
                        || !Ascii.isAlphanumeric(text[start + MARK_LENGTH])
                                && "> \t".indexOf(text[start + MARK_LENGTH]) < 0);
    }

    /** Whether only white space follows three characters of the line. */
    private boolean isAlone() {
        return Ascii.skipSpaces(text, start + MARK_LENGTH, next) == next;
    }

    /**
     * Whether the closing line may be one of the content: other text or a key follows it, or another closing line
     * before the next heredoc or message.
     */
    private boolean mayBeContent() {
        int line = Ascii.skipSpaces(text, next);
        boolean isNext = Ascii.skip(text, next, line, CspWords::isBlank) == line;
        boolean found = isAlone() && line < text.length && (isNext ? !isOutside(line) : goesOn(line));
        int at = next;
        while (at < text.length && !found && !CspWords.isFirstLine(text, at)) {
            int after = Ascii.afterLine(text, at);
            found = Ascii.startsWith(text, at, CLOSING);
            at = opensHeredoc(at, after) ? text.length : after;
        }
        return found;
    }

    /** Whether a line starts with the end of the text around a message. */
    private boolean isOutside(int line) {
        return closes(line) || tokenIn(line, Ascii.afterLine(text, line)) == line;
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

    /** Whether a key, also one in another form, or an operation is on the line. */
    private boolean goesOn(int at) {
        int word = Ascii.skip(text, at, text.length, CspWords::isKeyByte);
        boolean key = word > at + 1 && (word == text.length || Ascii.isSpace(text[word]));
        return key
                || at < text.length && "+~-".indexOf(text[at]) >= 0 && Ascii.startsWith(text, at + 1, " DEF ")
                || isNearKey(at, Ascii.skip(text, at, text.length, b -> b != '\n'));
    }

    private boolean isNearKey(int from, int to) {
        int at = CspWords.afterMarks(text, from, to);
        return CspWords.BLOCK_KEYS.stream().anyMatch(key -> CspWords.isProbably(key, text, at, to));
    }

    /** Index after the last byte before an index that is not white space, such as the first of the message. */
    private int trimmed(int end) {
        return Ascii.trimEnd(text, 0, end);
    }
}
