package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.FakeApi.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code parley mcp}: the requests that it makes of lines, and the lines that it makes of responses. */
class McpCommandTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    @TempDir
    private Path directory;

    private final Deque<Answer> answers = new ArrayDeque<>();

    @RegisterExtension
    final FakeApi api = new FakeApi(asked -> answers.remove());

    private CommandRun run(String in, String... more) {
        return api.fed(in, "mcp", more);
    }

    private List<String> headers(String name) {
        return api.asked().stream().map(asked -> asked.header(name)).toList();
    }

    @Test
    void eachLineIsPostedWithTheTokenAndItsResponseIsALine() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "parley_x\n");
        answers.add(Answer.json(PONG));
        answers.add(Answer.json(PONG));
        CommandRun run = run(PING + "\r\n\n" + PING + "\n", "--token-file", token.toString());

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo(PONG + "\n" + PONG + "\n");
        assertThat(api.asked()).hasSize(2).allSatisfy(asked -> {
            assertThat(asked.method() + asked.uri() + asked.body()).isEqualTo("POST/mcp" + PING);
            assertThat(asked.header("Authorization")).isEqualTo("Bearer parley_x");
            assertThat(asked.header("MCP-Protocol-Version") + asked.header("Mcp-Method") + asked.header("Mcp-Name"))
                    .isEmpty();
        });
    }

    @Test
    void aNotificationHasNoAnswerEvenIfItFails() {
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
        answers.add(new Answer(202, null, ""));
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

        assertThat(headers("MCP-Protocol-Version")).containsExactly("", "2025-06-18");
    }

    @Test
    void aRequestThatNamesItsVersionHasTheHeadersOfThatVersion() {
        answers.add(Answer.json(PONG));
        answers.add(Answer.json(PONG));
        String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}";
        run("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"judge\"," + meta + "}}\n"
                + "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"é\\n\"," + meta
                + "}}\n");

        assertThat(headers("MCP-Protocol-Version")).containsOnly("2026-07-28");
        assertThat(headers("Mcp-Method")).containsOnly("tools/call");
        assertThat(headers("Mcp-Name")).containsExactly("judge", "=?base64?w6kK?=");
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
        api.stop();
        CommandRun run = run("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n");

        assertThat(run.exit()).isZero();
        assertThat(run.json().get(0).path("id").asText()).isEqualTo("a");
        assertThat(run.json().get(0).at("/error/message").asText())
                .contains(api.url() + " is unavailable", "parley run");
    }

    @Test
    void aLineThatIsNoJsonIsAnErrorWithoutId() {
        CommandRun run = run("hello\n{\"jsonrpc\":\n   \n{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\"}\n");
        assertThat(run.json()).hasSize(4).allSatisfy(error -> {
            assertThat(error.at("/error/code").asInt()).isEqualTo(-32700);
            assertThat(error.has("id")).isFalse();
        });
        assertThat(api.asked()).isEmpty();
    }

    @Test
    void aLineBeyondTheLimitIsAnErrorAndTheNextOneIsAnswered() {
        answers.add(Answer.json(PONG));
        CommandRun run = run("{\"a\":\"" + "x".repeat(2 << 20) + "\"}\n" + PING + "\n");

        assertThat(run.json().get(0).at("/error/message").asText()).contains("1048576 bytes");
        assertThat(run.out().lines().skip(1)).containsExactly(PONG);
        assertThat(api.asked()).hasSize(1);
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
