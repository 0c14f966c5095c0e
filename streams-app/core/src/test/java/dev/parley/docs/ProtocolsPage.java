package dev.parley.docs;

import dev.parley.codec.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** docs/protocols.md as a test reads it: its sections, the cells of its dialogue tables, and its examples. */
public final class ProtocolsPage {
    private static final Pattern HEADING = Pattern.compile("^##+ ((\\d[\\d.]*[a-z]?)?.*)$", Pattern.MULTILINE);
    private static final Pattern CELL = Pattern.compile(
            "(?:V `(?<violation>\\w+)`|(?<target>\\w+)?(?: \\((?<remark>[^)]+)\\))? ?(?:W `(?<warning>\\w+)`)?) ?(?<provenance>[SCI])");
    private static final Pattern EXAMPLE =
            Pattern.compile("^```(slip|subit|csp|lambda|mcp)(.*)\\n((?s:.*?))\\n```$", Pattern.MULTILINE);

    private final String text;

    private ProtocolsPage(String text) {
        this.text = text;
    }

    /**
     * One cell of a dialogue table.
     *
     * @param state the row
     * @param event the column
     * @param target where it leads; "stay" for the row's own state; null when the page does not say
     * @param violation why it is illegal; null when it is legal
     * @param warning what is unusual about it; null when nothing is
     * @param remark a word in brackets; null without one
     * @param provenance S, C or I
     */
    public record Cell(
            String state,
            String event,
            String target,
            Code violation,
            Code warning,
            String remark,
            String provenance) {}

    /**
     * One example message, in a fence that names its protocol and codes.
     *
     * @param protocol name of the protocol
     * @param codes codes that the message gets
     * @param wire the message
     */
    public record Example(String protocol, List<Code> codes, String wire) {
        @Override
        public String toString() {
            return protocol + " " + codes + " " + wire;
        }
    }

    public static ProtocolsPage read() {
        try {
            return new ProtocolsPage(Files.readString(Path.of("docs", "protocols.md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a section without those below it; section 0 has its unnumbered headings in it. */
    public String section(String number) {
        StringBuilder section = new StringBuilder();
        String current = "";
        int from = 0;
        for (MatchResult heading : HEADING.matcher(text).results().toList()) {
            if (current.equals(number)) {
                section.append(text, from, heading.start());
            }
            current = heading.group(2) != null ? trimmed(heading.group(2)) : current;
            from = heading.start();
        }
        if (current.equals(number)) {
            section.append(text.substring(from));
        }
        return section.toString();
    }

    /** The anchor of the heading with that number. */
    public String anchor(String number) {
        return HEADING.matcher(text)
                .results()
                .filter(heading ->
                        heading.group(2) != null && trimmed(heading.group(2)).equals(number))
                .map(heading -> Pages.anchor(heading.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/protocols.md has no section " + number));
    }

    /** The cells of the tables of a section whose first column is headed State, all tables one after the other. */
    public List<List<Cell>> tables(String number) {
        List<List<Cell>> tables = new ArrayList<>();
        List<String> head = List.of();
        for (String line : section(number).lines().toList()) {
            if (line.startsWith("| State |")) {
                head = columns(line);
                tables.add(new ArrayList<>());
            } else if (!line.startsWith("|")) {
                head = List.of();
            } else if (!head.isEmpty() && !line.startsWith("|---")) {
                List<String> row = columns(line);
                for (int column = 1; column < head.size(); column++) {
                    tables.get(tables.size() - 1).add(cell(row.get(0), head.get(column), row.get(column)));
                }
            }
        }
        return tables;
    }

    /** The examples, in order. */
    public List<Example> examples() {
        return EXAMPLE.matcher(text)
                .results()
                .map(match -> new Example(
                        match.group(1),
                        Arrays.stream(match.group(2).strip().split(" +"))
                                .filter(name -> !name.isEmpty())
                                .map(Code::of)
                                .toList(),
                        match.group(3)))
                .toList();
    }

    String text() {
        return text;
    }

    private static Cell cell(String state, String event, String content) {
        Matcher cell = CELL.matcher(content);
        if (!cell.matches()) {
            throw new AssertionError("docs/protocols.md: " + state + " × " + event + ": '" + content + "' is no cell");
        }
        String violation = cell.group("violation");
        String warning = cell.group("warning");
        return new Cell(
                state,
                event,
                cell.group("target"),
                violation == null ? null : Code.of(violation),
                warning == null ? null : Code.of(warning),
                cell.group("remark"),
                cell.group("provenance"));
    }

    private static List<String> columns(String line) {
        return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    private static String trimmed(String number) {
        return number.endsWith(".") ? number.substring(0, number.length() - 1) : number;
    }
}
