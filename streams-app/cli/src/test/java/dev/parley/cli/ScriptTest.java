package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code parley} of a checkout, and the launcher that it runs, with scripts in place of Maven and Java. */
class ScriptTest {
    private static final String LAUNCHER = "deploy/distribution/src/main/bin/parley";

    @TempDir
    private Path checkout;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(checkout.resolve(LAUNCHER).getParent());
        for (String file : List.of("parley", LAUNCHER)) {
            Files.copy(Path.of(file), checkout.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createFile(checkout.resolve("pom.xml"));
        script("jdk/bin/javac", "");
        // Prints its arguments, and runs the demo while there is a file.
        script("jdk/bin/java", """
                echo "$@"
                while [ "${!#}" = demo -a -e %s/running ]; do sleep 0.05; done
                """.formatted(checkout));
        // Logs its options, waits while there is a file, and builds the modules after -pl.
        script("bin/mvn", """
                echo "$*" >>%1$s/builds
                while [ -e %1$s/building ]; do sleep 0.05; done
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

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("parley").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("PARLEY_OPTS");
        builder.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        builder.environment().merge("PATH", checkout.resolve("bin") + ":", (path, bin) -> bin + path);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Waits for the end of a process; returns what it printed. */
    private static String end(Process process, int status) throws Exception {
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isEqualTo(status);
        return printed;
    }

    /** Waits for a line of a process that contains a text. */
    private static String awaitLine(Process process, String text) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.contains(text)) {
            line = lines.readLine();
        }
        assertThat(line).as(text).isNotNull();
        return line;
    }

    /** Runs the script; returns the Maven options of all builds so far. */
    private List<String> builds(String... arguments) throws Exception {
        end(start(Map.of(), arguments), 0);
        return Files.readAllLines(checkout.resolve("builds"));
    }

    private void changeSources() throws IOException {
        Path source = checkout.resolve("samples/new.jsonl");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
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
        changeSources();

        assertThat(builds("sql", "SELECT"))
                .hasSize(2)
                .allMatch(options -> options.contains("-pl tools/demo,tools/sql ")
                        && options.contains("useIncrementalCompilation=true"));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aSecondCommandSaysThatItWaitsForTheBuildAndDoesNotRepeatIt() throws Exception {
        Path building = Files.createFile(checkout.resolve("building"));
        Process first = start(Map.of(), "--version");
        awaitLine(first, "building");
        Process second = start(Map.of(), "--version");
        awaitLine(second, "waiting for another build");
        Files.delete(building);
        end(first, 0);
        end(second, 0);

        assertThat(checkout.resolve("builds")).content().hasLineCount(1);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aBuildKeepsTheFilesOfARunningCommandAndDeletesThemAfterIt() throws Exception {
        builds("--version");
        Path running = Files.createFile(checkout.resolve("running"));
        Process demo = start(Map.of(), "demo");
        String arguments = awaitLine(demo, " demo");
        Path jar = Path.of(arguments.replaceAll(".* -cp (\\S*)/\\* .*", "$1"), "parley-demo.jar");
        FileTime before = Files.getLastModifiedTime(jar);
        changeSources();
        Process other = start(Map.of(), "--version");
        String now = awaitLine(other, " --version");
        assertThat(now).doesNotContain(jar.getParent().toString());
        assertThat(Files.getLastModifiedTime(jar)).isEqualTo(before);

        Files.delete(running);
        end(demo, 0);
        end(other, 0);
        builds("--version");
        assertThat(jar).doesNotExist();
    }

    @Test
    void aFailedBuildLeavesNoDirectory() throws Exception {
        script("bin/mvn", "echo '[ERROR] no such symbol'; exit 1\n");

        assertThat(end(start(Map.of(), "--version"), 70)).contains("[ERROR] no such symbol", "the build failed");
        assertThat(checkout.resolve("target/parley")).isEmptyDirectory();
    }

    @Test
    void withoutAJdkItSaysWhatToDo() throws Exception {
        assertThat(end(start(Map.of("JAVA_HOME", "/nowhere"), "--version"), 69))
                .contains("JAVA_HOME is /nowhere, which has no bin/javac", "JDK 17 or newer");
    }

    @ParameterizedTest
    @CsvSource({
        "explain, true",
        "--version, true",
        "judge, true",
        "demo, true",
        "run, false",
        "sql, false",
        "verify, false",
    })
    void shortCommandsHaveNoOptimizingCompiler(String command, boolean isShort) throws Exception {
        String java = end(start(Map.of(), command), 0);

        assertThat(java.contains("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")).isEqualTo(isShort);
        assertThat(java)
                .containsPattern("-XX:SharedArchiveFile=\\S*/classes.jsa ")
                .contains("-Dparley.command=" + checkout.resolve("parley"));
    }

    @ParameterizedTest
    @CsvSource({"1000, true", "9000000, false"})
    void theSizeOfAnExportDecidesAboutTheOptimizingCompiler(int bytes, boolean isShort) throws Exception {
        Path export = Files.write(checkout.resolve("export.jsonl"), new byte[bytes]);

        assertThat(end(start(Map.of(), "verify", export.toString()), 0).contains("-XX:TieredStopAtLevel=1"))
                .isEqualTo(isShort);
    }

    @Test
    void aCollectorInParleyOptsReplacesTheDefault() throws Exception {
        assertThat(end(start(Map.of("PARLEY_OPTS", "-XX:+UseZGC"), "explain"), 0))
                .contains("-XX:+UseZGC")
                .doesNotContain("UseSerialGC");
    }
}
