package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code parley mcp}: the requests that it makes of lines, and the lines that it makes of responses. */
class McpCommandTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    @TempDir
    private Path directory;

    /**
     * A response.
     *
     * @param body null for none
     */
    private record Answer(int status, String type, String body) {
        static Answer json(String body) {
            return new Answer(200, "application/json", body);
        }
    }

    /** A request: its body, and its headers of MCP, each empty if absent. */
    private record Asked(String path, String token, String body, String version, String method, String name) {}

    private final List<Asked> asked = new ArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(new Asked(
                exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                header(exchange, "Authorization"),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8),
                header(exchange, "MCP-Protocol-Version"),
                header(exchange, "Mcp-Method"),
                header(exchange, "Mcp-Name")));
        Answer answer = answers.remove();
        if (answer.type() != null) {
            exchange.getResponseHeaders().add("Content-Type", answer.type());
        }
        byte[] body = answer.body() == null ? new byte[0] : answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private CommandRun run(String in, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "mcp", "--url", "http://127.0.0.1:" + server.getAddress().getPort()));
        arguments.addAll(List.of(more));
        return CommandRun.fed(in, arguments.toArray(String[]::new));
    }

    @Test
    void eachLineIsPostedWithTheTokenAndItsResponseIsALine() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "parley_x\n");
        answers.add(Answer.json(PONG));
        answers.add(Answer.json(PONG));
        CommandRun run = run(PING + "\r\n\n" + PING + "\n", "--token-file", token.toString());

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(PONG + "\n" + PONG + "\n");
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0)).isEqualTo(new Asked("POST /mcp", "Bearer parley_x", PING, "", "", ""));
    }

    @Test
    void aNotificationHasNoAnswerEvenIfItFails() {
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
        answers.add(new Answer(202, null, null));
        answers.add(new Answer(503, "application/problem+json", "{\"code\":\"TOO_BUSY\",\"detail\":\"Too busy.\"}"));
        CommandRun run = run(notification + notification);

        assertThat(run.exit()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Too busy.");
    }

    @Test
    void theNegotiatedVersionIsAHeaderOfLaterRequests() {
        answers.add(Answer.json("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\"}}"));
        answers.add(Answer.json(PONG));
        run("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n" + PING + "\n");

        assertThat(asked).extracting(Asked::version).containsExactly("", "2025-06-18");
    }

    @Test
    void aRequestThatNamesItsVersionHasTheHeadersOfThatVersion() {
        answers.add(Answer.json(PONG));
        answers.add(Answer.json(PONG));
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}";
        run("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"judge\"," + meta + "}}\n"
                + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"é\\n\"," + meta
                + "}}\n");

        assertThat(asked.get(0).version()).isEqualTo("2026-07-28");
        assertThat(asked.get(0).method()).isEqualTo("tools/call");
        assertThat(asked.get(0).name()).isEqualTo("judge");
        assertThat(asked.get(1).name()).isEqualTo("=?base64?w6kK?=");
    }

    @ParameterizedTest
    @CsvSource({
        "401, TOKEN_INVALID, Pass --token-file",
        "429, RATE_LIMITED, Retry after 3 s",
        "503, VIEWS_UNAVAILABLE, Retry after 3 s"
    })
    void aProblemOfTheApiIsAnErrorWithItsRemedy(int status, String code, String remedy) {
        answers.add(new Answer(
                status,
                "application/problem+json",
                "{\"status\":" + status + ",\"code\":\"" + code + "\",\"detail\":\"Retry after 3 s.\"}"));
        answers.add(Answer.json(PONG));
        CommandRun run = run(PING + "\n" + PING + "\n");

        JsonNode error = run.json().get(0);
        assertThat(error.path("id").asInt()).isEqualTo(1);
        assertThat(error.at("/error/code").asInt()).isEqualTo(-32603);
        assertThat(error.at("/error/message").asText()).contains(remedy);
        assertThat(run.out().lines().skip(1)).containsExactly(PONG);
    }

    @Test
    void anErrorOfMcpIsPassedOn() {
        String error = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Unknown method\"}}";
        answers.add(new Answer(404, "application/json", error));
        assertThat(run(PING + "\n").out()).isEqualTo(error + "\n");
    }

    @Test
    void anApiThatIsAwayIsAnErrorThatNamesIt() {
        int port = server.getAddress().getPort();
        server.stop(0);
        CommandRun run = CommandRun.fed(
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n", "mcp", "--url", "http://127.0.0.1:" + port);

        assertThat(run.exit()).isZero();
        assertThat(run.json().get(0).path("id").asText()).isEqualTo("a");
        assertThat(run.json().get(0).at("/error/message").asText())
                .contains("http://127.0.0.1:" + port + " is unavailable", "parley run");
    }

    @Test
    void aLineThatIsNoJsonIsAnErrorWithoutId() {
        CommandRun run = run("hello\n{\"jsonrpc\":\n");
        assertThat(run.json()).hasSize(2).allSatisfy(error -> {
            assertThat(error.at("/error/code").asInt()).isEqualTo(-32700);
            assertThat(error.has("id")).isFalse();
        });
        assertThat(asked).isEmpty();
    }

    @Test
    void aLineBeyondTheLimitIsAnErrorAndTheNextOneIsAnswered() {
        answers.add(Answer.json(PONG));
        CommandRun run = run("{\"a\":\"" + "x".repeat(2 << 20) + "\"}\n" + PING + "\n");

        assertThat(run.json().get(0).at("/error/message").asText()).contains("1048576 bytes");
        assertThat(run.out().lines().skip(1)).containsExactly(PONG);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aResponseOfSeveralLinesIsPrintedOnOne() {
        answers.add(Answer.json("{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\n\"result\":{\"a\":\"\u2028\\u001b[31m\"}}"));
        CommandRun run = run(PING + "\n");

        assertThat(run.out().lines()).hasSize(1);
        assertThat(run.out()).doesNotContain("\u001b", "\u2028");
        assertThat(run.json().get(0).at("/result/a").asText()).isEqualTo("\u2028\u001b[31m");
    }

    @Test
    void aResponseThatIsNotOfParleyIsAnError() {
        answers.add(new Answer(200, "text/html", "<html>"));
        assertThat(run(PING + "\n").json().get(0).at("/error/message").asText())
                .contains("Check that the URL is that of Parley's HTTP API");
    }
}
