package dev.parley.server.api.mcp;

import static dev.parley.server.api.mcp.McpMessage.HEADER_MISMATCH;
import static dev.parley.server.api.mcp.McpMessage.INVALID_PARAMS;
import static dev.parley.server.api.mcp.McpMessage.METHOD_NOT_FOUND;
import static dev.parley.server.api.mcp.McpMessage.UNSUPPORTED_VERSION;
import static dev.parley.server.api.mcp.McpMessage.invalid;
import static dev.parley.server.api.mcp.McpTools.SERVER;
import static dev.parley.server.api.mcp.McpTools.SERVER_INFO;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.codec.Excerpt;
import dev.parley.server.api.mcp.McpMessage.ErrorException;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.auth.Role;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.http.Route;
import dev.parley.server.http.SecurityFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * MCP over streamable HTTP, without sessions: each POST has one message, and gets one JSON body. It serves the versions
 * with a handshake, and 2026-07-28, in which each request names its version.
 */
public final class McpEndpoint {

    public static final String PATH = "/mcp";

    /** The versions with a handshake, the latest first. 2025-03-26 requires servers to take batches. */
    private static final List<String> LEGACY = List.of("2025-11-25", "2025-06-18");

    private static final String MODERN = "2026-07-28";

    /** Methods of one era alone: whether it is the one without a handshake. */
    private static final Map<String, Boolean> MODERN_METHODS =
            Map.of("initialize", false, "ping", false, "server/discover", true);

    private static final String META = "_meta";
    private static final String META_PREFIX = "io.modelcontextprotocol/";
    private static final String META_VERSION = META_PREFIX + "protocolVersion";
    private static final String VERSION_HEADER = "MCP-Protocol-Version";
    private static final String NAME = "name";
    private static final String CALL = "tools/call";

    private final McpTools tools;

    /** @param routes the routes that the tools may call */
    public McpEndpoint(List<Route> routes) {
        tools = new McpTools(routes);
    }

    /** The route, which any caller may use: each tool needs the role of the route that it calls. */
    public Route route() {
        return Route.post(PATH, Role.NONE, (request, executor) -> answer(request))
                .unlogged();
    }

