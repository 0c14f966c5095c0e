package dev.parley.demo;

import dev.parley.cli.io.Table;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Excerpt;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints paragraphs within 80 columns. Text from messages is escaped, so that it cannot control the terminal.
 *
 * @param styled whether headings are bold, by escape sequences
 */
record StoryPrinter(PrintWriter out, boolean styled) {
    static final int WIDTH = 80;
    /** Lines of what a message says: all parts together fit a screen. */
    static final int MAX_LINES = 3;

    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    /** A heading after an empty line. */
    void heading(String text) {
        out.println();
        out.println(styled ? BOLD + text + PLAIN : text);
    }

    /** A paragraph, indented by two columns and wrapped at spaces. */
    void paragraph(String text) {
        labeled("", text);
    }

    /** A label and a paragraph to its right; continuation lines are aligned with the paragraph. */
    void labeled(String label, String text) {
        labeled(label, text, Integer.MAX_VALUE);
    }

    /** A label and what a message says; an ellipsis replaces what exceeds {@value #MAX_LINES} lines. */
    void sentence(String label, String text) {
        labeled(label, text, MAX_LINES);
    }

    private void labeled(String label, String text, int maxLines) {
        String indent = " ".repeat(2 + label.length());
        int width = WIDTH - indent.length();
        List<String> lines = Table.wrapped(ControlCharacters.escape(text), width);
        if (lines.size() > maxLines) {
            lines = new ArrayList<>(lines.subList(0, maxLines));
            lines.add(Excerpt.cut(lines.remove(maxLines - 1), width - 1) + "…");
        }
        for (int i = 0; i < lines.size(); i++) {
            out.println((i == 0 ? "  " + ControlCharacters.escape(label) : indent) + lines.get(i));
        }
    }

    /** A line to copy, such as a command or an address; never wrapped or cut. */
    void verbatim(String text) {
        out.println("  " + ControlCharacters.escape(text));
    }
}
