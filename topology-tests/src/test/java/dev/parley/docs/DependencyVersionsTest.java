package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * No library that runs or tests Parley is older than the version that fixed its known advisories: the table of
 * docs/threats.md.
 */
class DependencyVersionsTest {
    private static final Path PAGE = Path.of("docs", "threats.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `([\\w.-]+)` \\| (\\d[\\w.-]*) \\| .*(?:CVE|GHSA)-.* \\|$", Pattern.MULTILINE);
    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.-]*)\\.jar");

    @Test
    void everyLibraryWithAnAdvisoryHasAFixedVersion() throws IOException {
        Map<String, String> used = used();
        Map<String, String> fixed = fixed();
        List<String> wrong = new ArrayList<>();
        fixed.forEach((library, version) -> {
            String has = used.get(library);
            if (has == null) {
                wrong.add(library + " is not used any more: remove its row");
            } else if (compare(has, version) < 0) {
                wrong.add(library + " " + has + " must be at least " + version);
            }
        });
        assertThat(fixed).hasSizeGreaterThan(10).containsKeys("logback-core", "jackson-databind", "lz4-java");
        assertThat(wrong).isEmpty();
    }

    @Test
    void versionsAreComparedByTheirNumbers() {
        assertThat(compare("1.5.18", "1.5.37")).isNegative();
        assertThat(compare("1.5.7-17", "1.5.7-14")).isPositive();
        assertThat(compare("1.5.6-10", "1.5.7-2")).isNegative();
        assertThat(compare("33.4.8-jre", "32.0.1")).isPositive();
        assertThat(compare("2.22", "2.22.0")).isZero();
    }

    private static Map<String, String> fixed() throws IOException {
        Map<String, String> fixed = new LinkedHashMap<>();
        Matcher rows = ROW.matcher(Files.readString(PAGE));
        while (rows.find()) {
            fixed.put(rows.group(1), rows.group(2));
        }
        return fixed;
    }

    private static Map<String, String> used() {
        Map<String, String> used = new TreeMap<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Matcher jar = JAR.matcher(Path.of(entry).getFileName().toString());
            if (jar.matches()) {
                used.put(jar.group(1), jar.group(2));
            }
        }
        return used;
    }

    private static int compare(String left, String right) {
        String[] a = left.split("[.-]");
        String[] b = right.split("[.-]");
        for (int i = 0; i < Math.max(a.length, b.length); i++) {
            int difference = Integer.compare(number(a, i), number(b, i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private static int number(String[] parts, int i) {
        return i < parts.length && parts[i].chars().allMatch(Character::isDigit) ? Integer.parseInt(parts[i]) : 0;
    }
}
