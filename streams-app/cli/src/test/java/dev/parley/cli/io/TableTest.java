package dev.parley.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables for a person. */
class TableTest {
    private static final List<Table.Column<JsonNode>> COLUMNS = List.of(
            Table.Column.of("NAME", row -> row.path("name").asText()),
            Table.Column.of("VALUE", row -> row.path("value").asText()));

    @Test
    void columnsAreAsWideAsTheirContent() {
        assertThat(print(80, row("a", "1"), row("longer", "2"))).isEqualTo("""
            NAME    VALUE
            a       1
            longer  2
            """);
    }

    @Test
    void aLongCellWrapsBetweenWordsAndLosesNothing() {
        assertThat(print(20, row("a", "one two three four"))).isEqualTo("""
            NAME  VALUE
            a     one two three
                  four
            """);
    }

    @Test
    void aWordStaysWholeWhileAnotherColumnCanWrapBetweenWords() {
        assertThat(print(30, row("2026-11-23T00:30:32Z", "to C2 (P2)"))).isEqualTo("""
            NAME                  VALUE
            2026-11-23T00:30:32Z  to C2
                                  (P2)
            """);
    }

    @Test
    void columnsWithoutRoomContinueOnAnIndentedLine() {
        assertThat(print(40, row("parley.dlq.judge.v1/1/29", "parley.wire-1@221 was judged"), row("short", "")))
                .isEqualTo("""
            NAME
              VALUE
            parley.dlq.judge.v1/1/29
              parley.wire-1@221 was judged
            short
            """);
    }

    @Test
    void onlyTheCellOfALongValueWraps() {
        assertThat(print(60, row("conversation-of-one-team-" + "x".repeat(30), "REJECTED"), row("c1", "ACCEPTED")))
                .isEqualTo("""
            NAME                                                VALUE
            conversation-of-one-team-                           REJECTED
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            c1                                                  ACCEPTED
            """);
    }

    @Test
    void aLongValueThatCanBreakMovesNoColumnToAnotherLine() {
        assertThat(print(
                        50,
                        row(
                                "lib/session.ts:9;src/routes/orders.ts:31;src/routes/admin.ts:18",
                                "inline session checks removed; 212 tests"),
                        row("lib/", "none")))
                .isEqualTo("""
            NAME                      VALUE
            lib/session.ts:9;src/     inline session checks
            routes/orders.ts:31;src/  removed; 212 tests
            routes/admin.ts:18
            lib/                      none
            """);
    }

    @Test
    void aSentenceKeepsAReadableWidth() {
        assertThat(print(40, row("CSP_UNEXPECTED_CONTENT", "The block has a line that belongs to none.")))
                .isEqualTo("""
            NAME
              VALUE
            CSP_UNEXPECTED_CONTENT
              The block has a line that belongs to
              none.
            """);
    }

    @Test
    void aCodeThatIsTooLongBreaksBetweenItsWords() {
        assertThat(Table.wrapped("CSP_UNEXPECTED_CONTENT", 9)).containsExactly("CSP_", "UNEXPECTE", "D_CONTENT");
        assertThat(Table.wrapped("CSP_UNEXPECTED_CONTENT", 12)).containsExactly("CSP_", "UNEXPECTED_", "CONTENT");
    }

    /** IDs are copied into the next command. */
    @ParameterizedTest
    @ValueSource(ints = {80, 100})
    void everyWordIsWholeAndColumnsHaveASpaceBetweenThem(int width) {
        List<String> cells = List.of(
                "parley.dlq.judge.v1/1/29",
                "SLIP_PROPOSE_AFTER_ACCEPT",
                "2026-11-26T10:18:54.810Z",
                "planning-of-the-release",
                "PLANNER",
                "Turn T1 is lower than the last turn TF (15) at parley.wire-1@221, see docs/protocols.md.");
        StringWriter out = new StringWriter();
        List<Table.Column<List<String>>> columns = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            int column = i;
            columns.add(Table.Column.of("HEADING" + i, row -> row.get(column)));
        }
        Table<List<String>> table = new Table<>(new PrintWriter(out), width, false, columns);
        table.add(cells);
        table.flush();

