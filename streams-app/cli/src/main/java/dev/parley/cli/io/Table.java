package dev.parley.cli.io;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.logging.ControlCharacters;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jline.utils.WCWidth;

/**
 * Prints objects as rows of a table that fits the terminal. Long cells wrap; nothing is cut off. The first rows
 * decide the widths of the columns. Escapes control characters.
 */
public final class Table<T> {
    private static final String GAP = "  ";
    private static final int MIN_COLUMN = 4;
    /** Longer words may be broken before a column without them gives way. */
    private static final int MAX_WORD = 24;

    /** Characters after which a long word may be broken. */
    private static final String BREAKS = "/,;|-_";

    private static final int MAX_BUFFERED = 500;
    private static final String BOLD = "\u001b[1m";
    private static final String RESET = "\u001b[0m";
    private final PrintWriter out;
    private final int width;
    private final boolean colored;
    private final List<Column<T>> columns;
    private final List<List<List<String>>> rows = new ArrayList<>();
    private int[] widths;

    /**
     * A column.
     *
     * @param cell returns the paragraphs of the cell for an object
     */
    public record Column<T>(String header, Function<T, List<String>> cell) {

        /** A column of one value; null or a blank text is an empty cell. */
        public static <T> Column<T> of(String header, Function<T, ?> text) {
            return new Column<>(header, object -> {
                Object shown = text.apply(object);
                return shown == null || shown.toString().isBlank() ? List.of() : List.of(shown.toString());
            });
        }

        /** The text of a value; empty for null. */
        public static String text(JsonNode value) {
            if (value.isMissingNode() || value.isNull()) {
                return "";
            }
            return value.isContainerNode() ? value.toString() : value.asText();
        }
    }

    /**
     * An empty table.
     *
     * @param width columns of the terminal
     * @param colored whether headings may be bold
     */
    public Table(PrintWriter out, int width, boolean colored, List<Column<T>> columns) {
        this.out = out;
        this.width = width;
        this.colored = colored;
        this.columns = List.copyOf(columns);
    }

    public void add(T object) {
        rows.add(columns.stream()
                .map(column -> column.cell().apply(object).stream()
                        .map(ControlCharacters::escape)
                        .toList())
                .toList());
        if (rows.size() == MAX_BUFFERED) {
            flush();
        }
    }

    /** Prints the rows that were added since the last call, the heading before the first of them. */
    public void flush() {
        if (!rows.isEmpty() && widths == null) {
            widths = widths();
            String heading = line(columns.stream().map(Column::header).toList());
            out.println(colored ? BOLD + heading + RESET : heading);
        }
        rows.forEach(this::print);
        rows.clear();
        out.flush();
    }

    /** As wide as the content; if that is too wide, the widest columns give way, those without long words first. */
    private int[] widths() {
        int[] fitting = new int[columns.size()];
        for (int i = 0; i < fitting.length; i++) {
            int column = i;
            fitting[i] = Math.max(
                    displayWidth(columns.get(i).header()),
                    rows.stream()
                            .flatMap(row -> row.get(column).stream())
                            .mapToInt(Table::displayWidth)
                            .max()
                            .orElse(0));
        }
        int excess = Arrays.stream(fitting).sum() + GAP.length() * (fitting.length - 1) - width;
        int[] longestWords = new int[fitting.length];
        Arrays.setAll(longestWords, this::longestWord);
        excess = shrink(fitting, longestWords, excess);
        shrink(fitting, new int[fitting.length], excess);
        return fitting;
    }

    /** The width of the longest word in a column, at most {@link #MAX_WORD}. */
    private int longestWord(int column) {
        return rows.stream()
                .flatMap(row -> row.get(column).stream())
                .flatMap(paragraph -> Arrays.stream(paragraph.split(" ")))
                .mapToInt(Table::displayWidth)
                .filter(word -> word <= MAX_WORD)
                .max()
                .orElse(0);
    }

    /** Takes columns from the widest that is above its minimum, one by one; returns the excess that remains. */
    private static int shrink(int[] widths, int[] minimums, int excess) {
        int remaining = excess;
        while (remaining > 0) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                boolean canShrink = widths[i] > Math.max(MIN_COLUMN, minimums[i]);
                widest = canShrink && (widest < 0 || widths[i] > widths[widest]) ? i : widest;
            }
            if (widest < 0) {
                break;
            }
            widths[widest]--;
            remaining--;
        }
        return remaining;
    }

    private void print(List<List<String>> row) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            List<String> lines = new ArrayList<>();
            for (String paragraph : row.get(i)) {
                lines.addAll(wrapped(paragraph, widths[i]));
            }
            cells.add(lines);
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        for (int line = 0; line < Math.max(1, height); line++) {
            int number = line;
            out.println(line(cells.stream()
                    .map(lines -> number < lines.size() ? lines.get(number) : "")
                    .toList()));
        }
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        int column = 0;
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            if (!cell.isEmpty()) {
                line.append(" ".repeat(Math.max(0, start(i) - column))).append(cell);
                column = start(i) + displayWidth(cell);
            }
        }
        return line.toString();
    }

    private int start(int column) {
        int start = 0;
        for (int i = 0; i < column; i++) {
            start += widths[i] + GAP.length();
        }
        return start;
    }

    /** Breaks a text into lines of at most so many columns, between words where possible. */
    public static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int end = from;
            int stop = -1;
            int used = 0;
            while (end < text.length()) {
                int point = text.codePointAt(end);
                int next = used + displayWidth(point);
                if (next > width && end > from) {
                    break;
                }
                if (point == ' ') {
                    stop = end;
                }
                used = next;
                end += Character.charCount(point);
                if (used > width / 2 && BREAKS.indexOf(point) >= 0) {
                    stop = end;
                }
            }
            if (end < text.length() && text.charAt(end) != ' ' && stop > from) {
                end = stop;
            }
            lines.add(text.substring(from, end).stripTrailing());
            from = end;
            while (from < text.length() && text.charAt(from) == ' ') {
                from++;
            }
        }
        return lines;
    }

    /** Columns that a terminal needs for a text. */
    public static int displayWidth(String text) {
        return text.codePoints().map(Table::displayWidth).sum();
    }

    private static int displayWidth(int point) {
        return Math.max(0, WCWidth.wcwidth(point));
    }
}
