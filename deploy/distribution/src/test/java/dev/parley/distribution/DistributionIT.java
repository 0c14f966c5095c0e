package dev.parley.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archives as a newcomer uses them: unpacked somewhere, and started from anywhere. */
class DistributionIT {
    private static final String NAME = "parley-" + System.getProperty("parley.version");
    private static final Path TARGET =
            Path.of("deploy", "distribution", "target").toAbsolutePath();
    private static final Path JAVA = Path.of(System.getProperty("java.home"));

    /** A relative link of Markdown, without its anchor. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:)([^)#]+)");

    /** A file of a directory of deploy that the archive has, in a code span or a command. */
    private static final Pattern DEPLOYED =
            Pattern.compile("(deploy/(?:connect|flink|grafana|prometheus)/[\\w/-]+\\.[\\w.]*\\w)");

    /** With a space in its name. */
    @TempDir
    private static Path parent;

    private static Path home;

    @TempDir
    private Path elsewhere;

    private record Result(int exit, String out) {}

    @BeforeAll
    static void unpack() throws Exception {
        home = unpack("two words");
    }

    private static Path unpack(String name) throws Exception {
        Path directory = Files.createDirectory(parent.resolve(name));
        Path archive = TARGET.resolve(NAME + ".tar.gz");
        assertThat(archive).exists();
        Result unpacked = run(directory, Map.of(), "tar", "-xzf", archive.toString());
        assertThat(unpacked.exit()).as(unpacked.out()).isZero();
        return directory.resolve(NAME);
    }

    private static Result run(Path directory, Map<String, String> environment, String... command) throws Exception {
        Path output = Files.createTempFile(parent, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(output, UTF_8));
    }

    private Result parley(String... arguments) throws Exception {
        return parley(Map.of("JAVA_HOME", JAVA.toString()), home.resolve("bin/parley"), arguments);
    }

    private Result parley(Map<String, String> environment, Path script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(Arrays.asList(arguments));
        return run(elsewhere, environment, command.toArray(String[]::new));
    }

