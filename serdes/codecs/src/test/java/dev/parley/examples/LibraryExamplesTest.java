package dev.parley.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that docs/clients.md shows the compiled examples and their output. */
class LibraryExamplesTest {
    private static final Path SOURCE =
            Path.of("serdes", "codecs", "src/test/java/dev/parley/examples/LibraryExamples.java");
    private static final Path PAGE = Path.of("docs", "clients.md");

    static Stream<Arguments> examples() {
        return Stream.of(
                Arguments.of("slip", (Runnable) LibraryExamples::slip),
                Arguments.of("subit", (Runnable) LibraryExamples::subit),
                Arguments.of("csp", (Runnable) LibraryExamples::csp),
                Arguments.of("lambda", (Runnable) LibraryExamples::lambda));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void thePageShowsTheCompiledExamplesAndTheirOutput(String name, Runnable example) throws IOException {
        String code = between(Files.readString(SOURCE), "// example: " + name + "\n", "// end\n")
                .stripIndent();
        String shown = between(Files.readString(PAGE), "<!-- example: " + name + " -->\n", "<!-- end -->");

        assertThat(shown).isEqualTo("```java\n" + code + "```\n\nprints\n\n```\n" + printedBy(example) + "```\n");
    }

    private static String printedBy(Runnable example) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from);
        assertThat(start).as("the mark " + from.strip()).isNotNegative();
        int end = text.indexOf(to, start);
        assertThat(end).as("the mark after " + from.strip()).isNotNegative();
        return text.substring(start + from.length(), end);
    }
}
