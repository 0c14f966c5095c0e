package dev.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiOptions;
import dev.parley.cli.io.BaseCommand;
import dev.parley.cli.io.JsonLines;
import dev.parley.cli.io.StandardOutput;
import dev.parley.cli.transcript.DelimitedReader;
import dev.parley.codec.ControlCharacters;
import dev.parley.json.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
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
    private static final int PARSE_ERROR = -32_700;
    private static final int INTERNAL_ERROR = -32_603;
    private static final String VERSION = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

    @Mixin
    private ApiOptions api;

    /** Version of the last handshake; null before it. */
    private String negotiated;

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
        JsonNode message;
        try {
            if (line.length > MAX_LINE_BYTES) {
                print(error(null, PARSE_ERROR, "The line has more than " + MAX_LINE_BYTES + " bytes."));
                return;
            }
            message = ApiJson.read(line, ApiJson.type(JsonNode.class));
        } catch (IOException e) {
            print(error(null, PARSE_ERROR, "The line must be one JSON object."));
            return;
        }
        JsonNode id = message.get("id");
        try {
            client.mcp(line, headers(message)).ifPresent(response -> {
                JsonNode version = response.at("/result/protocolVersion");
                negotiated = version.isTextual() ? version.asText() : negotiated;
                print(response);
            });
        } catch (IllegalStateException e) {
            if (id == null) {
                report(describe(e));
            } else {
                print(error(id, INTERNAL_ERROR, describe(e)));
            }
        }
    }

    /** The headers that a client of streamable HTTP sends with a message. */
    private Map<String, String> headers(JsonNode message) {
        Map<String, String> headers = new HashMap<>();
        JsonNode version = message.at(VERSION);
        if (!version.isTextual()) {
            if (negotiated != null) {
                headers.put("MCP-Protocol-Version", negotiated);
            }
            return headers;
        }
        headers.put("MCP-Protocol-Version", header(version));
        headers.put("Mcp-Method", header(message.path("method")));
        if (message.at("/params/name").isTextual()) {
            headers.put("Mcp-Name", header(message.at("/params/name")));
        }
        return headers;
    }

    /** A value as a header, in Base64 if no header can contain it. */
    private static String header(JsonNode value) {
        String text = value.asText();
        return text.equals(text.strip()) && text.chars().allMatch(c -> c >= ' ' && c <= '~') && !text.startsWith("=?")
                ? text
                : "=?base64?" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    private static ObjectNode error(JsonNode id, int code, String message) {
        ObjectNode response = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        if (id != null) {
            response.set("id", id);
        }
        response.putObject("error").put("code", code).put("message", ControlCharacters.escape(message));
        return response;
    }

    private void print(JsonNode response) {
        JsonLines.print(response);
    }
}
