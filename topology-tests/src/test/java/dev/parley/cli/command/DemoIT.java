package dev.parley.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.Parley;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.Snippet;
import dev.parley.serde.WireDeserializer;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as a user starts it, in a process of its own and not on a terminal, and what README.md and docs/clients.md
 * tell the user to do next.
 */
class DemoIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final int MAX_LINES = 68;
    private static final int MAX_COLUMNS = 80;
    private static final Path README = Path.of("README.md");
    private static final Path CLIENTS = Path.of("docs", "clients.md");
    private static final List<String> ANY_PORTS = List.of(
            "--set", "http.port=0",
            "--set", "bootstrap.servers=127.0.0.1:0",
            "--set", "schema.registry.url=http://127.0.0.1:0");
    /** The option that docs/clients.md gives. */
    private static final String TRUST = "-Dorg.apache.avro.SERIALIZABLE_PACKAGES=dev.parley.avro";

    @TempDir
    private static Path directory;

    private static ChildProcess demo;
    private static String brokers;
    private static String registry;
    private static String api;

    @BeforeAll
    static void start() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        demo = start(List.of("--data", data.toString()));
        await().atMost(TIMEOUT).until(() -> demo.hasSaid("/v1/conversations\n"));
        brokers = printed("Kafka +(127\\.0\\.0\\.1:\\d+)");
        registry = printed("Schema Registry +(http://127\\.0\\.0\\.1:\\d+)");
        api = printed("HTTP API +(http://127\\.0\\.0\\.1:\\d+)");
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (demo != null) {
            demo.close();
        }
    }

    @Test
    void otherUsersCannotReadTheDataInADirectoryOfEverybody() throws IOException {
        for (String name : List.of("kafka", "registry", "state", "audit.key", "export.jsonl", "tampered.jsonl")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(
                            directory.resolve("data").resolve(name))))
                    .as(name)
                    .endsWith("------");
        }
    }

    @Test
    void theStoryFitsAScreenAndIsPlainText() {
        List<String> lines = demo.said().lines().toList();

        // On its usual ports, the demo prints no exports.
        assertThat(lines.stream().filter(line -> !line.startsWith("  export PARLEY_")))
                .hasSizeLessThanOrEqualTo(MAX_LINES);
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.length())
                        .as(line)
                        .isLessThanOrEqualTo(line.contains(directory.toString()) ? Integer.MAX_VALUE : MAX_COLUMNS));
        assertThat(demo.said().chars().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(demo.said())
                .contains("1. Agents talk", "2. A message breaks a rule", "3. A patch conflicts")
                .contains("4. What did they know", "5. A record is forged", "6. Nothing is lost", ": balanced\n")
                .doesNotContain(" INFO ", " WARN ", " ERROR ");
    }

    @Test
    void theStoryNamesTheVeryLineThatIsForged() throws IOException {
        Path data = directory.resolve("data");
        List<String> export = Files.readAllLines(data.resolve("export.jsonl"));
        List<String> forged = Files.readAllLines(data.resolve("tampered.jsonl"));
        List<Integer> changed = new ArrayList<>();
        for (int i = 0; i < export.size(); i++) {
            if (!export.get(i).equals(forged.get(i))) {
                changed.add(i + 1);
            }
        }
        assertThat(changed).hasSize(1);
        String location = "tampered.jsonl:" + changed.get(0) + ", chain default|MCP|tickets-1, sequence 9";
        assertThat(demo.said().replaceAll("\\s+", " "))
                .contains("verify finds no faults", "RECORD_CHANGED at " + location);

        CommandResult verified = CommandResult.by(
                List.of("verify", data.resolve("tampered.jsonl").toString()));
        assertThat(verified.exit()).as(verified.all()).isOne();
        assertThat(verified.all()).contains("RECORD_CHANGED at " + location);
        assertThat(CommandResult.by(
                                List.of("verify", data.resolve("export.jsonl").toString()))
                        .exit())
                .isZero();
    }

    @Test
    void theDemoProvesAMessageWithItsPublicKeyAndRefusesTheForgery() throws Exception {
        assertThat(demo.said().replaceAll("\\s+", " "))
                .contains("has a proof, which the public key verifies. Forged, it fails: RECORD_CHANGED");
        Path proof = directory.resolve("first.proof");
        Path message = Files.writeString(directory.resolve("message"), "@a1|f0|c1|S0|d1|T1|g100|kANY#");
        fetch("curl -s " + api + "/v1/conversations/default/slip/1/messages/0/proof -o " + proof);
        List<String> check = List.of(
                "prove",
                "--check",
                proof.toString(),
                "--key",
                directory.resolve("data").resolve("audit.vkey").toString());

        CommandResult proven = CommandResult.by(check);
        assertThat(proven.exit()).as(proven.all()).isZero();
        assertThat(proven.all()).contains("PROVEN: ", "default|SLIP|1");
        CommandResult other = CommandResult.by(Stream.concat(check.stream(), Stream.of("--message", message.toString()))
                .toList());
        assertThat(other.exit()).as(other.all()).isOne();
        assertThat(other.all()).contains("NOT PROVEN: the record is of another message");
    }

    @Test
    void proofsOfConversationsWhoseNamesContainASlashAreFetched() throws Exception {
        Path proof = directory.resolve("nested.proof");

        CommandResult fetched = CommandResult.by(List.of(
                "prove",
                "--url",
                api,
                "--conversation",
                "default/lambda/survey-3/terms",
                "--sequence",
                "0",
                "--out",
                proof.toString()));

        assertThat(fetched.exit()).as(fetched.all()).isZero();
        assertThat(Files.readString(proof)).startsWith("c2sp.org/tlog-proof@v1\n");
    }

    @Test
    void everyCommandThatTheDemoPrintsWorks() throws Exception {
        List<String> commands = demo.said()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("./parley ") || line.startsWith("curl "))
                .toList();
        assertThat(commands)
                .hasSizeGreaterThanOrEqualTo(5)
                .anyMatch(command -> command.startsWith("curl "))
                .anyMatch(command -> command.startsWith("./parley prove --check "));
        for (String command : commands) {
            if (command.startsWith("curl ")) {
                fetch(command);
                continue;
            }
            CommandResult result = run(command);
            assertThat(result.exit()).as(command + "\n" + result.all()).isEqualTo(command.contains("tampered") ? 1 : 0);
        }
        assertThat(demo.said())
                .contains(
                        "export PARLEY_BOOTSTRAP_SERVERS=" + brokers, "export PARLEY_SCHEMA_REGISTRY_URL=" + registry);
    }

    @Test
    void everyDeadLetterInHelpAndInCommandsOfThePagesExists() throws Exception {
        List<String> texts = new ArrayList<>();
        Parley.commandLine()
                .getSubcommands()
                .get("dlq")
                .getSubcommands()
                .values()
                .forEach(command -> texts.add(command.getUsageMessage()));
        for (String page : List.of("cli.md", "api.md", "operations.md")) {
            texts.add(Files.readAllLines(Path.of("docs", page)).stream()
                    .filter(line -> line.startsWith("$ "))
                    .collect(Collectors.joining("\n")));
        }
        Set<String> named = new TreeSet<>();
        texts.forEach(text -> Pattern.compile("parley\\.dlq\\.[a-z.0-9]+/\\d+/\\d+")
                .matcher(text)
                .results()
                .forEach(id -> named.add(id.group())));

        ApiClient client = new ApiClient(URI.create(api));
        assertThat(named)
                .isNotEmpty()
                .allMatch(id -> client.get("/v1/dead-letters/" + id, JsonNode.class)
                        .path("id")
                        .asText()
                        .equals(id));
    }

    @Test
    void everyCommandAndExcerptOfTheReadmeIsReal() throws Exception {
        Set<String> executed = new TreeSet<>();
        for (Snippet snippet : Snippet.of(README)) {
            executed.add(snippet.language());
            switch (snippet.language()) {
                case "console" -> {
                    for (String command : snippet.commands()) {
                        // thePythonProgramOfTheReadmeSendsAllProtocolsAndItsQueryWaitsForThem, .ci/log, .ci/first-hour
                        if (!command.startsWith("./parley demo ")
                                && !command.equals("./parley tail")
                                && !command.startsWith("python3 ")
                                && !command.startsWith("acceptance/go/")) {
                            assertWorks(command);
                        }
                    }
                }
                case "text" -> {
                    if (snippet.text().contains("──▶")) {
                        assertTopicsExist(snippet.text());
                    } else {
                        assertExcerptOfTheStory(snippet.text());
                    }
                }
                // thePythonProgramOfTheReadmeSendsAllProtocolsAndItsQueryWaitsForThem
                case "python" -> assertThat(snippet.mark()).isEqualTo("file: send.py");
                default -> throw new AssertionError("nothing tests a block of " + snippet.language());
            }
        }
        assertThat(executed).containsExactly("console", "python", "text");
    }

    @Test
    void thePythonProgramOfTheReadmeSendsAllProtocolsAndItsQueryWaitsForThem() throws Exception {
        String python = python("confluent_kafka");
        Path program = directory.resolve("send.py");
        Files.writeString(program, here(file(README, "send.py")));

        String sent = exec(List.of(python, program.toString()));
        assertThat(sent).matches("(at-least=parley\\.wire-\\d@\\d+&){4}");

        Map<String, String> last = new HashMap<>();
        new ApiClient(URI.create(api))
                .get("/v1/conversations?" + sent + "namespace=mine", JsonNode.class)
                .path("items")
                .forEach(row -> last.put(
                        row.path("chain").asText(), row.path("lastCode").asText()));
        assertThat(last)
                .isEqualTo(Map.of(
                        "mine|CSP|planning", "null",
                        "mine|LAMBDA|chat", "null",
                        "mine|SLIP|4", "SLIP_NOTHING_TO_REJECT",
                        "mine|SUBIT|crew-1", "null"));
    }

    @Tag("long")
    @Test
    void theReaderOfTheClientsPageReadsTheAuditTrail() throws Exception {
        String all = System.getProperty("java.class.path");
        String without = Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.contains("parley") && !entry.contains("/target/"))
                .collect(Collectors.joining(File.pathSeparator));
        String line = "wrong|SLIP|90 #7 REJECTED SLIP_PROPOSE_AFTER_ACCEPT";
        String generic = file(CLIENTS, "AuditReader.java");
        String typed = typed(generic);

        assertThat(reader(generic, line, "-cp", without)).contains(line);
        assertThat(reader(generic, line, TRUST, "-cp", all)).contains(line);
        assertThat(reader(typed, line, TRUST, "-cp", all)).contains(line);
        assertThat(reader(typed, line, "-cp", all))
                .as("why the page asks for the system property")
                .contains("Forbidden dev.parley.avro");
    }

    /** Applies the replacements that docs/clients.md describes for typed records. */
    private static String typed(String generic) {
        String typed = generic.replace("org.apache.avro.generic.GenericRecord", "dev.parley.avro.AuditRecord")
                .replace("GenericRecord", "AuditRecord")
                .replace("Deserializer.class);", "Deserializer.class, \"specific.avro.reader\", true);");
        return Pattern.compile("audit\\.get\\(\"(\\w)(\\w*)\"\\)")
                .matcher(typed)
                .replaceAll(get -> "audit.get" + get.group(1).toUpperCase(Locale.ROOT) + get.group(2) + "()");
    }

    /** .ci/javascript runs the programs for Node.js. */
    @Tag("long")
    @Test
    void thePythonProgramsOfTheClientsPagePrintWhatThePageShowsAndTheOthersAreValid() throws Exception {
        String python = python("confluent_kafka, avro");
        Set<String> run = new TreeSet<>();
        for (Snippet snippet : Snippet.of(CLIENTS)) {
            if (snippet.language().equals("python") && snippet.mark().startsWith("file: ")) {
                Files.writeString(directory.resolve(snippet.mark().replace("file: ", "")), here(snippet.text()));
            } else if (snippet.language().equals("python")) {
                Path file = Files.writeString(directory.resolve("example.py"), snippet.text());
                exec(List.of(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file.toString()));
            } else if (snippet.text().startsWith("$ python3 ")) {
                run.add(runPython(python, snippet));
            }
        }
        assertThat(run).containsExactly("agent.py", "crew.py", "team.py", "verdicts.py");
    }

    /** Runs a command of the page, and compares its output with the page. Returns the name of the program. */
    private static String runPython(String python, Snippet snippet) {
        List<String> lines = snippet.text().lines().toList();
        List<String> words = new ArrayList<>(
                Snippet.words(lines.get(0).replaceFirst("^\\$ python3 ", "").replaceFirst(" \\| sort$", "")));
        String program = words.get(0);
        words.set(0, directory.resolve(program).toString());
        words.add(0, python);
        // The verdicts follow the messages after a moment.
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(exec(words).lines())
                        .containsExactlyInAnyOrderElementsOf(lines.subList(1, lines.size())));
        return program;
    }

    @Tag("long")
    @Test
    void everyOtherSnippetForJavaOfTheClientsPageIsValid() throws Exception {
        for (Snippet snippet : Snippet.of(CLIENTS)) {
            switch (snippet.language()) {
                case "properties" -> assertLoads(snippet.text());
                case "xml" -> assertIsOurs(snippet.text());
                case "java" -> {
                    if (snippet.mark().isEmpty()) {
                        assertRuns(snippet.text());
                    } else {
                        assertThat(snippet.mark()).matches("example: \\w+|file: \\w+\\.java");
                    }
                }
                // LibraryExamplesTest compares the outputs of the examples.
                case "" -> assertThat(snippet.text()).isNotEmpty();
                // thePythonProgramsOfTheClientsPagePrintWhatThePageShowsAndTheOthersAreValid, .ci/javascript
                case "console", "js", "python", "sh" ->
                    assertThat(snippet.text()).isNotEmpty();
                default -> throw new AssertionError("nothing tests a block of " + snippet.language());
            }
        }
    }

    @Tag("long")
    @Test
    void aSecondStartAfterARedactionAndOwnTrafficIsBalanced() throws Exception {
        String data = directory.resolve("again").toString();
        try (ChildProcess first = start(List.of("--data", data))) {
            await().atMost(TIMEOUT).until(() -> first.hasSaid("/v1/conversations\n"));
            List<String> addresses = List.of(
                    "--set", "bootstrap.servers=" + printed(first, "Kafka +(127\\.0\\.0\\.1:\\d+)"),
                    "--set", "schema.registry.url=" + printed(first, "Schema Registry +(http://127\\.0\\.0\\.1:\\d+)"));
            List<String> key = List.of("--set", "audit.internal.key.files=" + data + "/internal.key");
            for (List<String> command : List.of(
                    List.of("redact", "--chain", "default|MCP|tickets-1", "--sequence", "9", "--reason", "trial"),
                    List.of("redact", "--chain", "wrong|CSP|conflicts", "--sequence", "1", "--reason", "trial"),
                    List.of("ingest", "samples/slip-release.jsonl"))) {
                CommandResult done = CommandResult.by(
                        Stream.of(command, addresses, key).flatMap(List::stream).toList());
                assertThat(done.exit()).as(done.all()).isZero();
            }
            first.process().destroy();
            assertThat(first.process().waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        try (ChildProcess second = start(List.of("--data", data, "--exit"))) {
            assertThat(second.exitStatus()).as(second.said()).isZero();
            assertThat(second.said()).contains(": balanced").doesNotContain("not balance", "null");
        }
    }

    @Test
    void aStopWhileTheSamplesAreSentIsQuiet() throws Exception {
        try (ChildProcess stopped =
                start(List.of("--data", directory.resolve("stopped").toString()))) {
            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5)).until(() -> stopped.hasSaid("sending"));
            stopped.process().destroy();
            assertThat(stopped.process().waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(stopped.said().lines())
                    .as(stopped.said())
                    .hasSizeGreaterThan(1)
                    .allMatch(line ->
                            line.startsWith("Console: ") || line.startsWith("parley demo: ") && line.endsWith(" ..."));
        }
    }

    private static ChildProcess start(List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("demo"));
        arguments.addAll(ANY_PORTS);
        arguments.addAll(options);
        return ChildProcess.start(directory, arguments);
    }

    private static String printed(String pattern) {
        return printed(demo, pattern);
    }

    private static String printed(ChildProcess process, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(process.said());
        assertThat(matcher.find()).as(process.said()).isTrue();
        return matcher.group(1);
    }

    /** A text of a page with the addresses and the data of this demo. */
    private static String here(String text) {
        return text.replace("demo-data/", directory.resolve("data") + "/")
                .replace("http://127.0.0.1:8081", registry)
                .replace("http://127.0.0.1:8080", api)
                .replace("127.0.0.1:9092", brokers);
    }

    /** Runs a command of Parley with the environment that the demo tells the user to set. */
    private static CommandResult run(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Snippet.words(here(command)));
        assertThat(words.remove(0)).isEqualTo("./parley");
        if (words.get(0).equals("tap")) {
            return wrap(words);
        }
        if (Set.of("ingest", "redrive", "redact", "export").contains(words.get(0))) {
            words.addAll(List.of("--set", "bootstrap.servers=" + brokers, "--set", "schema.registry.url=" + registry));
        }
        if (words.get(0).equals("history") || words.contains("--conversation")) {
            words.addAll(List.of("--url", api));
        }
        return CommandResult.by(words);
    }

    /** Runs {@code parley tap wrap}, which is a program of its own, with a file of a client. */
    private static CommandResult wrap(List<String> words) throws IOException, InterruptedException {
        Path file =
                Files.writeString(directory.resolve("mcp.json"), "{\"mcpServers\":{\"files\":{\"command\":\"c\"}}}");
        words.replaceAll(word -> word.equals("~/.cursor/mcp.json") ? file.toString() : word);
        List<String> tap =
                new ArrayList<>(List.of(java(), "-cp", System.getProperty("java.class.path"), "dev.parley.tap.Tap"));
        tap.addAll(words.subList(1, words.size()));
        String said = exec(tap);
        assertThat(file).content().contains("\"tap\", \"mcp\"");
        return new CommandResult(0, said);
    }

    private static void assertWorks(String command) throws IOException, InterruptedException {
        if (command.startsWith("curl -s ")) {
            fetch(command);
            return;
        }
        CommandResult result = run(command);
        assertThat(result.exit()).as(command + "\n" + result.all()).isZero();
        List<String> words = Snippet.words(here(command));
        if (words.contains("--out")) {
            assertThat(Path.of(words.get(words.indexOf("--out") + 1))).isNotEmptyFile();
        } else {
            assertThat(result.all()).as(command).isNotBlank();
        }
    }

    /** Runs {@code curl -s URL} or {@code curl -s URL -o FILE}. */
    private static void fetch(String command) throws IOException, InterruptedException {
        List<String> words =
                Snippet.words(here(command).replace("$(cat sent)", "").replace('"', '\''));
        HttpResponse<byte[]> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(words.get(2))).build(), BodyHandlers.ofByteArray());
        assertThat(response.statusCode())
                .as(command + "\n" + new String(response.body(), UTF_8))
                .isEqualTo(200);
        int option = words.indexOf("-o");
        if (option >= 0) {
            Files.write(Path.of(words.get(option + 1)), response.body());
        }
    }

    private static void assertTopicsExist(String picture) throws Exception {
        List<String> named = Pattern.compile("parley\\.[a-z0-9.*-]+")
                .matcher(picture)
                .results()
                .map(MatchResult::group)
                .filter(name -> !name.endsWith("*"))
                .toList();
        assertThat(named).isNotEmpty();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers))) {
            assertThat(admin.listTopics().names().get()).containsAll(named);
        }
    }

    /** The lines of the excerpt are in the story, in this order; an ellipsis stands for any lines. */
    private static void assertExcerptOfTheStory(String excerpt) {
        assertThat(demo.said().lines().toList())
                .containsSubsequence(
                        excerpt.lines().filter(line -> !line.equals("…")).toList());
    }

    private static String file(Path page, String name) throws IOException {
        return Snippet.of(page).stream()
                .filter(snippet -> snippet.mark().equals("file: " + name))
                .findFirst()
                .orElseThrow()
                .text();
    }

    /** Runs a program until it prints a text or ends; returns its output. */
    private static String reader(String source, String until, String... options) throws Exception {
        Path program = directory.resolve("AuditReader.java");
        // Every run reads from the beginning.
        Files.writeString(program, here(source).replace("audit-reader\"", "audit-reader-" + System.nanoTime() + "\""));
        Path output = Files.createTempFile(directory, "reader", ".txt");
        List<String> command = new ArrayList<>(List.of(java(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.add(program.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(TIMEOUT)
                    .until(() -> !process.isAlive()
                            || Files.readString(output, UTF_8).contains(until));
            return Files.readString(output, UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Statements that need only imports. */
    private static void assertRuns(String statements) throws Exception {
        Path program = directory.resolve("Statements.java");
        Files.writeString(
                program,
                Stream.of(
                                "import dev.parley.avro.*;",
                                "import dev.parley.codec.slip.*;",
                                "import dev.parley.serde.*;",
                                "import java.util.*;",
                                "import org.apache.kafka.common.serialization.*;",
                                "class Statements { public static void main(String[] arguments) {",
                                statements,
                                "} }")
                        .collect(Collectors.joining("\n")));
        exec(List.of(java(), "-cp", System.getProperty("java.class.path"), program.toString()));
    }

    /** The classes exist, and take the settings. */
    private static void assertLoads(String properties) throws Exception {
        Properties settings = new Properties();
        settings.load(new StringReader(properties));
        Map<String, String> rest = new HashMap<>();
        settings.forEach((key, value) -> rest.put(key.toString(), value.toString()));
        for (String name : settings.stringPropertyNames()) {
            String value = settings.getProperty(name);
            if (value.startsWith("dev.parley.") && !value.equals("dev.parley.avro")) {
                Object client = Class.forName(value).getDeclaredConstructor().newInstance();
                if (client instanceof Serializer<?> serializer) {
                    serializer.configure(rest, false);
                } else if (client instanceof Deserializer<?> deserializer) {
                    deserializer.configure(rest, false);
                    assertThat(deserializer).isInstanceOf(WireDeserializer.class);
                } else {
                    assertThat(name).isEqualTo("value.converter");
                }
            }
        }
        if (rest.size() == 1) {
            assertThat("-D" + properties.strip()).isEqualTo(TRUST);
        }
    }

    private static void assertIsOurs(String dependency) throws IOException {
        String pom = Files.readString(Path.of("serdes", "codecs", "pom.xml"));
        for (String element : List.of("groupId", "artifactId", "version")) {
            Matcher named =
                    Pattern.compile("<" + element + ">[^<]+</" + element + ">").matcher(dependency);
            assertThat(named.find()).isTrue();
            assertThat(pom).contains(named.group());
        }
    }

    /** A Python with some modules; without one, the test is skipped. */
    private static String python(String modules) {
        Optional<String> python = Stream.of("python3", "/usr/bin/python3")
                .filter(candidate -> {
                    try {
                        exec(List.of(candidate, "-c", "import " + modules));
                        return true;
                    } catch (IOException | InterruptedException | AssertionError e) {
                        return false;
                    }
                })
                .findFirst();
        Assumptions.assumeTrue(
                python.isPresent(), "python3 with " + modules + " is not installed here; .ci/run installs it");
        return python.get();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs a program that must succeed; returns its output. */
    private static String exec(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "program", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
