package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.cli.FakeApi.Answer;
import dev.parley.cli.io.Table;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of {@code parley status} to the HTTP API, and its output. */
class StatusCommandTest {
    private final Map<String, String> bodies = new TreeMap<>();
    private final Map<String, Integer> statuses = new TreeMap<>();

    @RegisterExtension
    final FakeApi api = new FakeApi(asked -> Answer.json(
            statuses.getOrDefault(asked.uri().getPath(), 200),
            bodies.getOrDefault(asked.uri().getPath(), "{}")));

    @BeforeEach
    void fill() {
        bodies.put("/health/ready", """
            {"status":"UP","parts":[{"name":"pipeline","status":"ready","detail":"RUNNING"}]}""");
        bodies.put("/v1/status", """
            {"ready":true,"parts":[],"pipeline":{"balanced":true,"total":{"inputs":92,"accepted":60,"flagged":0,\
            "rejected":20,"undecodable":10,"parked":2,"pending":0,"lag":0},"partitions":[{"topic":"parley.wire",\
            "partition":0,"inputs":92,"parked":2,"pending":0,"lag":0,"stalledBy":null}]},"lag":null,\
            "heads":{"lastSigned":"2026-01-31T12:00:00Z","records":92},"features":{}}""");
        bodies.put("/v1/dead-letters/counts", """
            {"items":[{"stage":"DECODE","code":"SLIP_BAD_STRING","partition":0,"count":3},\
            {"stage":"DECODE","code":"SLIP_BAD_STRING","partition":1,"count":4},\
            {"stage":"INTERNAL","code":null,"partition":0,"count":9}],"next":null}""");
    }

    private String url() {
        return api.url();
    }

    private Set<String> tokens() {
        return api.asked().stream().map(asked -> asked.header("Authorization")).collect(Collectors.toSet());
    }