    private CompletableFuture<?> answer(ApiRequest request) {
        Parameters.of(request);
        requireSameOrigin(request);
        String type = request.header("Content-Type");
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
            throw Code.UNSUPPORTED_CONTENT_TYPE.problem("Send one message of MCP as application/json.");
        }
        JsonNode id = null;
        try {
            McpMessage message = McpMessage.of(SecurityFilter.body(request));
            id = message.id();
            if (id == null) {
                request.status(202);
                return CompletableFuture.completedFuture(null);
            }
            boolean isModern = isModern(message, request.header(VERSION_HEADER));
            if (isModern) {
                requireModern(message, request);
            } else if (!message.method().equals("initialize")) {
                requireLegacy(request.header(VERSION_HEADER));
            }
            ObjectNode response = McpMessage.response(id);
            return result(message, request, isModern)
                    .thenApply(result -> response.set("result", isModern ? modern(message, result) : result));
        } catch (ErrorException e) {
            request.status(e.status());
            return CompletableFuture.completedFuture(e.response(id));
        }
    }

    /** Refuses requests of web pages of other servers, whatever credentials a browser adds. */
    private static void requireSameOrigin(ApiRequest request) {
        String origin = request.header("Origin");
        String host = "://" + request.header("Host");
        if (origin != null && !origin.equalsIgnoreCase("http" + host) && !origin.equalsIgnoreCase("https" + host)) {
            throw Code.ORIGIN_NOT_ALLOWED.problem("Pages of " + Excerpt.of(origin) + " may not use " + PATH + ".");
        }
    }

    private static boolean isModern(McpMessage message, String header) {
        String version = message.params().path(META).path(META_VERSION).asText();
        boolean isHandshake = message.method().equals("initialize") && !version.equals(MODERN);
        return !isHandshake && (!version.isEmpty() || MODERN.equals(header));
    }

    private static void requireLegacy(String version) {
        if (version != null && !LEGACY.contains(version)) {
            String known = String.join(", ", LEGACY);
            throw invalid(VERSION_HEADER + " must be one of " + known + ", but was " + Excerpt.of(version) + ".");
        }
    }

    private static void requireModern(McpMessage message, ApiRequest request) {
        JsonNode meta = message.params().path(META);
        String version = meta.path(META_VERSION).asText();
        if (!meta.path(META_VERSION).isTextual()
                || !meta.path(META_PREFIX + "clientCapabilities").isObject()) {
            throw new ErrorException(
                    INVALID_PARAMS,
                    400,
                    "params._meta must have " + META_VERSION + " and " + META_PREFIX + "clientCapabilities.");
        }
        requireHeader(request, VERSION_HEADER, version);
        if (!version.equals(MODERN)) {
            ObjectNode data = JsonNodeFactory.instance.objectNode().put("requested", Excerpt.of(version));
            data.putArray("supported").add(MODERN);
            throw new ErrorException(UNSUPPORTED_VERSION, 400, "Unsupported protocol version").with(data);
        }
        requireHeader(request, "Mcp-Method", message.method());
        if (message.method().equals(CALL) && message.params().path(NAME).isTextual()) {
            requireHeader(request, "Mcp-Name", message.params().path(NAME).asText());
        }
    }

    /** A header may be as it is, or in Base64. */
    private static void requireHeader(ApiRequest request, String name, String value) {
        String header = request.header(name);
        if (header == null || !Set.of(value, McpMessage.base64(value)).contains(header.strip())) {
            String actual = header == null ? "is absent." : "was " + Excerpt.of(header) + ".";
            throw new ErrorException(
                    HEADER_MISMATCH,
                    400,
                    "The header " + name + " must be as in the body: " + Excerpt.of(value) + ", but it " + actual);
        }
    }

    private CompletableFuture<ObjectNode> result(McpMessage message, ApiRequest request, boolean isModern) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        JsonNode params = message.params();
        String method = message.method();
        switch (MODERN_METHODS.getOrDefault(method, isModern) == isModern ? method : "") {
            case CALL -> {
                JsonNode arguments = params.path("arguments");
                if (!tools.has(params.path(NAME).asText()) || !arguments.isMissingNode() && !arguments.isObject()) {
                    throw new ErrorException(
                            INVALID_PARAMS, 200, "name must be a tool of tools/list, and arguments an object.");
                }
                return tools.call(request, params.path(NAME).asText(), arguments);
            }
            case "tools/list" -> {
                if (params.hasNonNull("cursor")) {
                    throw new ErrorException(INVALID_PARAMS, 200, "Unknown cursor: the list has one page.");
                }
                result.set("tools", tools.list());
            }
            case "initialize" -> {
                if (!params.path("protocolVersion").isTextual()) {
                    throw new ErrorException(INVALID_PARAMS, 200, "protocolVersion must be a string.");
                }
                String version = params.path("protocolVersion").asText();
                result.put("protocolVersion", LEGACY.contains(version) ? version : LEGACY.get(0));
                result.setAll(tools.part(SERVER));
                result.set(SERVER_INFO, tools.part(SERVER_INFO));
            }
            case "ping" -> {
                // An empty result.
            }
            case "server/discover" -> {
                result.setAll(tools.part(SERVER));
                result.putArray("supportedVersions").add(MODERN);
            }
            default ->
                throw new ErrorException(
                        METHOD_NOT_FOUND, isModern ? 404 : 200, "Unknown method " + Excerpt.of(method) + ".");
        }
        return CompletableFuture.completedFuture(result);
    }

    /** Adds what each result of 2026-07-28 has. */
    private ObjectNode modern(McpMessage message, ObjectNode result) {
        result.put("resultType", "complete").putObject(META).set(META_PREFIX + SERVER_INFO, tools.part(SERVER_INFO));
        return message.method().equals(CALL) ? result : result.setAll(tools.part("lists"));
    }
}
