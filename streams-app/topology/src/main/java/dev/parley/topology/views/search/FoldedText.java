package dev.parley.topology.views.search;

import dev.parley.encoding.CodePoints;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Arrays;
import java.util.Locale;

/**
 * A text in the form in which searches compare texts: without differences of case, accents, width, ligatures, and
 * invisible characters. It consists of runs, with one space before and after each. A run is a word of letters and
 * digits, or consists of characters of a script that writes no spaces between words, or of symbols such as emoji. So a
 * text contains a phrase if the folded text contains the folded phrase, and contains a part of a run of characters if
 * the folded text contains this part. Linear in the length of the text.
 */
final class FoldedText {
    /** Maximum characters of a base with its marks. Their normalization takes quadratic time. */
    private static final int MAX_CLUSTER = 16;

    private static final int ASCII = 0x80;
    private static final int FIRST_MARK = 0x300;

    /** Results of {@link #folded} for characters of the basic plane; null if not computed yet. */
    private static final String[] BASIC = new String[1 << Character.SIZE];

    private final StringBuilder text = new StringBuilder(" ");
    private int[] origins;
    private Kind last = Kind.SPACE;

    private enum Kind {
        SPACE,
        WORD,
        UNSPACED
    }

    /** Folds a text. */
    FoldedText(String original) {
        origins = new int[original.length() + 2];
        int end;
        for (int start = 0; start < original.length(); start = end) {
            end = clusterEnd(original, start);
            String piece = end == start + 1
                    ? basic(original.charAt(start))
                    : folded(original.substring(start, Math.min(end, start + MAX_CLUSTER)));
            for (int i = 0; i < piece.length(); i += Character.charCount(piece.codePointAt(i))) {
                add(piece.codePointAt(i), start);
            }
        }
        if (last != Kind.SPACE) {
            append(' ', original.length());
        }
    }

    /** Folds a text. */
    static String of(String original) {
        return new FoldedText(original).toString();
    }

    /** The index in the original text of a character of the folded text. */
    int origin(int index) {
        return origins[index];
    }

    @Override
    public String toString() {
        return text.toString();
    }

    private void add(int codePoint, int origin) {
        Kind kind = kind(codePoint, last);
        if (kind != last && last != Kind.SPACE) {
            append(' ', origin);
        }
        if (kind != Kind.SPACE) {
            append(codePoint, origin);
        }
        last = kind;
    }

    private void append(int codePoint, int origin) {
        int start = text.length();
        text.appendCodePoint(codePoint);
        if (text.length() > origins.length) {
            origins = Arrays.copyOf(origins, 2 * text.length());
        }
        Arrays.fill(origins, start, text.length(), origin);
    }

    /** Whether a run that begins with this character has no words. */
    static boolean isUnspaced(int first) {
        return kind(first, Kind.SPACE) == Kind.UNSPACED;
    }

    private static Kind kind(int codePoint, Kind before) {
        if (codePoint < ASCII) {
            return Character.isLetterOrDigit(codePoint) ? Kind.WORD : Kind.SPACE;
        }
        if (Character.getType(codePoint) == Character.OTHER_SYMBOL || codePoint >= 0x1F3FB && codePoint <= 0x1F3FF) {
            return Kind.UNSPACED;
        }
        boolean isNumber = Character.getType(codePoint) == Character.LETTER_NUMBER;
        if (!Character.isLetterOrDigit(codePoint) && !isNumber && !isMark(codePoint)) {
            return Kind.SPACE;
        }
        return switch (UnicodeScript.of(codePoint)) {
            case HAN, BOPOMOFO, HIRAGANA, KATAKANA, HANGUL, THAI, LAO, KHMER, MYANMAR -> Kind.UNSPACED;
            // The sign for a long vowel in Katakana, and marks, belong to what precedes them.
            case COMMON, INHERITED -> Character.isDigit(codePoint) || before == Kind.SPACE ? Kind.WORD : before;
            default -> Kind.WORD;
        };
    }

    private static boolean isMark(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    /** The end of a character and of those that may change it: marks, vowels and finals of Hangul, and voicing. */
    private static int clusterEnd(String original, int start) {
        int end = start + Character.charCount(original.codePointAt(start));
        while (end < original.length() && original.charAt(end) >= FIRST_MARK) {
            int next = original.codePointAt(end);
            if (!isMark(next) && !(next >= 0x1160 && next <= 0x11FF) && next != 0xFF9E && next != 0xFF9F) {
                return end;
            }
            end += Character.charCount(next);
        }
        return end;
    }

    private static String basic(char c) {
        String known = BASIC[c];
        if (known == null) {
            known = folded(Character.toString(c));
            // A race computes the same string.
            BASIC[c] = known;
        }
        return known;
    }

    private static String folded(String cluster) {
        StringBuilder kept = new StringBuilder();
        UnicodeScript base = UnicodeScript.COMMON;
        String parts = Normalizer.normalize(cluster, Form.NFKD);
        int codePoint;
        for (int i = 0; i < parts.length(); i += Character.charCount(codePoint)) {
            codePoint = parts.codePointAt(i);
            base = isMark(codePoint) ? base : UnicodeScript.of(codePoint);
            if (!isIgnored(codePoint, base)) {
                kept.appendCodePoint(codePoint);
            }
        }
        // The upper case of a sharp s, of a final sigma and of a dotless i is that of their variants.
        String folded = kept.toString().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        return switch (folded) {
            case "ł" -> "l";
            case "ø" -> "o";
            case "đ" -> "d";
            case "ħ" -> "h";
            case "æ" -> "ae";
            case "œ" -> "oe";
            default -> Normalizer.normalize(folded, Form.NFC);
        };
    }

    /** Whether the marks of a script are accents. Those of other scripts are vowels, or change a sound. */
    private static boolean hasAccents(UnicodeScript script) {
        return switch (script) {
            case LATIN, GREEK, CYRILLIC, ARABIC, HEBREW, COMMON -> true;
            default -> false;
        };
    }

    private static boolean isIgnored(int codePoint, UnicodeScript base) {
        return switch (Character.getType(codePoint)) {
            case Character.FORMAT -> true;
            case Character.NON_SPACING_MARK ->
                hasAccents(base)
                        || codePoint >= 0xFE00 && codePoint <= 0xFE0F
                        || codePoint >= 0xE0100 && codePoint <= 0xE01EF;
            case Character.OTHER_LETTER, Character.OTHER_SYMBOL -> !CodePoints.isVisible(codePoint);
            default -> false;
        };
    }
}
