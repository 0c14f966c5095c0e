package dev.parley.encoding;

/** Properties of Unicode characters that the rules of Parley use. */
public final class CodePoints {

    /** Letters and symbols without a glyph: fillers of Hangul syllables, and the empty Braille pattern. */
    private static final String BLANKS = "\u115F\u1160\u2800\u3164\uFFA0";

    private CodePoints() {}

    /**
     * Whether a character has a glyph of its own: it is no white space, control or format character, combining mark, or
     * unpaired surrogate.
     */
    public static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.SURROGATE -> false;
            default -> BLANKS.indexOf(codePoint) < 0;
        };
    }
}
