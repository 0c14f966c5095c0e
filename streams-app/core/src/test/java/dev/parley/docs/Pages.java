package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The generated pages of docs/, compared with what stands there, or, with {@code -Ddocs.write=true}, written there. */
final class Pages {
    private static final Path DOCS = Path.of("docs");
    private static final int WIDTH = 120;
    private static final Pattern WORD = Pattern.compile("(?:`[^`]+`|\\[[^]]*]\\([^)]*\\)|\\S)+");

    private Pages() {}

    /** Checks the Mermaid diagram after the comment {@code <!-- diagram: NAME -->} of a page. */
    static void checkBlock(String name, String diagram, String source) {
        try {
            String page = Files.readString(DOCS.resolve(name));
            String begin = "<!-- diagram: " + diagram + " -->\n";
            int start = page.indexOf(begin) + begin.length();
            int end = page.indexOf("<!-- end -->", start);
            assertThat(start).as("%s has no comment %s", name, begin).isGreaterThanOrEqualTo(begin.length());
            assertThat(end)
                    .as("%s has no comment <!-- end --> after %s", name, begin)
                    .isPositive();
            check(name, page.substring(0, start) + "```mermaid\n" + source + "```\n" + page.substring(end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void check(String name, String page) {
        Path file = DOCS.resolve(name);
        try {
            if (Boolean.getBoolean("docs.write")) {
                Files.writeString(file, page);
            }
            assertThat(Files.readString(file))
                    .as(
                            "docs/%s is out of date; run: mvn -pl streams-app/cli -am test"
                                    + " -Dtest='*PageTest' -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true",
                            name)
                    .isEqualTo(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The anchor that GitHub gives a heading. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    /** Wraps a paragraph at 120 columns, but not inside a code span or a link. */
    static String wrap(String paragraph) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (MatchResult word : WORD.matcher(paragraph).results().toList()) {
            int length = word.group().length();
            if (column > 0) {
                boolean fits = column + 1 + length <= WIDTH;
                wrapped.append(fits ? ' ' : '\n');
                column = fits ? column + 1 : 0;
            }
            wrapped.append(word.group());
            column += length;
        }
        return wrapped.toString();
    }

    /** Text as it stands in a cell of a Markdown table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
    }
}
