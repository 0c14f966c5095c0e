package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The builds of the script {@code parley} of a checkout, with scripts in place of Maven and Java. */
class ScriptTest {
    @TempDir
    private Path checkout;

    @BeforeEach
    void prepare() throws IOException {
        Files.copy(Path.of("parley"), checkout.resolve("parley"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createFile(checkout.resolve("pom.xml"));
        script("jdk/bin/java", "");
        // Logs its options, and builds the modules after -pl.
        script("bin/mvn", """
                echo "$*" >>%1$s/builds
                while [ "$1" != -pl ]; do shift; done
                for module in ${2//,/ }; do
                  mkdir -p %1$s/$module/target
                  touch %1$s/$module/target/{parley-${module#tools/}.jar,classpath.txt}
                done
                """.formatted(checkout));
    }

    private void script(String name, String text) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** Runs the script; returns the Maven options of all builds so far. */
    private List<String> builds(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("parley").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        builder.environment().merge("PATH", checkout.resolve("bin") + ":", (path, bin) -> bin + path);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return Files.readAllLines(checkout.resolve("builds"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"demo", "sql --help", "export --help", "export -h --format parquet", "export --out export.jsonl"
            })
    void aCommandWithoutTheSqlEngineDoesNotBuildIt(String arguments) throws Exception {
        builds("--version");

        assertThat(builds(arguments.split(" "))).singleElement().asString().contains("-pl tools/demo ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql SELECT",
                "export --format parquet",
                "export --format=parquet --out a",
                "export --out a.parquet"
            })
    void aCommandWithTheSqlEngineBuildsItOnce(String arguments) throws Exception {
        builds("--version");
        builds(arguments.split(" "));

        assertThat(builds(arguments.split(" ")))
                .hasSize(2)
                .last()
                .asString()
                .contains("-pl tools/demo,tools/sql ", "useIncrementalCompilation=false");
    }

    @Test
    void aCommandWithTheSqlEngineAlsoBuildsChangedSources() throws Exception {
        builds("sql", "SELECT");
        Path source = checkout.resolve("samples/new.jsonl");
        Files.createDirectories(source.getParent());
        Files.createFile(source);
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));

        assertThat(builds("sql", "SELECT"))
                .hasSize(2)
                .allMatch(options -> options.contains("-pl tools/demo,tools/sql ")
                        && options.contains("useIncrementalCompilation=true"));
    }
}
