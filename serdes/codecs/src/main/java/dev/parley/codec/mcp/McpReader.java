package dev.parley.codec.mcp;

import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.json.JsonMembers;
import dev.parley.codec.json.JsonValues;
import dev.parley.codec.json.JsonWriter;
import dev.parley.codec.jsonrpc.JsonRpcCodes;
import dev.parley.codec.jsonrpc.JsonRpcReader;
import java.util.List;
import java.util.function.Consumer;

/** Reads one message of MCP, or a batch, and notes the members of parameters and results that queries need. */
final class McpReader extends JsonRpcReader {
    static final JsonRpcCodes CODES = new JsonRpcCodes(
            McpCodec.JSON,
            Code.MCP_NOT_JSONRPC,
            Code.MCP_JSONRPC_VERSION,
            Code.MCP_ID_TYPE,
            Code.MCP_PARAMS_TYPE,
            Code.MCP_RESPONSE_FORM);

    /** Key of {@code _meta} with the protocol version of a request of 2026-07-28. */
    static final String META_VERSION = "io.modelcontextprotocol/protocolVersion";

    private static final String META = "_meta";
    private static final String RELATED_TASK = "io.modelcontextprotocol/related-task";
    private static final String META_CLIENT = "io.modelcontextprotocol/clientInfo";
    private static final String CLIENT = "clientInfo";
    private static final String TRACEPARENT = "traceparent";
    private static final List<String> PARAMS =
            List.of("name", "uri", META, "taskId", "protocolVersion", "requestId", "progressToken", CLIENT);
    private static final List<String> RESULT = List.of("isError", META, "task", "taskId", "protocolVersion");
    private static final List<String> META_KEYS =
            List.of("progressToken", META_VERSION, RELATED_TASK, META_CLIENT, TRACEPARENT);

    private String name;
    private String uri;
    private String taskId;
    private String relatedTask;
    private String protocolVersion;
    private String metaVersion;
    private String requestId;
    private String progressToken;
    private String metaToken;
    private Boolean isError;
    private String client;
    private String metaClient;
    private String traceparent;

    McpReader(byte[] wire, DecodeOptions options) {
        super(wire, options, CODES);
    }

    /** The message after {@link #read}, without capture. */
    McpMessage mcp() {
        JsonRpcMessage message = message();
        McpMessage mcp = new McpMessage();
        mcp.setMessage(message);
        boolean isProgress = "notifications/progress".equals(message.getMethod());
        mcp.setName(name);
        mcp.setUri(uri);
        mcp.setTaskId(taskId == null ? relatedTask : taskId);
        mcp.setProgressToken(isProgress ? progressToken : metaToken);
        mcp.setRequestId(requestId);
        // Another method may have a parameter with this name.
        boolean isHandshake = message.getMethod() == null || message.getMethod().equals("initialize");
        mcp.setProtocolVersion(metaVersion == null && isHandshake ? protocolVersion : metaVersion);
        mcp.setIsError(isError);
        mcp.setClient(metaClient == null && isHandshake ? client : metaClient);
        mcp.setTraceparent(traceparent);
        boolean isRequest = message.getKind() == JsonRpcKind.REQUEST;
        if ((isProgress || isRequest) && mcp.getProgressToken() != null && !isId(mcp.getProgressToken())) {
            violate(Code.MCP_TOKEN_TYPE);
        }
        return mcp;
    }

    @Override
    protected boolean value(Part part) {
        String key = part == Part.ERROR ? null : key(part == Part.PARAMS ? PARAMS : RESULT);
        if (key == null) {
            return JsonValues.skip(this);
        }
        if (peek() == '{') {
            if (key.equals(META)) {
                return object(self -> meta());
            }
            if (key.equals("task")) {
                return object(self -> value(part));
            }
            if (key.equals(CLIENT)) {
                return object(self -> member("name", text -> client = text));
            }
        }
        int from = position();
        if (!JsonValues.skip(this)) {
            return false;
        }
        switch (key) {
            case "name" -> name = string(from);
            case "uri" -> uri = string(from);
            case "taskId" -> taskId = string(from);
            case "protocolVersion" -> protocolVersion = string(from);
            case "requestId" -> requestId = json(from);
            case "progressToken" -> progressToken = json(from);
            case "isError" -> isError = wire[from] == 't' ? Boolean.TRUE : wire[from] == 'f' ? Boolean.FALSE : null;
            default -> {
                // _meta, a task or a client that is no object.
            }
        }
        return true;
    }

    private boolean meta() {
        String key = key(META_KEYS);
        if (key == null) {
            return JsonValues.skip(this);
        }
        if (key.equals(RELATED_TASK) && peek() == '{') {
            return object(self -> member("taskId", text -> relatedTask = text));
        }
        if (key.equals(META_CLIENT) && peek() == '{') {
            return object(self -> member("name", text -> metaClient = text));
        }
        peek();
        int from = position();
        if (!JsonValues.skip(this)) {
            return false;
        }
        switch (key) {
            case META_VERSION -> metaVersion = string(from);
            case "progressToken" -> metaToken = json(from);
            case TRACEPARENT -> traceparent = string(from);
            default -> {
                // A related task or a client that is no object.
            }
        }
        return true;
    }

    /** Reads the value of the key that is the current string. Passes it on if it is a string of this name. */
    private boolean member(String wanted, Consumer<String> text) {
        boolean isWanted = stringIs(wanted);
        peek();
        int from = position();
        if (!JsonValues.skip(this)) {
            return false;
        }
        if (isWanted) {
            text.accept(string(from));
        }
        return true;
    }

    /** The one of these keys that the current string is; null for another. */
    private String key(List<String> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (stringIs(keys.get(i))) {
                return keys.get(i);
            }
        }
        return null;
    }

    /** The string from an index to the position; null for another value. */
    private String string(int from) {
        return wire[from] == '"' ? JsonMembers.text(wire, from, position()) : null;
    }

    private String json(int from) {
        return JsonWriter.compacted(wire, from, position());
    }
}
