package dev.parley.codec.mcp;

import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.ControlCharacters;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.TraceContext;
import dev.parley.codec.Traits;
import dev.parley.codec.Warnings;
import dev.parley.codec.WireCodec;
import dev.parley.codec.json.JsonCodes;
import dev.parley.codec.jsonrpc.CaptureHeaders;
import dev.parley.codec.jsonrpc.JsonRpcDetection;
import dev.parley.codec.jsonrpc.JsonRpcWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes messages of the Model Context Protocol (docs/protocols.md 5). A message is a JSON-RPC message, with
 * the facts that the record headers of a capture add. A response of HTTP may also have another body, or none.
 */
public final class McpCodec implements WireCodec<McpMessage> {
    /** What MCP calls the errors of JSON. */
    public static final JsonCodes JSON =
            new JsonCodes(Code.MCP_NOT_JSON, Code.MCP_BAD_UTF8, Code.MCP_TRAILING_DATA, Code.MCP_DUPLICATE_KEY);

    private static final List<String> A2A_PREFIXES =
            List.of("message/", "agent/", "tasks/send", "tasks/resubscribe", "tasks/pushNotification");

    private static final String VERSION = "jsonrpc";
    private static final int HTTP_ACCEPTED = 202;
    private static final int HTTP_ERROR = 300;

    private static final DecodeOptions UNLIMITED = new DecodeOptions(Profile.LENIENT, Limits.NONE);

    /** Maximum length of a name that becomes a reference; longer ones are in the message only. */
    private static final int MAX_REFERENCE = 256;

    /** Creates a codec. One is enough for any number of threads. */
    public McpCodec() {}

    @Override
    public Protocol protocol() {
        return Protocol.MCP;
    }

    @Override
    public boolean detects(byte[] wire, int from) {
        return JsonRpcDetection.isMessage(wire, from, method -> !isOfA2a(wire, method));
    }

    /** Whether a method is one of A2A: in camel case with a capital, or with a prefix that MCP does not have. */
    private static boolean isOfA2a(byte[] wire, int quote) {
        int first = quote + 1;
        return first < wire.length
                && (wire[first] >= 'A' && wire[first] <= 'Z'
                        || A2A_PREFIXES.stream().anyMatch(prefix -> Ascii.startsWith(wire, first, prefix)));
    }

    @Override
    public DecodeResult<McpMessage> decode(byte[] wire, DecodeOptions options) {
        return decode(wire, RecordHeaders.NONE, options);
    }

    @Override
    public DecodeResult<McpMessage> decode(byte[] wire, RecordHeaders headers, DecodeOptions options) {
        CaptureHeaders capture = CaptureHeaders.read(headers);
        if (capture.error() != null) {
            return capture.error();
        }
        int max = options.limits().messageBytes();
        if (wire.length > max) {
            return new Malformed<>(Code.MESSAGE_TOO_LARGE, max, "A message must have at most " + max + " bytes.");
        }
        if (wire.length == 0 && isWithoutBody(capture.capture())) {
            return withoutBody(capture.capture());
        }
        McpReader reader = new McpReader(wire, options);
        if (!reader.read()) {
            return isOtherBody(wire, capture.capture(), reader.error())
                    ? otherBody(wire, capture.capture())
                    : reader.error();
        }
        McpMessage message = reader.mcp();
        if (isReport(message.getMessage(), capture.capture())) {
            return otherBody(wire, capture.capture());
        }
        message.setCapture(capture.capture());
        List<Code> violations = reader.violations();
        int at = 0;
        for (String element : message.getMessage().getBatch()) {
            DecodeResult<McpMessage> result = decodeElement(element);
            if (!(result instanceof Decoded<McpMessage> decoded)) {
                String detail = "Message " + at + " of the batch: " + ((Malformed<McpMessage>) result).detail();
                return new Malformed<>(Code.MCP_NOT_JSONRPC, reader.batchStart(at), detail);
            }
            violations = Warnings.union(violations, decoded.violations());
            at++;
        }
        return new Decoded<>(message, reader.warnings(), violations, reader.isPlain());
    }

    /**
     * Decodes a message of a batch.
     *
     * @param json its JSON text, from {@link JsonRpcMessage#getBatch}
     * @return the message, without capture
     */
    public static DecodeResult<McpMessage> decodeElement(String json) {
        McpReader reader = new McpReader(json.getBytes(StandardCharsets.UTF_8), DecodeOptions.LENIENT);
        return reader.read() ? new Decoded<>(reader.mcp(), reader.warnings(), reader.violations()) : reader.error();
    }

    @Override
    public boolean isMessageWithoutBody(RecordHeaders headers) {
        return isWithoutBody(CaptureHeaders.read(headers).capture());
    }

    private static boolean isWithoutBody(Capture capture) {
        return capture != null
                && (capture.getHttpMethod() != null
                        || capture.getHttpStatus() != null
                        || capture.getMark() != CaptureMark.NONE);
    }

    private static Decoded<McpMessage> withoutBody(Capture capture) {
        return of(JsonRpcKind.NONE, null, capture);
    }

