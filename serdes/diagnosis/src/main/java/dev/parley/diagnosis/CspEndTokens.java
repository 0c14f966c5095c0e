package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.codec.Ascii;
import dev.parley.codec.csp.CspWords;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the tokens of a chat template, closing tags and fences directly after a message. CSP/1 has no end mark, so the
 * decoder reads them as the end of the last value. Other markup belongs to the value, and so does a token that the
 * message opens, or that a space precedes. A value of one name contains no closing tag.
 */
final class CspEndTokens {
    /** Tokens after any value. */
    private static final List<String> TOKENS = List.of(
            "</s>",
            "</message>",
            "</msg>",
            "</assistant>",
            "</response>",
            "</answer>",
            "</output>",
            "<end_of_turn>",
            "<eos>",
            "[/INST]",
            "```",
            "~~~");

    /** Last byte of U+FF5C. */
    private static final byte LAST_OF_BAR = (byte) 0x9C;

    private static final int MAX_BYTES = 64;
    private static final int MAX_TOKENS = 4;

    private CspEndTokens() {}

    /** Index after the message that such tokens follow; -1 without one. */
    static int messageEnd(byte[] text) {
        int end = Ascii.trimEnd(text, 0, text.length);
        int at = before(text, end);
        if (at < 0) {
            return -1;
        }
        List<String> tokens = new ArrayList<>(MAX_TOKENS);
        while (at >= 0 && tokens.size() < MAX_TOKENS) {
            tokens.add(new String(text, at, end - at, ISO_8859_1));
            end = Ascii.trimEnd(text, 0, at);
            at = before(text, end);
        }
        for (String token : tokens) {
            String opening = opening(token);
            int last = end - opening.length() + 1;
            if (Ascii.find(text, 0, last, opening) < last) {
                return -1;
            }
        }
        return end;
    }

    /** Whether a token of a chat template is here that does not start like {@code <|im_end|>} or a closing tag. */
    static boolean isToken(byte[] text, int at) {
        return text[at] == '<'
                        && at + 1 < text.length
                        && (text[at + 1] != '|' && isBar(text, at + 1)
                                || Ascii.startsWith(text, at, "<end_of_turn>")
                                || Ascii.startsWith(text, at, "<eos>"))
                || text[at] == '[' && Ascii.startsWith(text, at, "[/INST]");
    }

    /** Index of the token before an index; -1 if there is none. */
    private static int before(byte[] text, int end) {
        if (end == 0 || ">]`~".indexOf(text[end - 1]) < 0) {
            return -1;
        }
        int at = -1;
        for (int i = 0; i < TOKENS.size() && at < 0; i++) {
            int start = end - TOKENS.get(i).length();
            at = start >= 0 && Ascii.startsWith(text, start, TOKENS.get(i)) ? start : -1;
        }
        int tag = at < 0 ? tag(text, end) : -1;
        boolean isClosing = tag >= 0 && text[tag + 1] == '/';
        boolean isBarred = tag >= 0 && isBar(text, tag + 1) && (text[end - 2] == '|' || text[end - 2] == LAST_OF_BAR);
        if (isClosing || isBarred) {
            at = tag;
        }
        boolean needsName = isClosing || at > 0 && CspWords.isBlank(text[at - 1]);
        return needsName && !isInName(text, at) ? -1 : at;
    }

    /** Index of the angle bracket that opens a tag or token without white space; -1 without one. */
    private static int tag(byte[] text, int end) {
        int at = end - 2;
        while (at >= 0 && end - at < MAX_BYTES && "<>".indexOf(text[at]) < 0 && !Ascii.isSpace(text[at])) {
            at--;
        }
        return text[end - 1] == '>' && at >= 0 && at < end - 3 && text[at] == '<' ? at : -1;
    }

    /** Whether a bar is here, perhaps in full width as in {@code <｜end▁of▁sentence｜>}. */
    private static boolean isBar(byte[] text, int at) {
        return text[at] == '|' || Ascii.startsWith(text, at, "\u00EF\u00BD\u009C");
    }

    /** Whether an index is on the line of a key whose value is one name. */
    private static boolean isInName(byte[] text, int at) {
        return CspWords.isOneLine(text, Ascii.skipBack(text, 0, at, b -> b != '\n'));
    }

    /** What a message contains before a token that is part of it: the name of its tag, a fence or a bar. */
    private static String opening(String token) {
        boolean isWide = token.charAt(1) == '\u00EF';
        return token.charAt(1) == '|' || isWide
                ? token.substring(0, isWide ? 4 : 2)
                : token.substring(0, token.length() - 1).replace("/", "");
    }
}