    @Test
    void oneScreenShowsPartsAccountingDeadLettersAndTheLog() {
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out().lines()).hasSizeLessThan(40).allMatch(line -> Table.displayWidth(line) <= 80);
        assertThat(run.out())
                .contains("Parley at " + url() + " is UP")
                .contains("pipeline  ready   RUNNING")
                .contains("Accounting: balanced. 92 inputs = 60 accepted")
                .contains("2 parked")
                .contains("Lag: 0.")
                .contains("Dead letters: 16")
                .containsPattern("INTERNAL +9\nDECODE SLIP_BAD_STRING +7\n")
                .contains("Audit log: 92 records in its heads, last signed at 2026-01-31T12:00:00Z");
        assertThat(run.out()).doesNotContain("\u001b");
    }

    @Test
    void aDeadLetterIsShownWithItsMeaningAndRemedy() {
        String id = "parley.dlq.judge.v1/0/7";
        bodies.put("/v1/dead-letters/" + id, """
            {"id":"parley.dlq.judge.v1/0/7","stage":"JUDGE","code":"SLIP_TURN_REGRESSION",\
            "detail":"The next free turn is 5.","exception":null,"position":null,"protocol":"SLIP",\
            "namespace":"default","conversation":"c\\u3164","sender":"0","claimed":false,"attempt":1,\
            "returned":false,"timestamp":"2026-01-31T12:00:00Z",\
            "source":{"topic":"parley.wire","partition":1,"offset":42},\
            "deadLetter":{"topic":"parley.dlq.judge.v1","partition":0,"offset":7},"valueSize":4,"sha256":null,\
            "preview":null,"previewEncoding":null,"gloss":null,"redacted":false,"bodyOmitted":false,\
            "value":"QGEzXG4=","key":null,"headers":[],"inner":[],"attempts":1,"redrives":[]}""");

        CommandRun table = CommandRun.of("dlq", "show", "--table", "--url", url(), id);
        CommandRun json = CommandRun.of("dlq", "show", "--url", url(), id);

        assertThat(table.exit()).as(table.err()).isZero();
        assertThat(table.out())
                .contains(
                        id,
                        "SLIP_TURN_REGRESSION",
                        "The next free turn is 5.",
                        "meaning",
                        "docs/protocols.md, 1.3",
                        "remedy")
                .contains("c\\u3164", "@a3", "parley dlq redrive --dry-run " + id)
                .doesNotContain("\u3164", "exception");
        assertThat(table.out().lines()).allMatch(line -> Table.displayWidth(line) <= 80);
        assertThat(json.out()).contains("\"detail\"").contains("c\\u3164").doesNotContain("remedy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SSH-2.0-OpenSSH_9.2\r\n"})
    void aPortThatDoesNotSpeakHttpIsNamed(String greeting) throws IOException {
        CommandRun run = status("http", greeting);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("this port does not speak HTTP", "Kafka broker");
    }

    @Test
    void aPortWithoutTlsIsNamed() throws IOException {
        assertThat(status("https", "HTTP/1.1 400 Bad Request\r\n\r\n").err()).contains("this port does not speak TLS");
    }

    /** The status of a server that reads four bytes, as a broker reads a length, answers, and closes the connection. */
    private static CommandRun status(String scheme, String answer) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                while (!server.isClosed()) {
                    try (Socket client = server.accept()) {
                        client.getInputStream().readNBytes(4);
                        client.getOutputStream().write(answer.getBytes(UTF_8));
                    } catch (IOException e) {
                        // The client or the test has closed it.
                    }
                }
            });
            thread.start();
            return CommandRun.of("status", "--url", scheme + "://127.0.0.1:" + server.getLocalPort());
        }
    }

    @Test
    void theTokenOfTheFileIsSent(@TempDir Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        CommandRun.of("status", "--url", url(), "--token-file", token.toString());

        assertThat(tokens()).containsExactly("Bearer secret");
    }

    @Test
    void anEmptyTokenFileIsAnError(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "\n");
        CommandRun run = CommandRun.of("status", "--url", url(), "--token-file", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(file + " has no token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret-1\nsecret-2\n", "secret 1", "secr\u00e9t-1", "secret\u007f"})
    void aFileThatIsNoTokenIsRefusedWithoutItsContent(String content, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("token"), content);
        CommandRun run = CommandRun.of("status", "--url", url(), "--token-file", file.toString());

        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(file + " must contain one token").doesNotContain("secr");
        assertThat(tokens()).isEmpty();
    }

    @Test
    void aMissingTokenIsAnErrorThatSaysWhatToDo() {
        statuses.put("/health/ready", 401);
        bodies.put("/health/ready", "{\"detail\":\"Authentication required.\"}");
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("parley status: Authentication required. Pass --token-file, or set PARLEY_TOKEN.\n");
    }

    @Test
    void aPartThatIsNotReadyIsExitStatusOne() {
        statuses.put("/health/ready", 503);
        bodies.put(
                "/health/ready",
                "{\"status\":\"DOWN\",\"parts\":[{\"name\":\"views\",\"status\":\"starting\",\"detail\":\"Restoring.\"}]}");
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("is DOWN", "Restoring.");
    }

    @Test
    void anInstanceWithoutViewsShowsItsParts() {
        statuses.put("/v1/status", 404);
        bodies.put("/v1/status", "{\"detail\":\"This instance has no views.\"}");
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("pipeline", "This instance has no views.");
    }

    @Test
    void hostileNamesAreEscaped() {
        bodies.put("/v1/status", bodies.get("/v1/status").replace("parley.wire", "a\\u001b[2K\\u202e\\nforged"));
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.out()).contains("a\\u001b[2K\\u202e\\u000aforged").doesNotContain("\u001b", "\u202e");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--url http://127.0.0.1:1;1;is unavailable: connection refused",
                "--url ftp://127.0.0.1;2;must be an http or https URL",
                "--url nonsense;2;--url must have a scheme, but was 'nonsense'; did you mean http://nonsense?",
                "--url 127.0.0.1:8080;2;did you mean http://127.0.0.1:8080? (see parley status --help)",
                "--url http://a^b;2;--url must be a URL, but was",
                "--url http://127.0.0.1:65536;2;--url must have a port of at most 65535, but was",
                "--url http://alice:secret@127.0.0.1;2;--url must not contain a user or password; use a token",
                "--token-file nowhere;2;cannot read nowhere: no such file or directory"
            })
    void anErrorSaysWhatIsWrong(String arguments, int exit, String says) {
        CommandRun run = CommandRun.of(("status " + arguments).split(" "));

        assertThat(run.exit()).isEqualTo(exit);
        assertThat(run.err()).contains(says).doesNotContain("null", "Exception");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"200;<html>", "200;{}", "200;null", "404;{\"error_code\":404,\"message\":\"no\"}", "404;null"})
    void somethingElseThatListensIsNamed(int status, String body) {
        statuses.put("/health/ready", status);
        bodies.put("/health/ready", body);
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err())
                .contains("/health/ready returned " + status + " without a body of Parley")
                .contains("Check that the URL is that of Parley's HTTP API");
    }
}
