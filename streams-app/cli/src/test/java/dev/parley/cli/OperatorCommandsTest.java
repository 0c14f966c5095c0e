package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.log.KeyFiles;
import dev.parley.log.tlog.NoteSigner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The operator's commands as far as they need no brokers. */
class OperatorCommandsTest {

    @TempDir
    private Path directory;

    @Test
    void aclsAreCommandsForTheExactConfiguration() {
        CommandRun run = CommandRun.of(
                "acls",
                "--principal",
                "User:CN=parley, O=We're",
                "--role",
                "pipeline",
                "--set",
                "application.id=mine",
                "--set",
                "bootstrap.servers=b1:9093,b2:9093",
                "--command-config",
                "admin.properties");
        assertThat(run.exit()).isZero();
        String start =
                "kafka-acls.sh --bootstrap-server b1:9093,b2:9093 --command-config admin.properties --add --allow-principal 'User:CN=parley, O=We'\\''re' --operation ";
        assertThat(run.out().lines())
                .allSatisfy(line -> assertThat(line).startsWith(start))
                .contains(
                        start + "Read --operation Create --operation DescribeConfigs --topic parley.wire",
                        start
                                + "Read --operation Write --operation Create --operation Delete --topic mine-"
                                + " --resource-pattern-type prefixed",
                        start + "Read --group mine",
                        start + "Write --transactional-id mine- --resource-pattern-type prefixed");
    }

    @Test
    void aclsAreJsonForPrograms() {
        List<JsonNode> json = CommandRun.of("acls", "--principal", "User:x", "--role", "producer", "--json")
                .json();
        assertThat(json).hasSize(6).allSatisfy(access -> {
            assertThat(access.path("resource").asText()).isEqualTo("Topic");
            assertThat(access.path("operations").toString()).isEqualTo("[\"Write\"]");
            assertThat(access.path("principal").asText()).isEqualTo("User:x");
        });
    }

    @Test
    void aWrongRoleOrPrincipalIsNamed() {
        assertThat(CommandRun.of("acls", "--principal", "User:x", "--role", "king"))
                .returns(2, CommandRun::exit)
                .extracting(CommandRun::err)
                .asString()
                .contains(
                        "pipeline, views, producer, consumer, verifier, reset, redrive, ingest, redact, access, witness, but"
                                + " was 'king'");
        assertThat(CommandRun.of("acls", "--principal", "x", "--role", "views"))
                .returns(2, CommandRun::exit)
                .extracting(CommandRun::err)
                .asString()
                .contains("such as User:parley");
    }

    @Test
    void cleanShowsWhatItWouldRemoveAndRemovesItWhenTold() throws IOException {
        Path store = Files.createDirectories(directory.resolve("parley/0_1"));
        Files.writeString(store.resolve("data"), "12345");
        Path mark = Files.writeString(directory.resolve("parley-topics.properties"), "");
        Path other = Files.writeString(directory.resolve("other"), "");
        Path otherMark = Files.writeString(directory.resolve("third-topics.properties"), "");

        CommandRun shown = CommandRun.of("clean", "--set", "state.dir=" + directory);
        assertThat(shown.exit()).isZero();
        assertThat(shown.out())
                .contains("would delete directory " + directory.resolve("parley") + " (5 bytes of state of pipeline)");
        assertThat(store).exists();

        CommandRun done = CommandRun.of("clean", "--set", "state.dir=" + directory, "--execute", "--json");
        assertThat(done.exit()).isZero();
        assertThat(done.json())
                .hasSize(2)
                .allSatisfy(step -> assertThat(step.path("done").asBoolean()).isTrue());
        assertThat(directory.resolve("parley")).doesNotExist();
        assertThat(mark).doesNotExist();
        assertThat(other).exists();
        assertThat(otherMark).exists();

        assertThat(CommandRun.of("clean", "--set", "state.dir=" + directory).out())
                .contains("nothing to do");
    }

    @Test
    void cleanIsRefusedWhileAProcessUsesTheState() throws IOException {
        Path lock = Files.createDirectories(directory.resolve("parley-views")).resolve(".lock");
        try (FileChannel held = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            held.lock();
            CommandRun run = CommandRun.of("clean", "--set", "state.dir=" + directory, "--execute");
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("A process runs parley-views").contains("Stop it first");
            assertThat(lock).exists();
        }
    }

