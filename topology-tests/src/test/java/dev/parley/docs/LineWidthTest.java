package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Keeps lines within 120 columns: the text of Markdown pages, and comments in Java, Avro IDL, shell, YAML, XML and
 * properties files. Longer lines are allowed where a break would change the meaning:
 *
 * <ul>
 *   <li>in Markdown: rows of tables, and lines in code fences
 *   <li>in Java: text blocks, which the formatter does not break either
 *   <li>everywhere: lines that mostly consist of code spans, links, inline tags, or string literals
 * </ul>
 */
class LineWidthTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int WIDTH = 120;
    /** Directories of other people's files, of generated files, and of files that must stay as they are. */
    private static final Set<String> SKIPPED =
            Set.of(".git", "target", "node_modules", "history", "released", "golden", "corpus");

    private static final Pattern UNBREAKABLE =
            Pattern.compile("`+[^`]+`+|\\[[^]]*]\\([^)]*\\)|\\{@[^}]*}+|\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern MARKUP = Pattern.compile("^\\s*(?:[-*+>]|\\d+\\.|/?\\*+|//|#|<!--)?\\s*");
    private static final Pattern HASH_FILE = Pattern.compile("Dockerfile|.*\\.(?:ya?ml|sh|properties|env)|[^.]+");

    @Test
    void everyLineFitsTheFormatterWidth() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : files()) {
            List<String> lines = lines(file);
            for (int number : longLines(file.getFileName().toString(), lines)) {
                if (isBreakable(lines.get(number))) {
                    tooLong.add(ROOT.relativize(file) + ":" + (number + 1));
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    private static List<Integer> longLines(String name, List<String> lines) {
        List<Integer> found = new ArrayList<>();
        String fence = null;
        boolean textBlock = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String text = line.strip();
            boolean inBlock = fence != null || textBlock;
            if (name.endsWith(".md") && text.startsWith("```")) {
                fence = fence == null ? text : null;
            }
            if (name.endsWith(".java") && line.split("\"\"\"", -1).length % 2 == 0) {
                textBlock = !textBlock;
            }
            if (line.codePointCount(0, line.length()) > WIDTH && !inBlock && isChecked(name, text)) {
                found.add(i);
            }
        }
        return found;
    }

    private static boolean isChecked(String name, String text) {
        if (name.endsWith(".md")) {
            return !text.startsWith("|");
        }
        if (name.endsWith(".java") || name.endsWith(".avdl")) {
            return true;
        }
        return name.endsWith(".xml") ? text.startsWith("<!--") : text.startsWith("# ");
    }

    private static boolean isBreakable(String line) {
        String text = UNBREAKABLE.matcher(MARKUP.matcher(line).replaceFirst("")).replaceAll("x");
        return text.strip().contains(" ") && text.length() > WIDTH / 2;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (MalformedInputException e) {
            return List.of();
        }
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return SKIPPED.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.matches(".*\\.(?:md|java|avdl|xml)")
                        || HASH_FILE.matcher(name).matches()) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