        List<String> words = List.of(out.toString().strip().split("\\s+", -1));
        for (int i = 0; i < cells.size(); i++) {
            assertThat(words).contains("HEADING" + i).contains(cells.get(i).split(" ", -1));
        }
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= width);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 120})
    void noLineIsWiderThanTheTerminal(int width) {
        String printed = print(width, row("n".repeat(100), "v/".repeat(200)), row("会話".repeat(40), "x y ".repeat(90)));

        assertThat(printed.lines()).allMatch(line -> Table.displayWidth(line) <= width);
        assertThat(printed.chars().filter(c -> c == 'n')).hasSize(100);
        assertThat(printed.chars().filter(c -> c == 'v')).hasSize(200);
    }

    @Test
    void wideAndCombiningCharactersKeepTheAlignment() {
        assertThat(print(80, row("会話", "1"), row("e\u0301", "2"), row("abcd", "3")))
                .isEqualTo("NAME  VALUE\n会話  1\ne\u0301     2\nabcd  3\n");
    }

    @ParameterizedTest
    @CsvSource({"a,1", "会,2", "ｱ,1", "Ａ,2", "😀,2", "λ,1", "'',0"})
    void aCharacterHasAWidth(String text, int width) {
        assertThat(Table.displayWidth(text)).isEqualTo(width);
    }

    @Test
    void hostileTextIsEscaped() {
        String printed = print(80, row("a\u001b[2K\u202e\nforged  row", "1"));

        assertThat(printed.lines()).hasSize(2);
        assertThat(printed).doesNotContain("\u001b", "\u202e").contains("\\u001b[2K\\u202e\\u000aforged");
    }

    @Test
    void anEmptyLineOfACellStays() {
        StringWriter out = new StringWriter();
        List<Table.Column<String>> columns =
                List.of(new Table.Column<>("VALUE", text -> text.lines().toList()));
        Table<String> table = new Table<>(new PrintWriter(out), 80, false, columns);
        table.add("INTENT PATCH\n\nPATCH P1");
        table.flush();
        assertThat(out).hasToString("VALUE\nINTENT PATCH\n\nPATCH P1\n");
    }

    @Test
    void theHeadingIsBoldWithColorsAlone() {
        StringWriter plain = new StringWriter();
        StringWriter colored = new StringWriter();
        for (StringWriter out : List.of(plain, colored)) {
            Table<JsonNode> table = new Table<>(new PrintWriter(out), 80, out == colored, COLUMNS);
            table.add(row("a", "b"));
            table.flush();
        }
        assertThat(plain.toString()).doesNotContain("\u001b");
        assertThat(colored.toString()).startsWith("\u001b[1mNAME  VALUE\u001b[0m\n");
    }

    @Test
    void laterRowsKeepTheWidthsOfTheFirst() {
        StringWriter out = new StringWriter();
        Table<JsonNode> table = new Table<>(new PrintWriter(out), 80, false, COLUMNS);
        table.add(row("ab", "1"));
        table.flush();
        table.add(row("longer", "2"));
        table.flush();

        assertThat(out.toString()).isEqualTo("NAME  VALUE\nab    1\nlonger  2\n");
    }

    @Test
    void anEmptyTableHasNoHeading() {
        assertThat(print(80)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"120,'24 80',120", "'','24 100',100", ",'24 100',100", ",'',80", "x,x,80", "0,'0 0',80", "7,,40"})
    void theWidthIsThatOfTheTerminal(String columns, String size, int width) {
        assertThat(Terminal.width(columns, () -> size)).isEqualTo(width);
    }

    @Test
    void colorsNeedATerminalThatHasThemAndNoObjection() {
        assertThat(Terminal.isColored(Map.of("TERM", "xterm"))).isTrue();
        assertThat(Terminal.isColored(Map.of("TERM", "dumb"))).isFalse();
        assertThat(Terminal.isColored(Map.of())).isFalse();
        assertThat(Terminal.isColored(Map.of("TERM", "xterm", "NO_COLOR", "1"))).isFalse();
        assertThat(Terminal.isColored(Map.of("TERM", "xterm", "NO_COLOR", ""))).isTrue();
    }

    private static String print(int width, JsonNode... rows) {
        StringWriter out = new StringWriter();
        Table<JsonNode> table = new Table<>(new PrintWriter(out), width, false, COLUMNS);
        for (JsonNode row : rows) {
            table.add(row);
        }
        table.flush();
        return out.toString();
    }

    private static JsonNode row(String name, String value) {
        return JsonNodeFactory.instance.objectNode().put("name", name).put("value", value);
    }
}
