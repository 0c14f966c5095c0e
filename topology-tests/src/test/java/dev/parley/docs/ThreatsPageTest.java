package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the threat model to its promise: each attack or fault has a control, and a test that exists. */
class ThreatsPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().normalize();
    private static final Set<String> HEADERS = Set.of("| Attack | Control | Test |", "| Fault | Control | Test |");
    /** A test method, or a rule of ArchUnit. */
    private static final Pattern DECLARATION = Pattern.compile("(?:void|ArchRule) (\\w+)(?:\\(| =)");

    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|");

    @Test
    void everySectionHasAttacks() throws IOException {
        Map<String, List<String>> sections = sections();

        assertThat(sections).isNotEmpty();
        assertThat(sections)
                .allSatisfy((section, rows) -> assertThat(rows)
                        .as("section \"%s\" of docs/threats.md", section)
                        .isNotEmpty());
    }

    @Test
    void everyAttackHasAControlAndAnExistingTest() throws IOException {
        List<Path> sources = sources();
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, List<String>> section : sections().entrySet()) {
            for (String row : section.getValue()) {
                check(row, sources).forEach(fault -> wrong.add(section.getKey() + ": " + fault + ": " + row));
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<String> check(String row, List<Path> sources) throws IOException {
        String[] cells = CELLS.split(row.strip());
        if (cells.length != 4 || cells[1].isBlank() || cells[2].isBlank()) {
            return List.of("a row must have an attack, a control and a test");
        }
        List<String> wrong = new ArrayList<>();
        Matcher tests = TEST.matcher(cells[3]);
        int count = 0;
        for (; tests.find(); count++) {
            if (!exists(tests.group(1), tests.group(2), sources)) {
                wrong.add("there is no test " + tests.group());
            }
        }
        if (count == 0) {
            wrong.add("the test must be `ClassName#methodName`");
        }
        return wrong;
    }

    private static boolean exists(String type, String method, List<Path> sources) throws IOException {
        for (Path source : sources) {
            if (source.getFileName().toString().equals(type + ".java")
                    && DECLARATION
                            .matcher(Files.readString(source))
                            .results()
                            .anyMatch(found -> found.group(1).equals(method))) {
                return true;
            }
        }
        return false;
    }

    /** The rows of each table of attacks, by the heading above it. */
    private static Map<String, List<String>> sections() throws IOException {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        String heading = "";
        List<String> rows = null;
        for (String line : Files.readAllLines(ROOT.resolve("docs/threats.md"))) {
            if (line.startsWith("#")) {
                heading = line.replaceFirst("#+ ", "");
                rows = null;
            } else if (HEADERS.contains(line)) {
                rows = sections.computeIfAbsent(heading, key -> new ArrayList<>());
            } else if (rows != null && line.startsWith("|") && !line.startsWith("|---")) {
                rows.add(line);
            }
        }
        return sections;
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                Integer.MAX_VALUE,
                (file, attributes) ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/test/java/"))) {
            return files.toList();
        }
    }
}