    @Test
    void theArchivesHaveWhatIsPromisedAndTheSameFiles() throws Exception {
        assertThat(home)
                .isDirectoryContaining("glob:**/LICENSE")
                .isDirectoryContaining("glob:**/NOTICE")
                .isDirectoryContaining("glob:**/lib");
        assertThat(home.resolve("bin/parley")).isExecutable();
        assertThat(home.resolve("samples/slip-release.jsonl")).exists();
        assertThat(home.resolve("docs/protocols.md")).hasSameBinaryContentAs(Path.of("docs", "protocols.md"));
        assertThat(home.resolve("completion/parley.bash")).isNotEmptyFile();
        assertThat(home.resolve("systemd/parley.service")).exists();
        assertThat(home.resolve("kubernetes/statefulset.yaml")).exists();

        Set<String> unpacked;
        try (Stream<Path> files = Files.walk(home)) {
            unpacked = files.filter(Files::isRegularFile)
                    .map(file -> NAME + "/" + home.relativize(file))
                    // The first command creates it.
                    .filter(file -> !file.endsWith("/classes.jsa"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        try (ZipFile zip = new ZipFile(TARGET.resolve(NAME + ".zip").toFile())) {
            assertThat(zip.stream().filter(entry -> !entry.isDirectory()).map(entry -> entry.getName()))
                    .containsExactlyInAnyOrderElementsOf(unpacked);
        }
    }

    @Test
    void everyFileThatTheShippedPagesNameIsInTheArchive() throws IOException {
        List<Path> pages;
        try (Stream<Path> files = Files.walk(home)) {
            pages = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        Map<Path, String> named = new TreeMap<>();
        for (Path page : pages) {
            String text = Files.readString(page, UTF_8);
            LINK.matcher(text)
                    .results()
                    .forEach(
                            link -> named.put(page.resolveSibling(link.group(1)).normalize(), page.toString()));
            DEPLOYED.matcher(text).results().forEach(file -> named.put(home.resolve(file.group(1)), page.toString()));
        }
        assertThat(named)
                .containsKeys(
                        home.resolve("docs/audit.md"),
                        home.resolve("schemas/src/main/avro"),
                        home.resolve("deploy/prometheus/parley.rules.yml"),
                        home.resolve("deploy/grafana/dashboards/parley.json"))
                .allSatisfy((file, page) -> assertThat(file).as(page).exists());
    }

    @Test
    void itStartsFromAnywhereThroughLinksAndSpaces() throws Exception {
        assertVersion(parley("--version"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("a link"), home.resolve("bin/parley"));
        Path relative = Files.createSymbolicLink(elsewhere.resolve("another"), Path.of("a link"));
        assertVersion(parley(Map.of("JAVA_HOME", JAVA.toString()), link, "--version"));
        assertVersion(parley(Map.of("JAVA_HOME", JAVA.toString()), relative, "--version"));
        Map<String, String> noHome = new HashMap<>(Map.of("PATH", JAVA.resolve("bin") + ":/usr/bin:/bin"));
        noHome.put("JAVA_HOME", "");
        assertVersion(parley(noHome, home.resolve("bin/parley"), "--version"));
    }

    @Test
    void argumentsAreUtf8InAnyLocale() throws Exception {
        Result state = parley(
                Map.of("JAVA_HOME", JAVA.toString(), "LC_ALL", "C"),
                home.resolve("bin/parley"),
                "state",
                home.resolve("samples/csp-refactoring.jsonl").toString(),
                "会話");
        assertThat(state.exit()).as(state.out()).isEqualTo(1);
        assertThat(state.out()).contains("会話").doesNotContain("??", "\uFFFD");
    }

    private static void assertVersion(Result result) {
        assertThat(result.exit()).as(result.out()).isZero();
        assertThat(result.out().strip())
                .matches("parley " + System.getProperty("parley.version")
                        + " \\(commit ([0-9a-f]{12}|unknown)\\), Kafka \\d\\S*, Java \\d\\S*");
    }

    @Test
    void withoutAJavaThatIsNewEnoughItSaysWhatToDo() throws Exception {
        Result none = parley(Map.of("JAVA_HOME", elsewhere.toString()), home.resolve("bin/parley"), "--version");
        assertThat(none.exit()).isEqualTo(69);
        assertThat(none.out()).contains("JAVA_HOME is " + elsewhere, "has no bin/java", "Java 17 or newer");

        Path old = Files.createDirectories(elsewhere.resolve("jdk 8/bin"));
        Path java = Files.writeString(old.resolve("java"), "#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Result tooOld = parley(
                Map.of("JAVA_HOME", elsewhere.resolve("jdk 8").toString()), home.resolve("bin/parley"), "--version");
        assertThat(tooOld.exit()).isEqualTo(69);
        assertThat(tooOld.out()).contains("is Java 1.8.0_402, but Parley needs Java 17 or newer");

        // A JDK has a file about itself, which saves a start of Java.
        Files.writeString(elsewhere.resolve("jdk 8/release"), "JAVA_VERSION=\"11.0.22\"\n");
        Result eleven = parley(
                Map.of("JAVA_HOME", elsewhere.resolve("jdk 8").toString()), home.resolve("bin/parley"), "--version");
        assertThat(eleven.out()).contains("is Java 11.0.22, but Parley needs Java 17 or newer");

        // The commands that the script needs, and no Java.
        Path tools = Files.createDirectory(elsewhere.resolve("tools"));
        for (String tool : List.of("sh", "readlink", "dirname", "sed")) {
            for (Path directory : List.of(Path.of("/usr/bin"), Path.of("/bin"))) {
                if (Files.exists(directory.resolve(tool)) && Files.notExists(tools.resolve(tool))) {
                    Files.createSymbolicLink(tools.resolve(tool), directory.resolve(tool));
                }
            }
        }
        Result nowhere =
                parley(Map.of("JAVA_HOME", "", "PATH", tools.toString()), home.resolve("bin/parley"), "--version");
        assertThat(nowhere.exit()).isEqualTo(69);
        assertThat(nowhere.out()).contains("no Java found", "Java 17 or newer");
    }

    @Test
    void itJudgesASampleAndHasTheDemo() throws Exception {
        Result judged =
                parley("judge", home.resolve("samples/slip-release.jsonl").toString());
        assertThat(judged.exit()).as(judged.out()).isZero();
        assertThat(judged.out()).contains("ACCEPTED");
        Result demo = parley("demo", "--help");
        assertThat(demo.exit()).isZero();
        try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
            assertThat(libraries.map(library -> library.getFileName().toString()))
                    .anyMatch(library -> library.startsWith("parley-demo"))
                    .anyMatch(library -> library.startsWith("kafka_2.13"))
                    .allMatch(library -> library.endsWith(".jar"))
                    .noneMatch(library -> library.contains("junit") || library.contains("assertj"));
        }
    }

    @Test
    void rocksDbHasLibrariesForLinuxAndMacOnly() throws IOException {
        try (Stream<Path> jars = Files.list(home.resolve("lib"));
                ZipFile rocksDb = new ZipFile(
                        jars.filter(jar -> jar.getFileName().toString().startsWith("rocksdbjni-"))
                                .findFirst()
                                .orElseThrow()
                                .toFile())) {
            assertThat(rocksDb.stream().map(ZipEntry::getName).filter(name -> name.startsWith("librocksdbjni-")))
                    .containsExactlyInAnyOrder(
                            "librocksdbjni-linux64.so",
                            "librocksdbjni-linux64-musl.so",
                            "librocksdbjni-linux-aarch64.so",
                            "librocksdbjni-linux-aarch64-musl.so",
                            "librocksdbjni-osx-arm64.jnilib",
                            "librocksdbjni-osx-x86_64.jnilib");
            assertThat(rocksDb.getEntry("org/rocksdb/RocksDB.class")).isNotNull();
        }
    }

    @Test
    void theFirstCommandArchivesItsClassesForTheOthers() throws Exception {
        // Java archives no classes of a directory with a space in its name.
        Path plain = unpack("plain");
        Map<String, String> environment = new HashMap<>(Map.of("JAVA_HOME", JAVA.toString()));
        assertVersion(parley(environment, plain.resolve("bin/parley"), "--version"));
        assertThat(plain.resolve("classes.jsa")).isNotEmptyFile();

        environment.put("PARLEY_OPTS", "-Xlog:class+load");
        Result logged = parley(environment, plain.resolve("bin/parley"), "--version");
        assertThat(logged.out()).contains("dev.parley.cli.Parley source: shared objects file (top)");
    }

    @Test
    void theCompletionIsBashAndKnowsTheCommands() throws Exception {
        Path script = home.resolve("completion/parley.bash");
        Result checked = run(elsewhere, Map.of(), "bash", "-n", script.toString());
        assertThat(checked.exit()).as(checked.out()).isZero();
        Result completed = run(
                elsewhere,
                Map.of("SCRIPT", script.toString()),
                "bash",
                "-c",
                "source \"$SCRIPT\"; COMP_WORDS=(parley ver); COMP_CWORD=1; _complete_parley; echo \"${COMPREPLY[@]}\"");
        assertThat(completed.out().strip()).isEqualTo("verify");
        Result option = run(
                elsewhere,
                Map.of("SCRIPT", script.toString()),
                "bash",
                "-c",
                "source \"$SCRIPT\"; COMP_WORDS=(parley tap http --li); COMP_CWORD=3; _complete_parley 2>/dev/null;"
                        + " echo \"${COMPREPLY[@]}\"");
        assertThat(option.out().strip()).isEqualTo("--listen");
    }

    @Test
    void theBillOfMaterialsNamesTheLibrariesAndTheirLicenses() throws IOException {
        Path bill = home.resolve("parley.cdx.json");
        assumeTrue(Files.exists(bill), "no bill of materials: Maven was offline");
        Set<String> expected = new TreeSet<>();
        for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).path("components")) {
            String purl = component.path("purl").asText();
            if (!purl.contains("type=pom")) {
                assertThat(component.path("licenses")).as(purl).isNotEmpty();
                String classifier =
                        purl.contains("classifier=") ? "-" + purl.replaceAll(".*classifier=([^&]*).*", "$1") : "";
                expected.add(component.path("name").asText() + "-"
                        + component.path("version").asText() + classifier + ".jar");
            }
        }
        try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
            assertThat(libraries.map(library -> library.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void theArchivesNameNoUserAndNoTimeOfThisBuild() throws Exception {
        Result listed = run(
                elsewhere,
                Map.of("TZ", "UTC"),
                "tar",
                "--numeric-owner",
                "-tvzf",
                TARGET.resolve(NAME + ".tar.gz").toString());
        assertThat(listed.out().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(" 0/0 ", " 2026-01-01 00:00 "));
    }
}
