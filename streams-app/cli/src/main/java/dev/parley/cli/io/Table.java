package dev.parley.cli.io;

import dev.parley.codec.ControlCharacters;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringTokenizer;
import java.util.function.Function;
import org.jline.utils.WCWidth;

/**
 * Prints objects as rows of a table that fits the terminal. Long cells wrap between words, and columns without room
 * continue on an indented line. Nothing is cut off, and only a long word is broken. The first rows decide the widths of
 * the columns. Escapes hidden characters.
 */
public final class Table<T> {
    private static final String GAP = "  ";
    private static final String INDENT = "  ";
    /** Minimum width of a column that has more. */
    private static final int MIN_TEXT = 8;

    /** Minimum width of a column with a sentence. */
    private static final int MIN_SENTENCE = 24;

    /** Maximum width of a word that stays whole, such as the ID of a dead letter. */
    private static final int MAX_WORD = 32;

    /** Characters after which a long word is broken, if it has one. */
    private static final String BREAKS = "/,;|-_";

    private static final int MAX_BUFFERED = 500;
    private static final String BOLD = "\u001b[1m";
    private static final String RESET = "\u001b[0m";
    private final PrintWriter out;
    private final int width;
    private final boolean colored;
    private final List<Column<T>> columns;
    private final List<List<List<String>>> rows = new ArrayList<>();
    private final List<Columns> lines = new ArrayList<>();
    private int[] widths;

    /** The columns of a line of the terminal: from one up to, but without, another. */
    private record Columns(int from, int to) {}

    /**
     * A column.
     *
     * @param cell returns the paragraphs of the cell for an object
     */
    public record Column<T>(String header, Function<T, List<String>> cell) {

        /** A column of one value; null or a text of spaces is an empty cell. */
        public static <T> Column<T> of(String header, Function<T, ?> text) {
            return new Column<>(header, object -> {
                Object shown = text.apply(object);
                return shown == null || shown.toString().trim().isEmpty() ? List.of() : List.of(shown.toString());
            });
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
            layOut();
            for (Columns line : lines) {
                String heading = line(
                        line.from(),
                        columns.subList(line.from(), line.to()).stream()
                                .map(Column::header)
                                .toList());
                out.println(colored ? BOLD + heading + RESET : heading);
            }
        }
        rows.forEach(this::print);
        rows.clear();
        out.flush();
    }

    /**
     * Decides the lines and widths of the columns. A column is as wide as its content, or gives way down to its longest
     * word and a readable sentence. Columns that do not fit next to the earlier ones continue on a further, indented
     * line.
     */
    private void layOut() {
        widths = new int[columns.size()];
        int[] minimums = new int[widths.length];
        for (int i = 0; i < widths.length; i++) {
            int header = displayWidth(columns.get(i).header());
            int word = header;
            widths[i] = header;
            for (List<List<String>> row : rows) {
                for (String paragraph : row.get(i)) {
                    widths[i] = Math.max(widths[i], displayWidth(paragraph));
                    word = Math.max(word, minimum(paragraph));
                }
            }
            minimums[i] = Math.min(Math.max(word, Math.min(widths[i], MIN_TEXT)), width - INDENT.length());
        }
        for (int from = 0; from < widths.length; ) {
            int room = width - indent(from);
            int used = minimums[from];
            int to = from + 1;
            while (to < widths.length && used + GAP.length() + minimums[to] <= room) {
                used += GAP.length() + minimums[to++];
            }
            shrink(minimums, from, to, room);
            lines.add(new Columns(from, to));
            from = to;
        }
    }

    /** Minimum width in which a paragraph is readable. */
    private static int minimum(String paragraph) {
        int word = longest(paragraph, " ");
        boolean isSentence = paragraph.indexOf(' ') >= 0 && displayWidth(paragraph) > MIN_SENTENCE;
        // A word that is too long is broken, where it can be.
        int whole = word <= MAX_WORD ? word : Math.min(longest(paragraph, " " + BREAKS) + 1, MAX_WORD);
        return Math.max(whole, isSentence ? MIN_SENTENCE : 0);
    }

    /** Width of the longest part of a text between delimiters. */
    private static int longest(String text, String delimiters) {
        return Collections.list(new StringTokenizer(text, delimiters)).stream()
                .mapToInt(part -> displayWidth((String) part))
                .max()
                .orElse(0);
    }

    private static int indent(int from) {
        return from == 0 ? 0 : INDENT.length();
    }

    /** Narrows the columns of a line until it fits, the widest that is above its minimum first. */
    private void shrink(int[] minimums, int from, int to, int room) {
        int excess = GAP.length() * (to - from - 1) - room;
        for (int i = from; i < to; i++) {
            excess += widths[i];
        }
        for (; excess > 0; excess--) {
            int widest = -1;
            for (int i = from; i < to; i++) {
                if (widths[i] > minimums[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            widths[widest]--;
        }
    }

    private void print(List<List<String>> row) {
        for (Columns line : lines) {
            List<List<String>> cells = new ArrayList<>();
            int height = line.from() == 0 ? 1 : 0;
            for (int i = line.from(); i < line.to(); i++) {
                List<String> cell = new ArrayList<>();
                for (String paragraph : row.get(i)) {
                    // Only later rows have words that are wider than the column.
                    cell.addAll(wrapped(
                            paragraph, Math.max(widths[i], Math.min(minimum(paragraph), width - INDENT.length()))));
                }
                cells.add(cell);
                height = Math.max(height, cell.size());
            }
            for (int number = 0; number < height; number++) {
                int at = number;
                out.println(line(
                        line.from(),
                        cells.stream()
                                .map(cell -> at < cell.size() ? cell.get(at) : "")
                                .toList()));
            }
        }
    }

    /** A line of the terminal with the cells of the columns from one on. */
    private String line(int from, List<String> cells) {
        StringBuilder line = new StringBuilder();
        int start = indent(from);
        int used = 0;
        for (int i = 0; i < cells.size(); i++) {
            if (!cells.get(i).isEmpty()) {
                int gap = Math.max(start - used, i == 0 ? 0 : GAP.length());
                line.append(" ".repeat(gap)).append(cells.get(i));
                used += gap + displayWidth(cells.get(i));
            }
            start += widths[from + i] + GAP.length();
        }
        return line.toString();
    }

    /** Breaks a text into lines of at most the given columns, at least one, between words where possible. */
    public static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        do {
            int end = from;
            int space = -1;
            int mark = -1;
            int used = 0;
            while (end < text.length()) {
                int point = text.codePointAt(end);
                int next = used + displayWidth(point);
                if (next > width && end > from) {
                    break;
                }
                if (point == ' ') {
                    space = end;
                }
                used = next;
                end += Character.charCount(point);
                if (BREAKS.indexOf(point) >= 0) {
                    mark = end;
                }
            }
            if (end < text.length() && text.charAt(end) != ' ') {
                end = space > from ? space : mark > from ? mark : end;
            }
            lines.add(text.substring(from, end).stripTrailing());
            from = end;
            while (from < text.length() && text.charAt(from) == ' ') {
                from++;
            }
        } while (from < text.length());
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
