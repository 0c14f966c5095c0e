package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The generated pages of docs/, compared with what stands there, or, with {@code -Ddocs.write=true}, written there. */
final class Pages {
    private static final Path DOCS = Path.of("..", "docs");

    private Pages() {}

    static void check(String name, String page) {
        Path file = DOCS.resolve(name);
        try {
            if (Boolean.getBoolean("docs.write")) {
                Files.writeString(file, page);
            }
            assertThat(Files.readString(file))
                    .as(
                            "docs/%s is out of date; run: mvn -pl streams-app -am test"
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

    /** Text as it stands in a cell of a Markdown table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
    }
}
