package dev.parley.server.api.mcp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.codec.Utf8;
import dev.parley.json.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A request or notification of MCP.
 *
 * @param id its ID; null for a notification
 * @param params its parameters; empty without any
 */
public record McpMessage(JsonNode id, String method, ObjectNode params) {

    static final JsonMapper JSON = ApiJson.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // Any integer may be an ID.
            .disable(DeserializationFeature.USE_LONG_FOR_INTS)
            .build();

    private static final JsonNode VERSION = TextNode.valueOf("2.0");

    /** Codes of errors. */
    public static final int PARSE_ERROR = -32_700;

    public static final int INTERNAL_ERROR = -32_603;
    static final int INVALID_REQUEST = -32_600;
    static final int METHOD_NOT_FOUND = -32_601;
    static final int INVALID_PARAMS = -32_602;
    static final int HEADER_MISMATCH = -32_020;
    static final int UNSUPPORTED_VERSION = -32_022;

    /** An error that ends a request. It has no stack trace. */
    static final class ErrorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient ObjectNode error;
        private final int status;

        /** @param status status of HTTP */
        ErrorException(int code, int status, String message) {
            super(message, null, false, false);
            this.status = status;
            error = JsonNodeFactory.instance.objectNode().put("code", code).put("message", message);
        }

        ErrorException with(JsonNode data) {
            error.set("data", data);
            return this;
        }

        int status() {
            return status;
        }

        /** The response, without an ID if the request is unreadable. */
        ObjectNode response(JsonNode id) {
            return McpMessage.response(id).set("error", error);
        }
    }

    static ObjectNode response(JsonNode id) {
        ObjectNode response = JsonNodeFactory.instance.objectNode().set("jsonrpc", VERSION);
        return id == null ? response : response.set("id", id);
    }

    /** The response with an error; without an ID if that is null. */
    public static ObjectNode error(JsonNode id, int code, String message) {
        return new ErrorException(code, 0, message).response(id);
    }

    /** A value as a header, in the form for those that no header can contain. */
    public static String base64(String value) {
        return "=?base64?" + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    /**
     * Reads a body.
     *
     * @throws ErrorException if it is not a request or notification
     */
    static McpMessage of(byte[] body) {
        JsonNode message;
        try {
            message = JSON.readTree(body);
        } catch (IOException e) {
            throw new ErrorException(PARSE_ERROR, 400, "The body must be one JSON object.");
        }
        if (!message.isObject()) {
            throw invalid("The body must be one JSON object. Batches are not supported: send each message alone.");
        }
        JsonNode id = message.get("id");
        JsonNode method = message.path("method");
        JsonNode params = message.path("params");
        if (!message.path("jsonrpc").equals(VERSION) || !method.isTextual()) {
            throw invalid("The body must be a request or notification with \"jsonrpc\":\"2.0\" and a method. This"
                    + " server sends no requests, so it takes no responses.");
        }
        if (id != null && !id.isIntegralNumber() && !(id.isTextual() && Utf8.canEncode(id.asText()))) {
            throw invalid("id must be a string without unpaired surrogates, or an integer.");
        }
        if (!params.isObject() && !params.isMissingNode()) {
            throw invalid("params must be an object.");
        }
        return new McpMessage(id, method.asText(), message.withObject("params"));
    }

    static ErrorException invalid(String message) {
        return new ErrorException(INVALID_REQUEST, 400, message);
    }
}
