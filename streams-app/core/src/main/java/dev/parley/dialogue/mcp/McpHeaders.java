package dev.parley.dialogue.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.Capture;
import dev.parley.avro.HttpField;
import dev.parley.avro.McpMessage;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** Headers of HTTP that repeat parts of a request of 2026-07-28. */
final class McpHeaders {
    /** The version whose requests carry version and capabilities. */
    static final String MODERN = "2026-07-28";

    /** The first version of MCP. */
    static final String OLDEST = "2024-11-05";

    /** The last version whose requests have no header with it. */
    static final String LAST_WITHOUT_HEADER = "2025-03-26";

    /** The last version with a handshake. */
    static final String LAST_WITH_HANDSHAKE = "2025-11-25";

    /** The versions of MCP, in their order. */
    static final List<String> VERSIONS =
            List.of(OLDEST, LAST_WITHOUT_HEADER, "2025-06-18", LAST_WITH_HANDSHAKE, MODERN);

    /** Key of {@code _meta} with the version. */
    static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

    /** Key of {@code _meta} with the capabilities of the client. */
    static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    private static final String ENCODED = "=?base64?";
    private static final String ENCODED_END = "?=";

    /** Begins the text with which a recorder replaces a value. Only a record with the header has such texts. */
    private static final String REMOVED = "[masked:";

    private McpHeaders() {}

    /** Whether the recorder has removed values of a message; false for null. */
    static boolean isMasked(Capture capture) {
        return capture != null && field(capture, CaptureHeaders.ORIGINAL) != null;
    }

    /** Whether the recorder has removed a part of a text in a masked message; false for null. */
    static boolean isRemoved(String text) {
        return text != null && text.contains(REMOVED);
    }

    /** Returns the value of a header; null if it was not captured. */
    static String field(Capture capture, String name) {
        for (HttpField field : capture.getFields()) {
            if (field.getName().equals(name)) {
                return field.getValue();
            }
        }
        return null;
    }

    /**
     * Returns what a header of a POST request must be, if it is absent or differs from the body; null otherwise. Quotes
     * no content.
     */
    static String mismatch(McpMessage request, Capture capture) {
        if (capture == null || !"POST".equals(capture.getHttpMethod())) {
            return null;
        }
        String method = request.getMessage().getMethod();
        if (!request.getProtocolVersion().equals(field(capture, "mcp-protocol-version"))) {
            return "MCP-Protocol-Version must be the version in _meta.";
        }
        if (!method.equals(field(capture, "mcp-method"))) {
            return "Mcp-Method must be the method of the body.";
        }
        String header = decoded(field(capture, "mcp-name"));
        String name = switch (method) {
            case "tools/call", "prompts/get" -> request.getName();
            case "resources/read" -> request.getUri();
            case "tasks/get", "tasks/update", "tasks/cancel" -> request.getTaskId();
            default -> null;
        };
        // Recorders keep names of tools and prompts.
        boolean isHidden =
                isMasked(capture) && !Objects.equals(name, request.getName()) && (isRemoved(name) || isRemoved(header));
        return name == null || name.equals(header) || isHidden
                ? null
                : "Mcp-Name must be the name, URI or task that the body names.";
    }

    /** The text of a header that may be encoded. */
    private static String decoded(String value) {
        if (value == null || !value.startsWith(ENCODED) || !value.endsWith(ENCODED_END)) {
            return value;
        }
        int end = value.length() - ENCODED_END.length();
        String base64 = end < ENCODED.length() ? "" : value.substring(ENCODED.length(), end);
        return isBase64(base64) ? new String(Base64.getDecoder().decode(base64), UTF_8) : value;
    }

    /** Whether a text is Base64 with padding. */
    private static boolean isBase64(String text) {
        int end = text.length();
        for (int pads = 0; pads < 2 && end > 0 && text.charAt(end - 1) == '='; pads++) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean isDigit =
                    c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/';
            if (!isDigit) {
                return false;
            }
        }
        return text.length() % 4 == 0;
    }
}
