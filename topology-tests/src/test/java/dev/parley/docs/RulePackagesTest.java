package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the packages of the project that rules of ArchUnit name: a rule about a package without classes never fails.
 */
class RulePackagesTest {
    private static final Pattern PACKAGE = Pattern.compile("\"(dev\\.parley(?:\\.\\w+)+)(?:\\.\\.)?\"");

    private static final Set<String> PACKAGES = packages();

    @Test
    void everyPackageInARuleExists() {
        List<Path> rules = SourceTree.files("Test.java").stream()
                .filter(file -> SourceTree.read(file)
                        .lines()
                        .anyMatch(line -> line.startsWith("import") && line.contains(" com.tngtech.archunit.")))
                .toList();
        assertThat(rules).hasSizeGreaterThan(4);
        assertThat(rules)
                .allSatisfy(file -> assertThat(unknown(SourceTree.read(file))).isEmpty());
    }

    @Test
    void aRenamedPackageIsFound() {
        assertThat(unknown(
                        "(\"dev.parley.avro..\", \"dev.parley.server.api\", \"dev.parley.lost..\", \"dev.parley..\")"))
                .containsExactly("dev.parley.lost");
    }

    private static List<String> unknown(String rules) {
        return PACKAGE.matcher(rules)
                .results()
                .map(found -> found.group(1))
                .filter(name -> PACKAGES.stream().noneMatch(known -> (known + '.').startsWith(name + '.')))
                .toList();
    }

    /** Packages of main code; those of the schemas are generated. */
    private static Set<String> packages() {
        return Stream.concat(
                        Stream.of(AuditRecord.class.getPackageName()),
                        SourceTree.files("package-info.java").stream()
                                .map(file -> file.getParent().toString().replace('/', '.'))
                                .filter(name -> name.contains(".main.java."))
                                .map(name -> name.substring(name.indexOf(".java.") + ".java.".length())))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
