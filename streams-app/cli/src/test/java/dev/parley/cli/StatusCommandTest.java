package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.cli.io.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of {@code parley status} to the HTTP API, and its output. */
class StatusCommandTest {
    private final Map<String, String> bodies = new TreeMap<>();
    private final Map<String, Integer> statuses = new TreeMap<>();
    private final Set<String> tokens = new TreeSet<>();
    private volatile int readiness;
    private IntConsumer beforeReadiness = count -> {};
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        bodies.put("/health/ready", """
            {"status":"UP","parts":[{"name":"pipeline","status":"ready","detail":"RUNNING"}]}""");
        bodies.put("/v1/accounting", """
            {"balanced":true,"total":{"inputs":92,"accepted":60,"flagged":0,"rejected":20,"undecodable":10,"parked":2,\
            "pending":0,"lag":0},"partitions":[{"topic":"parley.wire","partition":0,"inputs":92,"parked":2,\
            "pending":0,"lag":0,"stalledBy":null}]}""");
        bodies.put("/v1/dead-letters/counts", """
            {"items":[{"stage":"DECODE","code":"SLIP_BAD_STRING","partition":0,"count":3},\
            {"stage":"DECODE","code":"SLIP_BAD_STRING","partition":1,"count":4},\
            {"stage":"INTERNAL","code":null,"partition":0,"count":9}],"next":null}""");
        bodies.put("/v1/conversations", """
            {"items":[{"chain":"default|SLIP|1","messages":7,"lastSequence":6,"lastHash":"83269c53aabbccdd",\
            "lastTime":"2026-01-31T12:00:00Z"}],"next":null}""");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        if (path.equals("/health/ready")) {
            beforeReadiness.accept(++readiness);
        }
        byte[] body = bodies.getOrDefault(path, "{}").getBytes(UTF_8);
        exchange.sendResponseHeaders(statuses.getOrDefault(path, 200), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void oneScreenShowsPartsAccountingDeadLettersAndHeads() {
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
                .containsPattern("DECODE +SLIP_BAD_STRING +7\n")
                .contains("Chains: 1, with 7 records.")
                .containsPattern("default\\|SLIP\\|1 +6 +83269c53aabb +2026-01-31T12:00:00Z");
        assertThat(run.out()).doesNotContain("\u001b");
    }

    @Test
    void jsonIsOneObjectWithTheAnswersOfTheApi() {
        CommandRun run = CommandRun.of("status", "--json", "--url", url());
        JsonNode status = run.json().get(0);

        assertThat(run.json()).hasSize(1);
        assertThat(status.at("/accounting/total/parked").asInt()).isEqualTo(2);
        assertThat(status.at("/deadLetters/codes/0/code").isNull()).isTrue();
        assertThat(status.at("/deadLetters/codes/1/count").asInt()).isEqualTo(7);
        assertThat(status.at("/chains/latestHeads/0/hash").asText()).isEqualTo("83269c53aabbccdd");
    }

    @Test
    void theTokenOfTheFileIsSent(@TempDir Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "secret\n");
        CommandRun.of("status", "--url", url(), "--token-file", token.toString());

        assertThat(tokens).containsExactly("Bearer secret");
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
        assertThat(tokens).isEmpty();
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
        statuses.put("/v1/accounting", 404);
        bodies.put("/v1/accounting", "{\"detail\":\"This instance has no views.\"}");
        CommandRun run = CommandRun.of("status", "--url", url());

        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("pipeline", "This instance has no views.");
    }

    @Test
    void aCountOfAListWithFurtherPagesIsALowerBound() {
        bodies.put("/v1/conversations", bodies.get("/v1/conversations").replace("\"next\":null", "\"next\":\"more\""));

        assertThat(CommandRun.of("status", "--url", url()).out()).contains("Chains: at least 10, with 70 records.");
    }

    @Test
    void hostileNamesAreEscaped() {
        bodies.put(
                "/v1/conversations",
                bodies.get("/v1/conversations").replace("default|SLIP|1", "a\\u001b[2K\\u202e\\nforged"));
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
                "--watch 0;2;--watch must be an integer >= 1",
                "--token-file nowhere;2;cannot read nowhere: no such file or directory"
            })
    void anErrorSaysWhatIsWrong(String arguments, int exit, String says) {
        CommandRun run = CommandRun.of(("status " + arguments).split(" "));

        assertThat(run.exit()).isEqualTo(exit);
        assertThat(run.err()).contains(says).doesNotContain("null", "Exception");
    }

    @Test
    void watchingRepeatsTheScreenAndOutlivesAFailure() {
        // The second answer is an error. After the third one, the reader of the output leaves.
        String ready = bodies.get("/health/ready");
        beforeReadiness = count -> {
            statuses.put("/health/ready", count == 2 ? 401 : 200);
            bodies.put("/health/ready", count == 2 ? "{\"detail\":\"Later.\"}" : ready);
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        OutputStream reader = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                if (readiness > 3) {
                    throw new IOException("Broken pipe");
                }
                out.write(b);
            }
        };
        StringWriter err = new StringWriter();

        int exit = CommandRun.run(InputStream.nullInputStream(), reader, err, "status", "--watch", "1", "--url", url());

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString(UTF_8).split("Parley at ", -1)).hasSize(3);
        assertThat(out.toString(UTF_8)).contains("Z\n\nParley at ").doesNotContain("\u001b");
        assertThat(err.toString().lines().filter(line -> !line.isEmpty()))
                .singleElement()
                .asString()
                .isEqualTo("parley status: Later. Pass --token-file, or set PARLEY_TOKEN.");
    }

    @Test
    void aStopWhileItWatchesIsQuiet(@TempDir Path directory) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        // The configuration of the product, not of the tests.
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parley.class.getName(),
                        "status",
                        "--json",
                        "--watch",
                        "--url",
                        url())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(out).lines().count() > 1);
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(err)).isEmpty();
        assertThat(Files.readString(out)).endsWith("}\n");
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
