package dev.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.transcript.DelimitedReader;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.Utf8;
import dev.parley.json.ApiJson;
import dev.parley.server.api.mcp.McpMessage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code parley mcp}: a server of MCP over stdio, which passes each message on to the HTTP API. */
@Command(
        name = "mcp",
        description = "Serves MCP over standard input and output, so that agents can ask a running Parley: for verdicts"
                + " and remedies, states, history, open items, and the verdict on a draft. Read-only.",
        footer = {
            "",
            "A client of MCP starts this command. Clients that speak streamable HTTP do not need it: they use the"
                    + " path /mcp of the HTTP API. Needs a token with the role reader if authentication is on.",
            "",
            "Exit status: 0 at the end of the input.",
            "",
            "The configuration of Claude Desktop, Cursor and VS Code is in docs/mcp.md.",
            "",
            "Example:",
            "  parley mcp --url http://127.0.0.1:8080 --token-file token"
        })
final class McpCommand extends BaseCommand {
    private static final int MAX_LINE_BYTES = 1 << 20;
    private static final String VERSION = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

    @Mixin
    private ApiOptions api;

    /** Version of the last handshake; empty before it. */
    private String negotiated = "";

    @Override
    public Integer call() throws IOException {
        ApiClient client = api.client();
        DelimitedReader lines = new DelimitedReader(System.in, false, MAX_LINE_BYTES);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (line.length > 0) {
                answer(client, line);
            }
            if (StandardOutput.failure().isPresent()) {
                return 1;
            }
        }
        return 0;
    }

    private void answer(ApiClient client, byte[] line) {
        JsonNode id = null;
        try {
            if (line.length > MAX_LINE_BYTES) {
                throw new IOException("too long");
            }
            JsonNode message = ApiJson.read(line, ApiJson.type(JsonNode.class));
            if (!Utf8.canEncode(message.path("id").asText())) {
                throw new IOException("no response can have this ID");
            }
            id = message.get("id");
            client.mcp(line, headers(message)).ifPresent(response -> {
                negotiated = response.at("/result/protocolVersion").asText(negotiated);
                JsonLines.print(response);
            });
        } catch (IOException e) {
            printError(
                    null,
                    McpMessage.PARSE_ERROR,
                    "The line must be one JSON object of at most " + MAX_LINE_BYTES + " bytes.");
        } catch (IllegalStateException e) {
            if (id == null) {
                report(describe(e));
            } else {
                printError(id, McpMessage.INTERNAL_ERROR, describe(e));
            }
        }
    }

    /** The headers that a client of streamable HTTP sends with a message. */
    private Map<String, String> headers(JsonNode message) {
        JsonNode version = message.at(VERSION);
        Map<String, String> headers = new HashMap<>();
        if (version.isTextual()) {
            headers.put("Mcp-Method", header(message.path("method").asText()));
            headers.put("Mcp-Name", header(message.at("/params/name").asText()));
        }
        headers.put("MCP-Protocol-Version", header(version.asText(negotiated)));
        headers.values().removeIf(String::isEmpty);
        return headers;
    }

    /** A value as a header, in Base64 if no header can contain it. */
    private static String header(String text) {
        return text.equals(text.strip()) && text.chars().allMatch(c -> c >= ' ' && c <= '~') && !text.startsWith("=?")
                ? text
                : McpMessage.base64(text);
    }

    private static void printError(JsonNode id, int code, String message) {
        JsonLines.print(McpMessage.error(id, code, ControlCharacters.escape(message)));
    }
}
