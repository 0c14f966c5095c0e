package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the pages that are written by hand from pointing at what is not there. */
class WrittenPagesTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern PACKAGE = Pattern.compile("`\\.?([a-z]+(?:\\.[a-z]+)*)`");
    private static final Pattern NAMESPACE = Pattern.compile("namespace(?:\": |=)\"(\\w+)\"");
    private static final Pattern CODE = Pattern.compile("`((?:SLIP|SUBIT|CSP|LAMBDA)_[A-Z0-9_]+)`");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : found(LINK, prose(page), match -> match.group(1))) {
                if (!link.contains("://") && !leadsSomewhere(page, link)) {
                    broken.add(ROOT.relativize(page) + " -> " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyCodeOfAProtocolIsOnTheProtocolsPageAndNoOther() throws IOException {
        Set<String> named = new TreeSet<>(
                found(CODE, Files.readString(ROOT.resolve("docs/protocols.md")), match -> match.group(1)));
        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Code.values())
                        .map(Code::name)
                        .filter(name -> CODE.matcher('`' + name + '`').matches())
                        .toList());
    }

    @Test
    void everyPackageIsOnTheArchitecturePage() throws IOException {
        Set<String> named = new TreeSet<>(
                found(PACKAGE, Files.readString(ROOT.resolve("docs/architecture.md")), match -> match.group(1)));
        List<String> missing = new ArrayList<>();
        for (String group : List.of("serdes", "streams-app")) {
            try (Stream<Path> infos = Files.find(
                    ROOT.resolve(group),
                    20,
                    (file, attributes) -> file.endsWith("package-info.java")
                            && !file.toString().contains("target"))) {
                infos.map(info -> info.getParent().toString().replace('/', '.'))
                        .filter(name -> named.stream().noneMatch(ending -> name.endsWith('.' + ending)))
                        .forEach(missing::add);
            }
        }
        assertThat(missing)
                .as("packages that docs/architecture.md does not name")
                .isEmpty();
    }

    /** A reader may run the programs of both pages on one demo, so they must not share conversations. */
    @Test
    void readmeAndTheFirstHourSendToDifferentNamespaces() throws IOException {
        Set<String> readme = namespaces("README.md");
        Set<String> hour = namespaces("docs/first-hour.md");
        assertThat(readme).isNotEmpty().doesNotContainAnyElementsOf(hour);
        assertThat(hour).isNotEmpty();
    }

    private static Set<String> namespaces(String page) throws IOException {
        return new TreeSet<>(found(NAMESPACE, Files.readString(ROOT.resolve(page)), match -> match.group(1)));
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(target)
                && (hash < 0
                        || found(HEADING, prose(target), heading -> Pages.anchor(heading.group(1)))
                                .contains(link.substring(hash + 1)));
    }

    private static String prose(Path page) throws IOException {
        return FENCE.matcher(Files.readString(page)).replaceAll("");
    }

    private static List<String> found(Pattern pattern, String text, Function<MatchResult, String> what) {
        return pattern.matcher(text).results().map(what).collect(Collectors.toList());
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path directory : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("samples"))) {
            try (Stream<Path> files = Files.list(directory)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
    }
}