    @Test
    void resetTakesATimeAndNothingElse() {
        assertThat(CommandRun.of("reset", "--from", "yesterday"))
                .returns(2, CommandRun::exit)
                .extracting(CommandRun::err)
                .asString()
                .contains("--from must be beginning or a time");
    }

    @Test
    void checkSaysWhatIsWrongWhereNothingAnswers() {
        CommandRun run = CommandRun.of(
                "check",
                "--json",
                "--set",
                "bootstrap.servers=nowhere.invalid:9092",
                "--set",
                "schema.registry.url=http://user:hidden@nowhere.invalid:8081",
                "--set",
                "schema.registry.max.retries=0",
                "--set",
                "state.dir=" + directory.resolve("state"));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.json())
                .extracting(finding -> finding.path("check").asText())
                .contains("CLIENT_SETTINGS", "REGISTRY_SILENT");
        assertThat(run.out()).doesNotContain("hidden");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http.auth.oidc.issuer=https://id.example.com|must be set together",
                "http.auth.tokens.file=/nonexistent/tokens.jsonl|/nonexistent/tokens.jsonl",
                "http.tls.keystore.location=/nonexistent/keys.p12|/nonexistent/keys.p12",
                "http.host=0.0.0.0|without authentication",
                "http.peers.secret=short|http.peers.secret"
            })
    void checkFindsWhatRunRejectsInTheSettingsOfTheHttpApi(String setting, String problem) {
        List<JsonNode> findings = httpFindings("--set", setting);
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.path("check").asText()).isEqualTo("HTTP_SETTINGS");
            assertThat(finding.path("problem").asText()).contains(problem);
        });
    }

    @Test
    void checkFindsAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(httpFindings("--set", "http.host=127.0.0.1", "--set", "http.port=" + taken.getLocalPort()))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.path("check").asText()).isEqualTo("HTTP_SETTINGS");
                        assertThat(finding.path("problem").asText()).contains("Cannot listen", "http.port");
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka.acks", "kafka.producer.acks"})
    void checkFindsAValueThatOneKafkaClientRejects(String key) {
        assertThat(findings("kafka.*", "--set", key + "=foo")).singleElement().satisfies(finding -> {
            assertThat(finding.path("check").asText()).isEqualTo("CLIENT_SETTINGS");
            assertThat(finding.path("problem").asText()).contains("foo", "acks");
        });
    }

    @Test
    void checkFindsValuesThatOnlyParleyOrKafkaStreamsReads() {
        assertThat(findings("kafka.*", "--set", "kafka.max.poll.interval.ms=foo"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.path("problem").asText()).contains("foo", "max.poll.interval.ms"));
        assertThat(findings(
                        "kafka.*", "--set", "kafka.topic.segment.bytes=10", "--set", "kafka.producer.batch.size=100"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.path("problem").asText()).contains("segment size 10", "batch size 100"));
    }

    @Test
    void checkWarnsOfASettingThatNoKafkaClientHas() {
        assertThat(findings("kafka.consumer.securitty.protocol", "--set", "kafka.consumer.securitty.protocol=SSL"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.path("severity").asText()).isEqualTo("WARNING");
                    assertThat(finding.path("remedy").asText()).contains("kafka.consumer.security.protocol");
                });
        assertThat(findings("kafka.main.consumer.max.poll.records", "--set", "kafka.main.consumer.max.poll.records=5"))
                .isEmpty();
    }

    @Test
    void checkWarnsOfWhatRunWarnsOfInTheSettingsOfTheHttpApi() {
        assertThat(httpFindings("--set", "http.host=0.0.0.0", "--set", "http.auth.none=true"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.path("check").asText()).isEqualTo("HTTP_UNSAFE"));
        assertThat(httpFindings()).isEmpty();
    }

    @Test
    void theSummaryOfCheckCountsInPlurals() {
        CommandRun run = CommandRun.of(
                "check",
                "--set",
                "bootstrap.servers=nowhere.invalid:9092",
                "--set",
                "schema.registry.url=http://nowhere.invalid:8081",
                "--set",
                "schema.registry.max.retries=0",
                "--set",
                "state.dir=" + directory.resolve("state"));
        assertThat(run.out().lines().reduce((first, second) -> second).orElse(""))
                .matches("parley check: (1 error|(?!1 )\\d+ errors), (1 warning|(?!1 )\\d+ warnings), \\d+ info");
    }

    @Test
    void checkWarnsOfAWitnessThatDoesNotAnswer() {
        String key = NoteSigner.cosigner("w1", KeyFiles.newPair()).verifierKey().toString();
        assertThat(findings(
                        "witness w1",
                        "--set",
                        "roles=views",
                        "--set",
                        "audit.witnesses=" + key + " http://127.0.0.1:1"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.path("check").asText()).isEqualTo("WITNESS_SILENT");
                    assertThat(finding.path("severity").asText()).isEqualTo("WARNING");
                });
    }

    @Test
    void checkRejectsWrongWitnesses() {
        CommandRun run = CommandRun.of("check", "--set", "audit.witnesses.quorum=2");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("audit.witnesses.quorum", "from 0 to the 0 witnesses, but was 2");
    }

    private List<JsonNode> httpFindings(String... settings) {
        return findings("http.*", settings);
    }

    private List<JsonNode> findings(String subject, String... settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "check",
                "--json",
                "--set",
                "bootstrap.servers=nowhere.invalid:9092",
                "--set",
                "schema.registry.url=http://nowhere.invalid:8081",
                "--set",
                "schema.registry.max.retries=0",
                "--set",
                "state.dir=" + directory.resolve("state")));
        arguments.addAll(List.of("--set", "http.port=0"));
        arguments.addAll(List.of(settings));
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(run.exit()).isEqualTo(1);
        return run.json().stream()
                .filter(finding -> finding.path("subject").asText().equals(subject))
                .toList();
    }

    /** All commands that use brokers check them first, as parley check does; sql is in SqlCommandTest. */
    static List<String> commandsThatUseBrokers() {
        return List.of(
                "verify",
                "export",
                "heads",
                "redact --chain default|SLIP|1 --sequence 0 --reason trial",
                "ingest samples/slip-release.jsonl",
                "reset");
    }

    @ParameterizedTest
    @MethodSource("commandsThatUseBrokers")
    void clientSettingsThatDoNotWorkAreReportedInTheWordsOfTheCheck(String command) {
        CommandRun run = CommandRun.of((command + " --set kafka.security.protocol=NONE").split(" ", -1));

        assertThat(run.exit()).isPositive();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("CLIENT_SETTINGS (kafka.*): No client can be created from these settings: ")
                .contains("security.protocol")
                .contains("Fix bootstrap.servers and the kafka.* settings.");
    }

    /** Each command waits ten seconds, so all of them wait at once. */
    @Tag("long")
    @Test
    void brokersThatDoNotRespondAreReportedInTheWordsOfTheCheck() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        // The system accepts connections to it, and none is ever answered.
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Map<String, Future<String>> errors = new LinkedHashMap<>();
            for (String brokers : List.of("127.0.0.1:1", "127.0.0.1:" + silent.getLocalPort())) {
                for (String command : commandsThatUseBrokers()) {
                    String[] arguments = (command + " --set bootstrap.servers=" + brokers).split(" ", -1);
                    errors.put(command + " at " + brokers, threads.submit(() -> errors(arguments)));
                }
            }
            for (Map.Entry<String, Future<String>> each : errors.entrySet()) {
                String brokers = each.getKey().substring(each.getKey().lastIndexOf(' ') + 1);
                assertThat(each.getValue().get())
                        .as(each.getKey())
                        .contains("BROKERS_SILENT (brokers " + brokers + "): No broker is available: ")
                        .contains("Start the brokers, or fix bootstrap.servers.");
            }
            assertThat(directory).isEmptyDirectory();
        } finally {
            threads.shutdownNow();
        }
    }

    /** The error output of a command, which prints nothing else and fails. */
    private static String errors(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Parley.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        int exit = line.execute(arguments);
        // With 1, verification has found a fault.
        assertThat(exit).isGreaterThanOrEqualTo(arguments[0].equals("verify") ? 2 : 1);
        assertThat(out).hasToString("");
        return err.toString();
    }

    @Test
    @Timeout(60)
    void runRefusesAnExposedApiBeforeItWaitsForBrokers() {
        CommandRun run = CommandRun.of("run", "--set", "http.host=0.0.0.0", "--set", "bootstrap.servers=127.0.0.1:1");

        assertThat(run.exit()).isOne();
        assertThat(run.err())
                .startsWith("parley: http.host=0.0.0.0 exposes the API without authentication")
                .contains("http.auth.none=true");
    }
}
