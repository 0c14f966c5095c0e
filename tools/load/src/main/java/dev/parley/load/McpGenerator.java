package dev.parley.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A session of MCP over stdio: the handshake, then calls of tools and their results, some with progress. */
final class McpGenerator extends ConversationGenerator {
    private static final String VERSION = "2025-11-25";

    private int step;
    private int id;
    private int progress;
    private boolean isOpen;

    McpGenerator(RandomGenerator random, long number) {
        super(random, "parley.wire.mcp", "mcp-" + number, random.nextInt(6, 24));
    }

    @Override
    Line legal() {
        step++;
        return switch (step) {
            case 1 ->
                sent(
                        true,
                        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                                + VERSION + "\",\"capabilities\":{}}}",
                        ExpectedOutcome.ACCEPTED);
            case 2 ->
                sent(
                        false,
                        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"" + VERSION
                                + "\",\"capabilities\":{\"tools\":{}}}}",
                        ExpectedOutcome.ACCEPTED);
            case 3 ->
                sent(true, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", ExpectedOutcome.ACCEPTED);
            default -> isOpen ? answer() : call();
        };
    }

    private Line call() {
        isOpen = true;
        progress = 0;
        id++;
        return sent(
                true,
                request(
                        id,
                        "tools/call",
                        "{\"name\":\"" + word(3, 8) + "\",\"arguments\":{\"text\":\"" + word(20, 200)
                                + "\"},\"_meta\":{\"progressToken\":" + id + "}}"),
                ExpectedOutcome.ACCEPTED);
    }

    private Line answer() {
        if (progress < 3 && random().nextInt(3) == 0) {
            progress++;
            return sent(
                    false,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" + id
                            + ",\"progress\":" + progress + "}}",
                    ExpectedOutcome.ACCEPTED);
        }
        isOpen = false;
        return sent(
                false,
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\""
                        + word(20, 400) + "\"}]}}",
                ExpectedOutcome.ACCEPTED);
    }

    @Override
    Line illegal(int kind) {
        if (step < 3) {
            return legal();
        }
        return switch (kind % 4) {
            case 0 -> sent(true, request(0, "ping", "{}"), ExpectedOutcome.rejected("MCP_ID_REUSED"));
            case 1 -> sent(true, request(1_000 + kind, "tools/call", "{}"), ExpectedOutcome.rejected("MCP_PARAMETER"));
            case 2 ->
                sent(
                        true,
                        request(1_000 + kind, "ping", "{\"a\":1,\"a\":2}"),
                        ExpectedOutcome.undecodable("MCP_DUPLICATE_KEY"));
            default -> sent(false, "Server started on port " + kind, ExpectedOutcome.undecodable("MCP_NOT_JSON"));
        };
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + '}';
    }

    private Line sent(boolean isClients, String value, ExpectedOutcome expected) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("parley-protocol", "mcp");
        headers.put("parley-direction", isClients ? "client-to-server" : "server-to-client");
        if (step == 1) {
            headers.put("parley-capture", "start");
        }
        return new Line(value, headers, expected, false);
    }

    @Override
    boolean mayEnd() {
        return !isOpen && step > 2;
    }
}
