package dev.parley.codec;

/** What of a message or its headers stands in sentences for people: short, and on one line. */
public final class Excerpt {
    private static final int MOST_CHARACTERS = 100;
    /** Maximum length of a detail, in characters. */
    public static final int MAX_DETAIL_CHARACTERS = 1_000;

    private static final String HEX = "0123456789ABCDEF";

    private Excerpt() {}

    /** A text as it can stand in a sentence: {@link #of(String, int)} with at most 100 of its characters. */
    public static String of(String text) {
        return of(text, MOST_CHARACTERS);
    }

    /** A detail of at most {@value #MAX_DETAIL_CHARACTERS} characters on one line: details are stored in records and sent in headers. Null stays null. */
    public static String detail(String sentence) {
        return sentence == null ? null : of(sentence, MAX_DETAIL_CHARACTERS);
    }

    /**
     * A text as it can stand on a line.
     *
     * @param text any text; most are their own excerpt
     * @param most how many of its characters; "…" stands for what is left out
     * @return the text with its control characters as escapes of the form {@code \}{@code u000A}
     */
    public static String of(String text, int most) {
        int end = Math.min(text.length(), most);
        if (end == text.length() && !hasControl(text)) {
            return text;
        }
        if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder excerpt = new StringBuilder(end + 8);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                // All of them are below 0x100.
                excerpt.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                excerpt.append(c);
            }
        }
        return end < text.length() ? excerpt.append('…').toString() : excerpt.toString();
    }

    private static boolean hasControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
