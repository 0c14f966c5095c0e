package dev.parley.server.api.mcp;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.json.ApiJson;
import java.io.IOException;

/**
 * A request or notification of MCP.
 *
 * @param id its ID; null for a notification
 * @param params its parameters; empty without any
 */
record McpMessage(JsonNode id, String method, ObjectNode params) {

    static final JsonMapper JSON = ApiJson.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // Any integer may be an ID.
            .disable(DeserializationFeature.USE_LONG_FOR_INTS)
            .build();

    /** Codes of errors. */
    static final int PARSE_ERROR = -32_700;

    static final int INVALID_REQUEST = -32_600;
    static final int METHOD_NOT_FOUND = -32_601;
    static final int INVALID_PARAMS = -32_602;
    static final int HEADER_MISMATCH = -32_020;
    static final int UNSUPPORTED_VERSION = -32_022;

    /** An error that ends a request. It has no stack trace. */
    static final class ErrorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int code;
        private final int status;
        private transient JsonNode data;

        /** @param status status of HTTP */
        ErrorException(int code, int status, String message) {
            super(message, null, false, false);
            this.code = code;
            this.status = status;
        }

        ErrorException with(JsonNode added) {
            data = added;
            return this;
        }

        int status() {
            return status;
        }

        /** The response, without an ID if the request is unreadable. */
        ObjectNode response(JsonNode id) {
            ObjectNode response = McpMessage.response(id);
            ObjectNode error = response.putObject("error").put("code", code).put("message", getMessage());
            if (data != null) {
                error.set("data", data);
            }
            return response;
        }
    }

    static ObjectNode response(JsonNode id) {
        ObjectNode response = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        return id == null ? response : response.set("id", id);
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
        JsonNode params = message.path("params");
        if (!message.path("jsonrpc").asText().equals("2.0")
                || !message.path("method").isTextual()) {
            throw invalid("The body must be a request or notification with \"jsonrpc\":\"2.0\" and a method. This"
                    + " server sends no requests, so it takes no responses.");
        }
        if (id != null && !id.isTextual() && !id.isIntegralNumber()) {
            throw invalid("id must be a string or an integer.");
        }
        if (!params.isObject() && !params.isMissingNode()) {
            throw invalid("params must be an object.");
        }
        return new McpMessage(
                id,
                message.path("method").asText(),
                params.isObject() ? (ObjectNode) params : JsonNodeFactory.instance.objectNode());
    }

    private static ErrorException invalid(String message) {
        return new ErrorException(INVALID_REQUEST, 400, message);
    }
}
