package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.FakeApi.Answer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests of {@code parley approve}, and its output for the responses. */
class ApproveCommandTest {
    private static final String ITEM = "{\"chain\":\"default|MCP|s/1\",\"sequence\":%1$d,"
            + "\"time\":\"2026-01-31T12:00:00Z\",\"server\":\"fi\\u001b[32mles\","
            + "\"definitions\":[{\"kind\":\"tool\",\"name\":\"re\\u001b[33mad\"},{\"kind\":\"prompt\",\"name\":\"p\"}],"
            + "\"gloss\":\"lists \\u001b[31m tools\",\"redacted\":false,\"links\":{\"conversation\":\"c\",\"messages\":\"m\"}}";
    private static final String REDACTING = "{\"redaction\":{\"chain\":\"default|MCP|s/1\",\"sequence\":7,"
            + "\"source\":{\"topic\":\"parley.wire\",\"partition\":0,\"offset\":7,\"timestamp\":\"2026-01-31T12:00:00Z\"},"
            + "\"recordHash\":\"00\",\"reason\":\"release 2.1\",\"by\":\"token:mia\",\"time\":\"2026-01-31T12:00:00Z\","
            + "\"approves\":true},\"sent\":{\"topic\":\"parley.redaction.v1\",\"partition\":1,\"offset\":3}}";

    private final Deque<String> answers = new ArrayDeque<>();
    private int status = 200;

    @RegisterExtension
    final FakeApi api = new FakeApi(asked -> Answer.json(status, answers.remove()));

    private CommandRun approve(String... more) {
        return api.run("approve", more);
    }

    private List<String> asked() {
        return api.asked().stream()
                .map(asked -> (asked.method() + " " + asked.uri() + " " + asked.body()).strip())
                .toList();
    }

    @Test
    void withoutAMessageItListsThoseWithoutAnApproval() {
        answers.add("{\"items\":[" + ITEM.formatted(3) + "],\"next\":\"more\"}");
        answers.add("{\"items\":[" + ITEM.formatted(7) + "],\"next\":null}");
        CommandRun run = approve("--namespace", "default");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.json()).extracting(line -> line.path("sequence").asInt()).containsExactly(3, 7);
        assertThat(asked())
                .containsExactly(
                        "GET /v1/unapproved?limit=500&namespace=default",
                        "GET /v1/unapproved?limit=500&namespace=default&cursor=more");
    }

    @Test
    void theTableEscapesWhatServersDeclare() {
        answers.add("{\"items\":[" + ITEM.formatted(7) + "],\"next\":null}");
        CommandRun run = approve("--table");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("CHAIN", "default|MCP|s/1", "7", "fi\\u001b[32mles", "tool re\\u001b[33mad, prompt p")
                .contains("2026-01-31T12:00:00Z")
                .doesNotContain("\u001b", "lists");
    }

    @Test
    void theTableHasTheMessageIfItsDefinitionsAreUnknown() {
        String unknown = ITEM.formatted(7).replaceFirst("\"definitions\":\\[.*?\\]", "\"definitions\":[]");
        answers.add("{\"items\":[" + unknown + "],\"next\":null}");
        assertThat(approve("--table").out())
                .contains("lists", "\\u001b[31m", "tools")
                .doesNotContain("\u001b");
    }

    @Test
    void anApprovalIsSentWithItsReason() {
        answers.add(REDACTING);
        status = 202;
        CommandRun run = approve("--chain", "default|MCP|s/1", "--sequence", "7", "--reason", " release 2.1 ");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(asked())
                .containsExactly("POST /v1/conversations/default/mcp/~cy8x/messages/7/approve"
                        + " {\"reason\":\"release 2.1\"}");
        JsonNode line = run.json().get(0);
        assertThat(line.at("/redaction/by").asText()).isEqualTo("token:mia");
        assertThat(line.at("/sent/offset").asInt()).isEqualTo(3);
    }

    @Test
    void aRefusalIsAnErrorWithTheReasonOfTheApi() {
        answers.add("{\"type\":\"urn:parley:problem:not-approvable\",\"title\":\"x\",\"status\":409,"
                + "\"code\":\"NOT_APPROVABLE\",\"detail\":\"The message has no warning.\"}");
        status = 409;
        CommandRun run = approve("--chain", "default|SLIP|1", "--sequence", "0", "--reason", "why");
        assertThat(run.exit()).isOne();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("parley approve: The message has no warning.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--chain=default|MCP|s;--sequence",
                "--chain=default|MCP|s --sequence=1;--reason",
                "--chain=s --sequence=1 --reason=why;--chain must be namespace|PROTOCOL|conversation",
                "--chain=default|MCP|s --sequence=-1 --reason=why;--sequence must be an integer >= 0",
                "--chain=default|MCP|s --sequence=1 --reason=;--reason must have 1 to 1000 characters",
                "--chain=default|MCP|s --sequence=1 --reason=why --namespace=default;--namespace selects a list"
            })
    void anIncompleteOrInvalidCommandSendsNothing(String arguments, String problem) {
        CommandRun run = approve(arguments.split(" ", -1));
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(problem);
        assertThat(asked()).isEmpty();
    }
}
