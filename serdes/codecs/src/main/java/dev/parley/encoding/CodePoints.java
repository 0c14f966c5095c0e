package dev.parley.encoding;

import java.util.List;

/** Properties of Unicode characters that the rules of Parley use. */
public final class CodePoints {

    /** Letters, marks and symbols without a glyph, such as fillers of Hangul and the empty Braille pattern. */
    private static final String BLANKS =
            "\u034F\u115F\u1160\u17B4\u17B5\u180B\u180C\u180D\u180F\u2065\u2800\u3164\uFFA0";

    /** Pictographs of Unicode's basic plane outside the block of symbols from U+2600 to U+27BF. */
    private static final String PICTOGRAPHS = "\u00A9\u00AE\u203C\u2049\u2122\u2139\u2194\u2195\u2196\u2197\u2198\u2199"
            + "\u21A9\u21AA\u231A\u231B\u2328\u23CF\u23E9\u23EA\u23EB\u23EC\u23ED\u23EE\u23EF\u23F0\u23F1\u23F2\u23F3\u23F8"
            + "\u23F9\u23FA\u24C2\u25AA\u25AB\u25B6\u25C0\u25FB\u25FC\u25FD\u25FE\u2934\u2935\u2B05\u2B06\u2B07\u2B1B\u2B1C"
            + "\u2B50\u2B55\u3030\u303D\u3297\u3299";

    /** Flags of England, Scotland and Wales: a black flag, and the name of the region in tags. */
    private static final List<String> FLAGS = List.of(
            "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC62\uDB40\uDC65\uDB40\uDC6E\uDB40\uDC67\uDB40\uDC7F",
            "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC62\uDB40\uDC73\uDB40\uDC63\uDB40\uDC74\uDB40\uDC7F",
            "\uD83C\uDFF4\uDB40\uDC67\uDB40\uDC62\uDB40\uDC77\uDB40\uDC6C\uDB40\uDC73\uDB40\uDC7F");

    private CodePoints() {}

    /**
     * Whether a character has a glyph of its own: it is no white space, hidden character, combining mark, or unpaired
     * surrogate.
     */
    public static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.SPACE_SEPARATOR, Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> false;
            default -> !isHidden(codePoint);
        };
    }

    /**
     * Whether the character at an index of a text must be marked where people read the text. It shows nothing, or
     * changes its surroundings: a control or format character, a line separator, an unpaired surrogate, or any other
     * that is ignorable by default, blank, or of private use. A narrow space beyond ASCII is hidden at the edge of
     * the text, or next to another space. The joiners, selectors and tags of an emoji are not hidden.
     */
    public static boolean isHidden(String text, int at) {
        int codePoint = text.codePointAt(at);
        if (codePoint <= '~') {
            return codePoint < ' ';
        }
        return isNarrowSpace(codePoint)
                ? isSpace(text, at - 1) || isSpace(text, at + 1)
                : isHidden(codePoint) && !isInEmoji(text, at);
    }

    /** Whether it is a space that is not as wide as an ideograph, which indents paragraphs. */
    private static boolean isNarrowSpace(int codePoint) {
        return Character.getType(codePoint) == Character.SPACE_SEPARATOR && codePoint != 0x3000;
    }

    /** Whether an index is outside a text, or has a space. */
    private static boolean isSpace(String text, int at) {
        return at < 0
                || at == text.length()
                || Character.isSpaceChar(text.charAt(at))
                || Character.isWhitespace(text.charAt(at));
    }

    private static boolean isHidden(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE -> true;
            default ->
                BLANKS.indexOf(codePoint) >= 0
                        || codePoint >= 0xFE00 && codePoint <= 0xFE0F
                        || codePoint >= 0xFFF0 && codePoint <= 0xFFF8
                        || codePoint >= 0xE0000 && codePoint <= 0xE0FFF;
        };
    }

    /** Whether a hidden character is part of an emoji, such as an astronaut: a person, a joiner and a rocket. */
    private static boolean isInEmoji(String text, int at) {
        int before = at == 0 ? ' ' : text.codePointBefore(at);
        int next = at + 1 < text.length() ? text.codePointAt(at + 1) : ' ';
        return switch (text.codePointAt(at)) {
            case 0xFE0E, 0xFE0F -> isPictograph(before) || next == '\u20E3' && "0123456789#*".indexOf(before) >= 0;
            case 0x200D -> (isPictograph(before) || before == 0xFE0F) && isPictograph(next);
            default -> isInFlag(text, at);
        };
    }

    private static boolean isPictograph(int codePoint) {
        return codePoint >= 0x1F000 && codePoint <= 0x1FAFF
                || codePoint >= 0x2600 && codePoint <= 0x27BF
                || PICTOGRAPHS.indexOf(codePoint) >= 0;
    }

    private static boolean isInFlag(String text, int at) {
        for (String flag : FLAGS) {
            for (int from = at - 2; from > at - flag.length(); from -= 2) {
                if (text.startsWith(flag, from)) {
                    return true;
                }
            }
        }
        return false;
    }
}
