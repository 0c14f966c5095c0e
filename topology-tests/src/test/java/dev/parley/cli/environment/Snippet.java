package dev.parley.cli.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A fenced block of a Markdown page.
 *
 * @param mark content of the HTML comment on the line before; empty if there is none
 * @param language language of the fence
 * @param text lines of the block
 */
public record Snippet(String mark, String language, String text) {

    /** The fenced blocks of a page, in order. */
    public static List<Snippet> of(Path page) throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        String before = "";
        String language = null;
        StringBuilder text = new StringBuilder();
        String mark = "";
        for (String line : Files.readAllLines(page)) {
            if (!line.startsWith("```")) {
                text.append(line).append('\n');
            } else if (language == null) {
                language = line.substring(3);
                mark = before.startsWith("<!-- ") ? before.substring(5, before.length() - 4) : "";
                text.setLength(0);
            } else {
                snippets.add(new Snippet(mark, language, text.toString()));
                language = null;
            }
            before = line;
        }
        return snippets;
    }

    /** The commands of a console block, without their outputs. */
    public List<String> commands() {
        return text.lines()
                .filter(line -> line.startsWith("$ "))
                .map(line -> line.substring(2))
                .toList();
    }

    /** The words of a command; single quotes keep spaces. */
    public static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (char c : (command + ' ').toCharArray()) {
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == ' ' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        return words;
    }
}
