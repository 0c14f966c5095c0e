package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the width of comments and prose, which the formatter does not wrap. */
class LineWidthTest {
    private static final int MAX_WIDTH = 120;
    private static final Pattern COMMENT = Pattern.compile("^\\s*(?://|/?\\*|<!--).*");

    /** Tables, a command in code style, and lines that a long link makes wide. */
    private static final Pattern UNWRAPPED = Pattern.compile("\\s*\\|.*|.*\\S{80}.*|\\s*`[^`]*`\\S?");

    @Test
    void noCommentOrLineOfProseIsWide() {
        List<String> wide = new ArrayList<>();
        for (Path file : SourceTree.files(".java", ".js", ".mjs", ".avdl", "pom.xml", ".md")) {
            wide(SourceTree.read(file), file.toString().endsWith(".md"))
                    .forEach(number -> wide.add(file + ":" + number));
        }
        assertThat(wide).as("lines of more than %d characters", MAX_WIDTH).isEmpty();
    }

    @Test
    void codeTablesAndLinksMayBeWide() {
        String word = "word ".repeat(30);
        String link = "https://example.com/" + "x".repeat(120);
        assertThat(wide("| " + word + "|\n```\n" + word + "\n```\n" + word + "\n[a](" + link + ")", true))
                .containsExactly(5);
        assertThat(wide("int x = \"" + word + "\";\n // " + word + "\n * " + word + "\n * " + link, false))
                .containsExactly(2, 3);
    }

    /** Numbers of wide lines: of comments, or of prose in Markdown. */
    private static List<Integer> wide(String text, boolean isMarkdown) {
        List<Integer> wide = new ArrayList<>();
        boolean isFenced = false;
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            isFenced ^= isMarkdown && line.strip().startsWith("```");
            boolean isChecked = isMarkdown ? !isFenced : COMMENT.matcher(line).matches();
            if (isChecked
                    && line.length() > MAX_WIDTH
                    && !UNWRAPPED.matcher(line).matches()) {
                wide.add(number);
            }
        }
        return wide;
    }
}
