package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.codec.Code;
import dev.parley.dialogue.StoredText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a session of MCP has declared and left open. */
class McpChangesTest {
    private final ConversationRecorder talk = ConversationRecorder.mcp();
    private final McpChanges changes = new McpChanges();
    private final Map<String, String> state = new TreeMap<>();

    private List<Change> client(String wire) {
        return apply(talk.towards("client-to-server").send(wire));
    }

    private List<Change> server(String wire) {
        return apply(talk.towards("server-to-client").send(wire));
    }

    private List<Change> apply(AuditRecord record) {
        List<Change> made = changes.of(record);
        made.forEach(change -> change.value()
                .ifPresentOrElse(value -> state.put(change.entry(), value), () -> state.remove(change.entry())));
        return made;
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static String result(int id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    @Test
    void theHandshakeSetsVersionAndCapabilities() {
        client(request(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{}}}"));
        server(result(0, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{\"listChanged\":true}}}"));
        assertThat(state)
                .containsExactly(
                        Map.entry("client/roots", "{}"),
                        Map.entry("server/tools", "{\"listChanged\":true}"),
                        Map.entry("version", "2025-06-18"));
        assertThat(changes.bytes()).isEqualTo("roots".length() + "tools".length());
    }

    @Test
    void anotherHandshakeReplacesCapabilitiesAndEndsRequests() {
        client(request(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{}}}"));
        server(result(0, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},\"logging\":{}}}"));
        client(request(1, "ping", "{}"));
        client(request(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"sampling\":{}}}"));
        server(result(0, "{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{\"tools\":{}}}"));
        assertThat(state).containsOnlyKeys("client/sampling", "server/tools", "version");
        assertThat(changes.bytes()).isEqualTo("sampling".length() + "tools".length());
    }

    @Test
    void capabilitiesWithoutAVersionChangeNothing() {
        client(request(1, "ping", "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}}}}"));
        assertThat(state).containsExactly(Map.entry("request/1", "ping"));
    }

    @Test
    void aRequestOf20260728SetsVersionAndCapabilities() {
        client(request(
                1,
                "ping",
                "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        + "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}}}}"));
        assertThat(state)
                .containsExactly(
                        Map.entry("client/sampling", "{}"),
                        Map.entry("request/1", "ping"),
                        Map.entry("version", "2026-07-28"));
    }

    @Test
    void aListReplacesTheDefinitionsOfItsKind() {
        client(request(1, "tools/list", "{}"));
        server(result(1, "{\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"},{\"x\":1}]}"));
        client(request(2, "tools/list", "{}"));
        server(result(2, "{\"tools\":[{\"name\":\"b\",\"title\":\"B\"}]}"));
        assertThat(state).containsExactly(Map.entry("tool/b", "{\"name\":\"b\",\"title\":\"B\"}"));
        assertThat(changes.bytes()).isEqualTo("b".length() + StoredText.key("").length());
    }

    @Test
    void onlyAListThatDiffersIsAChange() {
        String[] titles = {"A", "A", "B", "A"};
        List<Integer> made = new ArrayList<>();
        for (int id = 0; id < titles.length; id++) {
            client(request(id, "tools/list", "{\"cursor\":null}"));
            String tool = "{\"title\":\"" + titles[id] + "\",\"name\":\"a\",\"_meta\":{\"n\":" + id + "}}";
            made.add((int) server(result(id, "{\"tools\":[" + tool + "," + tool + "],\"nextCursor\":null}")).stream()
                    .filter(change -> change.entry().equals("tool/a"))
                    .count());
        }
        assertThat(made).containsExactly(1, 0, 1, 1);
    }

    @Test
    void aViolationOfTheFormHidesNoChange() {
        client(request(1, "tools/list", "{}"));
        server(result(1, "{\"tools\":[{\"name\":\"a\"}]}"));
        client(request(2, "tools/list", "{}"));
        AuditRecord record = talk.towards("server-to-client")
                .sendAny("{\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\",\"title\":\"A\"}]}}");
        assertThat(record.getCode()).isEqualTo(Code.MCP_JSONRPC_VERSION.name());
        assertThat(record.getWarnings()).containsExactly(Code.MCP_DEFINITION_CHANGED.name());
    }

    @Test
    void theResponseToAnotherClientWithTheSameIdRemovesNoDefinition() {
        talk.in("1");
        client(request(1, "tools/list", "{}"));
        server(result(1, "{\"tools\":[{\"name\":\"a\"}]}"));
        talk.in("2");
        client(request(2, "tools/list", "{}"));
        talk.in("3");
        client(request(2, "resources/read", "{\"uri\":\"a:1\"}"));
        server(result(2, "{\"contents\":[]}"));
        assertThat(state).containsOnlyKeys("tool/a");
        server(result(2, "{\"contents\":[]}"));
        assertThat(state).containsOnlyKeys("tool/a");
        talk.in("2");
        server(result(2, "{\"tools\":[]}"));
        assertThat(state).isEmpty();
    }

    @Test
    void messagesOfABatchAreFollowed() {
        client("[" + request(1, "tools/list", "{}") + "," + request(2, "ping", "{}") + "]");
        server("[" + result(1, "{\"tools\":[{\"name\":\"a\"}]}") + "]");
        assertThat(state).containsOnlyKeys("tool/a", "request/2");
    }

    @Test
    void pagesOfAListAreOneList() {
        client(request(1, "resources/list", "{}"));
        server(result(1, "{\"resources\":[{\"uri\":\"a:1\"}]}"));
        client(request(2, "resources/list", "{}"));
        server(result(2, "{\"resources\":[{\"uri\":\"a:2\"}],\"nextCursor\":\"x\"}"));
        assertThat(state).containsOnlyKeys("resource/a:1", "resource/a:2");
        client(request(3, "resources/list", "{\"cursor\":\"x\"}"));
        server(result(3, "{\"resources\":[{\"uri\":\"a:3\"}]}"));
        assertThat(state).containsOnlyKeys("resource/a:2", "resource/a:3");
    }

    @Test
    void aRequestIsOpenUntilItsResponseOrCancellation() {
        client(request(1, "tools/call", "{\"name\":\"add\"}"));
        server(request(1, "roots/list", "{}"));
        assertThat(state)
                .containsExactly(Map.entry("request/1", "tools/call add"), Map.entry("request/server 1", "roots/list"));
        assertThat(changes.bytes()).isPositive();
        client("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}");
        client("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        assertThat(state).isEmpty();
        assertThat(changes.bytes()).isZero();
    }

    @Test
    void subscriptionsAndTasksFollowTheirMessages() {
        client(request(1, "resources/subscribe", "{\"uri\":\"a:1\"}"));
        server(result(1, "{}"));
        client(request(2, "tools/call", "{\"name\":\"a\",\"task\":{}}"));
        server(result(2, "{\"task\":{\"taskId\":\"t\",\"status\":\"working\"}}"));
        assertThat(state)
                .containsExactly(Map.entry("subscription/a:1", "\"open\""), Map.entry("task/t", "\"working\""));
        server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\","
                + "\"params\":{\"taskId\":\"t\",\"status\":\"completed\"}}");
        client(request(3, "resources/unsubscribe", "{\"uri\":\"a:1\"}"));
        server(result(3, "{}"));
        assertThat(state).containsExactly(Map.entry("task/t", "\"completed\""));
    }

    @Test
    void aListOfAnUnknownRequestChangesNothing() {
        assertThat(server(result(7, "{\"tools\":[{\"name\":\"a\"}]}"))).isEmpty();
    }
}
