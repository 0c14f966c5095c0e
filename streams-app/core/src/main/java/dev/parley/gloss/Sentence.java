package dev.parley.gloss;

import dev.parley.encoding.CodePoints;
import java.util.Collection;
import java.util.Locale;

/**
 * A sentence under construction: one line of at most {@link #MAX_CODE_POINTS} code points. Escapes hidden characters
 * ({@link CodePoints#isHidden}), and cuts the rest with an ellipsis. Its cost is bounded by the length of the sentence,
 * not by that of the texts. For one thread.
 */
public final class Sentence {
    /** Maximum length of a gloss in code points, including the ellipsis of a cut one. */
    public static final int MAX_CODE_POINTS = 300;

    /** Maximum length of one value in code points, so that a long one does not hide those after it. */
    public static final int MAX_VALUE_CODE_POINTS = 120;

    /** Maximum number of values of a list. */
    public static final int MAX_VALUES = 5;

    private static final char ELLIPSIS = '…';

    private final StringBuilder text = new StringBuilder(MAX_CODE_POINTS);
    private int codePoints;
    private int beforeLast;

    public Sentence() {}

    /** Appends a text up to the bound of the sentence. */
    public Sentence add(String added) {
        for (int at = 0; at < added.length() && !isFull(); ) {
            int end = added.offsetByCodePoints(at, 1);
            if (CodePoints.isHidden(added, at)) {
                added.substring(at, end).chars().forEach(unit -> escape((char) unit));
            } else {
                append(added.codePointAt(at));
            }
            at = end;
        }
        return this;
    }

    /** Appends a value from a message, cut to {@link #MAX_VALUE_CODE_POINTS}; nothing for null. */
    public Sentence value(String value) {
        if (value == null) {
            return this;
        }
        int end = endOfValue(value);
        add(end == value.length() ? value : value.substring(0, end));
        if (end < value.length()) {
            append(ELLIPSIS);
        }
        return this;
    }

    /** Index after the part of a value that is shown. */
    static int endOfValue(String value) {
        int at = 0;
        for (int count = 0; at < value.length() && count < MAX_VALUE_CODE_POINTS; count++) {
            at += Character.charCount(value.codePointAt(at));
        }
        return at;
    }

    /** Appends up to {@link #MAX_VALUES} values, separated by commas and a final "and". */
    public Sentence values(Collection<String> values) {
        int shown = values.size() > MAX_VALUES ? MAX_VALUES - 1 : values.size();
        int count = 0;
        for (String value : values) {
            if (count == shown || isFull()) {
                break;
            }
            add(count == 0 ? "" : count == values.size() - 1 ? " and " : ", ").value(value);
            count++;
        }
        return shown < values.size() ? add(" and " + (values.size() - shown) + " more") : this;
    }

    /** Whether more text would be cut. */
    public boolean isFull() {
        return codePoints > MAX_CODE_POINTS;
    }

    /** Whether nothing was appended. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** The last character; a space before the first. */
    char last() {
        return text.isEmpty() ? ' ' : text.charAt(text.length() - 1);
    }

    /** The sentence; "A message" if nothing was appended. */
    @Override
    public String toString() {
        if (text.isEmpty()) {
            return "A message";
        }
        return isFull() ? text.substring(0, beforeLast) + ELLIPSIS : text.toString();
    }

    private void escape(char unit) {
        String escaped = switch (unit) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, "\\u%04x", (int) unit);
        };
        for (int i = 0; i < escaped.length(); i++) {
            append(escaped.charAt(i));
        }
    }

    private void append(int codePoint) {
        if (isFull()) {
            return;
        }
        codePoints++;
        if (codePoints == MAX_CODE_POINTS) {
            beforeLast = text.length();
        }
        text.appendCodePoint(codePoint);
    }
}
