package dev.parley.load;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tables in Markdown. */
public final class Markdown {
    private Markdown() {}

    /** Returns a row of a table: its cells, each a text or a whole number. */
    public static String row(Object... cells) {
        return Stream.of(cells).map(Markdown::cell).collect(Collectors.joining(" |", "|", " |\n"));
    }

    private static String cell(Object cell) {
        boolean whole = cell instanceof Long || cell instanceof Integer;
        String text = whole ? String.format(Locale.ROOT, "%,d", ((Number) cell).longValue()) : cell.toString();
        return text.isEmpty() ? "" : " " + text;
    }

    /** Returns a fraction as a cell. */
    public static String cell(double number, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", number);
    }

    /** Returns the head of a table. */
    public static String head(Object... cells) {
        return row(cells) + "|" + "---|".repeat(cells.length) + "\n";
    }
}
