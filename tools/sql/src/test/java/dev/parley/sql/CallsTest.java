package dev.parley.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.CommandRun;
import dev.parley.log.export.ExportFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table {@code calls}: requests of MCP with their outcomes, over HTTP with two clients behind one key. */
class CallsTest {
    @TempDir
    private static Path directory;

    private static final List<String> LINES = new ArrayList<>();
    private static Path export;

    private static void line(long second, String headers, String wire) {
        LINES.add("{\"timestamp\":" + 1_000 * second + ",\"key\":\"s\",\"headers\":{\"parley-protocol\":\"mcp\","
                + headers + "},\"wire\":" + (wire == null ? null : '"' + wire.replace("\"", "\\\"") + '"') + "}");
    }

    private static void client(long second, String exchange, String wire) {
        line(
                second,
                "\"parley-direction\":\"client-to-server\",\"parley-http-method\":\"POST\",\"parley-exchange\":\""
                        + exchange + "\"",
                wire);
    }

    private static void server(long second, String exchange, int status, String wire) {
        line(
                second,
                "\"parley-direction\":\"server-to-client\",\"parley-http-status\":\"" + status
                        + "\",\"parley-exchange\":\"" + exchange + "\"",
                wire);
    }

    private static String call(int id, String tool) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\"}}";
    }

    private static String result(int id, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[]" + more + "}}";
    }

    @BeforeAll
    static void export() throws Exception {
        client(1, "a", call(1, "of one client"));
        client(2, "b", call(1, "of another client"));
        server(5, "b", 200, result(1, ",\"isError\":true"));
        server(9, "a", 200, result(1, ""));
        client(10, "c", call(2, "on another stream"));
        server(10, "c", 202, null);
        server(11, "stream", 200, result(2, ""));
        client(12, "d", call(3, "refused by a gateway"));
        server(13, "d", 403, "<html>");
        client(14, "e", call(4, "unknown"));
        server(14, "e", 200, "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602,\"message\":\"\"}}");
        client(15, "f", call(5, "canceled"));
        client(16, "g", call(6, "late"));
        client(17, "h", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}");
        client(17, "i", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":6}}");
        server(18, "g", 200, result(6, ""));
        client(19, "j", call(7, "of a client that gave up"));
        client(20, "k", call(7, "of its twin"));
        server(21, "k", 200, result(7, ""));
        client(22, "l", call(8, "without an ID in the answer"));
        server(23, "l", 400, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"\"}}");
        line(24, "\"parley-capture\":\"end\"", null);
        client(25, "m", call(9, "later"));
        line(26, "\"parley-capture\":\"gap\"", null);
        line(27, "\"parley-capture\":\"end\"", null);
        export = SampleTrail.export(directory.resolve("export.jsonl"), ExportFormat.JSONL, SampleTrail.records(LINES));
    }

    @Test
    void eachCallHasItsOutcome() {
        CommandRun run = CommandRun.of(
                "sql",
                "SELECT name, outcome, millis, httpStatus, errorCode, failed FROM calls ORDER BY sequence",
                export.toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.json())
                .extracting(JsonNode::toString)
                .containsExactly(
                        row("of one client", "RESULT", "8000", "200", "null", "false"),
                        row("of another client", "FAILED", "3000", "200", "null", "true"),
                        row("on another stream", "RESULT", "1000", "200", "null", "false"),
                        row("refused by a gateway", "REFUSED", "1000", "403", "null", "false"),
                        row("unknown", "ERROR", "0", "200", "-32602", "false"),
                        row("canceled", "CANCELED", "null", "null", "null", "false"),
                        row("late", "LATE", "2000", "200", "null", "false"),
                        row("of a client that gave up", "HUNG", "null", "null", "null", "false"),
                        row("of its twin", "RESULT", "1000", "200", "null", "false"),
                        row("without an ID in the answer", "ERROR", "1000", "400", "-32600", "false"),
                        row("later", "OPEN", "null", "null", "null", "false"));
    }

    private static String row(
            String name, String outcome, String millis, String status, String errorCode, String failed) {
        return "{\"name\":\"" + name + "\",\"outcome\":\"" + outcome + "\",\"millis\":" + millis + ",\"httpStatus\":"
                + status + ",\"errorCode\":" + errorCode + ",\"failed\":" + failed + "}";
    }

    @Test
    void bytesAreThoseOfRequestAndResponse() {
        CommandRun run = CommandRun.of(
                "sql", "SELECT requestBytes, responseBytes FROM calls ORDER BY sequence LIMIT 1", export.toString());
        assertThat(run.json().get(0).path("requestBytes").asInt())
                .isEqualTo(call(1, "of one client").length());
        assertThat(run.json().get(0).path("responseBytes").asInt())
                .isEqualTo(result(1, "").length());
    }
}
