package dev.parley.docs;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the class and method names in the pages for developers, which no compiler checks. A name of one word, such as
 * {@code Judge}, may be an ordinary word in code style, so only names of two words or with a member are checked.
 */
class CodeNamesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("`([A-Z]+[a-z]\\w*)((?:[.#]\\w+)*)(?:\\([^`]*\\))?`");
    private static final Pattern TWO_WORDS = Pattern.compile("[A-Z]+[a-z]\\w*[A-Z]\\w*[a-z]\\w*");

    /** Types of libraries. */
    private static final List<String> OTHERS = List.of("HttpClient", "MultiGauge", "String");

    private static final Map<String, String> SOURCES = sources();

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "CONTRIBUTING.md"})
    void everyClassAndMemberExists(String page) throws IOException {
        assertThat(unknown(Files.readString(ROOT.resolve(page)))).isEmpty();
    }

    @Test
    void aRenamedClassOrMemberIsFound() {
        assertThat(unknown("`LostClass`, `LostClass.of`, `RecordStage.lost`, `RecordStage.record`, `RecordStage`"))
                .containsExactly("LostClass", "LostClass.of", "RecordStage.lost");
    }

    private List<String> unknown(String page) {
        List<String> unknown = new ArrayList<>();
        Matcher matcher = NAME.matcher(page);
        while (matcher.find()) {
            String type = matcher.group(1);
            String members = matcher.group(2);
            boolean checked = !members.isEmpty() || TWO_WORDS.matcher(type).matches();
            if (checked && !OTHERS.contains(type) && !exists(type, members)) {
                unknown.add(type + members);
            }
        }
        return unknown;
    }

    /** Whether the type has a source file of its own or is declared in one, and that file contains the members. */
    private boolean exists(String type, String members) {
        String own = SOURCES.get(type);
        String source = own != null
                ? own
                : SOURCES.values().stream()
                        .filter(text -> contains(text, "(?:class|interface|record|enum) " + type))
                        .collect(joining());
        return !source.isEmpty()
                && Stream.of(members.split("[.#]"))
                        .filter(member -> !member.isEmpty())
                        .allMatch(member -> contains(source, member));
    }

    private static boolean contains(String source, String words) {
        return Pattern.compile("\\b" + words + "\\b").matcher(source).find();
    }

    private static Map<String, String> sources() {
        try (Stream<Path> files = Files.find(
                ROOT, Integer.MAX_VALUE, (file, attributes) -> file.toString().endsWith(".java"))) {
            return files.collect(toMap(
                    file -> file.getFileName().toString().replace(".java", ""),
                    CodeNamesTest::read,
                    (first, second) -> first + second));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
