package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StoryPrinterTest {
    private final StringWriter printed = new StringWriter();
    private final StoryPrinter page = new StoryPrinter(new PrintWriter(printed, true), false);

    @Test
    void linesAreWrappedAtSpacesAndLongWordsAreDivided() {
        page.labeled("Label  ", "word ".repeat(40) + "x".repeat(200));

        assertThat(printed.toString().lines())
                .hasSizeGreaterThan(4)
                .allMatch(line -> line.length() <= StoryPrinter.WIDTH)
                .allMatch(line -> line.startsWith("  Label  word") || line.startsWith("         "));
        assertThat(printed.toString().replaceAll("\\s", "")).isEqualTo("Label" + "word".repeat(40) + "x".repeat(200));
    }

    @Test
    void aSentenceIsWrappedAndEndsWithAnEllipsisAfterThreeLines() {
        page.sentence("a ", "y".repeat(100));
        page.sentence("b ", "y ".repeat(150));

        assertThat(printed.toString().lines())
                .containsExactly(
                        "  a " + "y".repeat(76),
                        "    " + "y".repeat(24),
                        "  b " + "y ".repeat(38).strip(),
                        "    " + "y ".repeat(38).strip(),
                        "    " + "y ".repeat(38).strip() + "…");
    }

    @Test
    void messagesCannotControlTheTerminalOrForgeLines() {
        page.sentence("", "\u001b[2J\nforged");
        page.labeled("", "\u001b[2J\rforged");
        page.verbatim("\u0007\nforged");

        assertThat(printed.toString().lines()).hasSize(3);
        assertThat(printed.toString()).doesNotContain("\u001b", "\r", "\u0007");
    }

    @Test
    void headingsHaveEscapeSequencesOnlyWhereStyled() {
        page.heading("plain");
        new StoryPrinter(new PrintWriter(printed, true), true).heading("bold");

        assertThat(printed.toString()).isEqualTo("\nplain\n\n\u001b[1mbold\u001b[0m\n");
    }
}