    private static Decoded<McpMessage> otherBody(byte[] wire, Capture capture) {
        return of(JsonRpcKind.OTHER, ByteBuffer.wrap(wire.clone()), capture);
    }

    private static Decoded<McpMessage> of(JsonRpcKind kind, ByteBuffer body, Capture capture) {
        JsonRpcMessage message = new JsonRpcMessage();
        message.setKind(kind);
        message.setBody(body);
        message.setExtras(List.of());
        message.setOrder(List.of());
        message.setBatch(List.of());
        McpMessage mcp = new McpMessage();
        mcp.setMessage(message);
        mcp.setCapture(capture);
        return new Decoded<>(mcp, List.of(), List.of());
    }

    /**
     * Whether a body that is no JSON-RPC message belongs to a response that may have any: one that reports an error or
     * accepts a message, or an event without content.
     */
    private static boolean isOtherBody(byte[] wire, Capture capture, Malformed<?> error) {
        if (capture == null || capture.getHttpStatus() == null) {
            return false;
        }
        boolean isMessage = error.code() == Code.MCP_NOT_JSON
                || error.code() == Code.MCP_NOT_JSONRPC
                || error.code() == Code.MCP_BAD_UTF8
                || error.code() == Code.MCP_TRAILING_DATA;
        boolean isEmpty = wire.length == 2 && wire[0] == '{' && wire[1] == '}';
        return isEmpty || isMessage && mayHaveAnyBody(capture);
    }

    private static boolean mayHaveAnyBody(Capture capture) {
        int status = capture.getHttpStatus();
        return status == HTTP_ACCEPTED || status >= HTTP_ERROR;
    }

    /** Whether a body is JSON of another protocol with a member such as {@code error}: OAuth has that, too. */
    private static boolean isReport(JsonRpcMessage message, Capture capture) {
        boolean isResponse = message.getKind() == JsonRpcKind.RESULT || message.getKind() == JsonRpcKind.ERROR;
        return isResponse
                && message.getId() == null
                && !hasVersion(message)
                && capture != null
                && capture.getHttpStatus() != null
                && mayHaveAnyBody(capture);
    }

    private static boolean hasVersion(JsonRpcMessage message) {
        return message.getOrder().isEmpty()
                || message.getOrder().contains(VERSION)
                || message.getExtras().stream()
                        .anyMatch(extra -> extra.getName().equals(VERSION));
    }

    @Override
    public byte[] encode(McpMessage message) {
        return JsonRpcWriter.write(message.getMessage());
    }

    @Override
    public byte[] encodeChecked(McpMessage message) {
        byte[] wire = WireCodec.super.encodeChecked(message);
        RecordHeaders headers = RecordHeaders.ofText(headers(message));
        if (!(decode(wire, headers, UNLIMITED) instanceof Decoded<McpMessage> decoded)
                || !decoded.message().equals(message)) {
            throw new IllegalArgumentException("message: its texts must be those of one JSON-RPC message");
        }
        return wire;
    }

    @Override
    public boolean isJson() {
        return true;
    }

    @Override
    public Map<String, String> headers(McpMessage message) {
        return CaptureHeaders.headers(message.getCapture());
    }

    /**
     * MCP has no conversation in its messages, and names neither sender nor recipient. Without a header, the sender is
     * client or server by the direction. References are the trace that {@code _meta} names, caller and actors of the
     * capture, the tool, prompt or resource of a request, a task, and the client.
     */
    @Override
    public Traits traits(McpMessage message) {
        Capture capture = message.getCapture();
        CaptureDirection direction = capture == null ? CaptureDirection.UNKNOWN : capture.getDirection();
        String side = switch (direction) {
            case CLIENT_TO_SERVER -> "client";
            case SERVER_TO_CLIENT -> "server";
            case UNKNOWN -> null;
        };
        String id =
                message.getMessage().getMethod() == null ? message.getMessage().getId() : message.getRequestId();
        return new Traits(
                null,
                null,
                side,
                List.of(),
                McpPerformatives.of(message),
                isShort(id) ? id : null,
                references(message));
    }

    private static List<Reference> references(McpMessage message) {
        List<Reference> references = new ArrayList<>(2);
        String parent = message.getTraceparent();
        refer(
                references,
                TraceContext.REFERENCE,
                parent == null ? null : TraceContext.traceId(parent.getBytes(StandardCharsets.UTF_8)));
        CaptureHeaders.refer(references, message.getCapture());
        String method = message.getMessage().getMethod();
        if (method != null) {
            refer(references, method.startsWith("prompts/") ? "prompt" : "tool", message.getName());
            refer(references, "resource", message.getUri());
        }
        refer(references, "task", message.getTaskId());
        refer(references, "client", message.getClient());
        return references;
    }

    private static void refer(List<Reference> references, String kind, String id) {
        if (isShort(id)) {
            references.add(new Reference(kind, id));
        }
    }

    /** Whether a text may be a name outside the message: neither long nor with control characters. */
    private static boolean isShort(String text) {
        return text != null && !text.isEmpty() && text.length() <= MAX_REFERENCE && !ControlCharacters.isIn(text);
    }
}
