package dev.parley.dialogue.mcp;

import static dev.parley.avro.CaptureDirection.CLIENT_TO_SERVER;
import static dev.parley.avro.CaptureDirection.SERVER_TO_CLIENT;
import static dev.parley.dialogue.mcp.McpMethods.CANCELLED;
import static dev.parley.dialogue.mcp.McpMethods.DISCOVER;
import static dev.parley.dialogue.mcp.McpMethods.ELICIT;
import static dev.parley.dialogue.mcp.McpMethods.INITIALIZE;
import static dev.parley.dialogue.mcp.McpMethods.INITIALIZED;
import static dev.parley.dialogue.mcp.McpMethods.MESSAGE;
import static dev.parley.dialogue.mcp.McpMethods.PING;
import static dev.parley.dialogue.mcp.McpMethods.PROGRESS;
import static dev.parley.dialogue.mcp.McpMethods.TASK_STATUS;

import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpMessage;
import dev.parley.avro.McpPhase;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.mcp.McpCodec;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.mcp.McpMethods.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Follows one message, or each message of a batch, through the rules. The state follows illegal messages, too: Parley
 * observes the traffic, so the other side has received them and answers.
 *
 * <p>A rule that compares a message with others is decided on a transport that keeps their order, and if all messages
 * of the session were captured. Over HTTP, several clients may share a conversation, streams overtake each other, and a
 * resumed stream repeats messages, so most of these rules are decided over stdio alone.
 */
final class McpTurn {
    private static final String WITHOUT_BATCHES = "2025-06-18";

    private final McpMessage message;
    private final McpSession session;
    private final McpDialogue state;
    private final McpHandshake handshake;
    private final McpDeclarations declarations;
    private final McpRequests requests;

    /** Judges a message. */
    McpTurn(McpMessage message, McpSession session, McpOutputSchemas schemas) {
        this.message = message;
        this.session = session;
        this.state = session.state();
        this.handshake = new McpHandshake(session);
        this.declarations = new McpDeclarations(session, schemas);
        this.requests = new McpRequests(session, handshake, declarations);
        follow();
    }

    RuleResult<McpDialogue> result() {
        return session.result(
                switch (message.getMessage().getKind()) {
                    case NONE, OTHER -> McpRule.TRANSPORT;
                    default -> McpRule.ACCEPTED;
                });
    }

    /** Returns the methods that the sender may use here; result and error for responses. */
    List<String> allowed() {
        CaptureDirection direction = direction(message.getMessage());
        boolean isFirst = state.getPhase() == McpPhase.NONE && !state.getModernClient() && state.getComplete();
        List<String> declared = direction == CLIENT_TO_SERVER ? state.getServer() : state.getClient();
        List<String> allowed = new ArrayList<>();
        for (Method method : McpMethods.all()) {
            boolean isDeclared = !session.hasHandshake()
                    || method.capability() == null
                    || method.name().equals(MESSAGE)
                    || declared.contains(method.capability());
            boolean isEarly = McpHandshake.isFree(method.name());
            if (method.isFrom(direction) && isDeclared && (!isFirst || isEarly)) {
                allowed.add(method.name());
            }
        }
        allowed.add("result");
        allowed.add("error");
        return allowed;
    }

    /** Says what the first broken rule expects here. */
    String detail() {
        return session.detail();
    }

    private void follow() {
        CaptureMark mark = session.mark();
        if (mark == CaptureMark.START) {
            handshake.start();
        } else if (mark == CaptureMark.GAP) {
            state.setComplete(false);
        }
        JsonRpcMessage rpc = message.getMessage();
        if (rpc.getKind() == JsonRpcKind.BATCH) {
            batch(rpc);
        } else {
            one(message);
        }
        requests.refused();
        if (mark == CaptureMark.END) {
            state.setComplete(false);
        }
    }

    private void batch(JsonRpcMessage rpc) {
        List<McpMessage> elements = new ArrayList<>();
        boolean initializes = false;
        for (String json : rpc.getBatch()) {
            if (McpCodec.decodeElement(json) instanceof DecodeResult.Decoded<McpMessage> decoded) {
                elements.add(decoded.message());
                McpMessage element = decoded.message();
                // The text of 2024-11-05 does not forbid it.
                initializes |= INITIALIZE.equals(element.getMessage().getMethod())
                        && !McpHeaders.OLDEST.equals(element.getProtocolVersion());
            }
        }
        boolean isModern = elements.stream().anyMatch(session::isModern);
        // Over HTTP, clients of several versions may share a conversation.
        boolean isLater = session.isStdio()
                ? session.hasHandshake() && session.isAtLeast(WITHOUT_BATCHES)
                : session.versionHeader() != null && session.versionHeader().compareTo(WITHOUT_BATCHES) >= 0;
        if (isModern || initializes || isLater) {
            session.violate(
                    McpRule.BATCH,
                    "Send each message by itself" + (initializes ? "; initialize is never batched." : "."));
        }
        elements.forEach(this::one);
    }

    private void one(McpMessage one) {
        JsonRpcMessage rpc = one.getMessage();
        CaptureDirection direction = direction(rpc);
        switch (rpc.getKind()) {
            case REQUEST -> request(one, direction);
            case NOTIFICATION -> notification(one, direction);
            case RESULT, ERROR -> requests.response(one, direction);
            case BATCH, NONE, OTHER, UNKNOWN -> {
                // Not a message by itself.
            }
        }
    }

    /** The direction by the capture, or else by a method that only one side sends. */
    private CaptureDirection direction(JsonRpcMessage rpc) {
        if (session.capture() != null && session.capture().getDirection() != CaptureDirection.UNKNOWN) {
            return session.capture().getDirection();
        }
        Method method = rpc.getMethod() == null ? null : McpMethods.of(rpc.getMethod());
        if (method == null || method.fromClient() == method.fromServer()) {
            return CaptureDirection.UNKNOWN;
        }
        return method.fromClient() ? CLIENT_TO_SERVER : SERVER_TO_CLIENT;
    }

    private void request(McpMessage request, CaptureDirection direction) {
        JsonRpcMessage rpc = request.getMessage();
        boolean isForeign = session.isForeign(request);
        Method method = isForeign ? null : McpMethods.of(rpc.getMethod());
        boolean isModern = session.isModern(request);
        boolean isClient = direction == CLIENT_TO_SERVER;
        Map<String, String> params = method == null && !isModern ? Map.of() : McpJson.members(rpc.getParams());
        if (method != null) {
            if (!method.isFrom(direction)) {
                session.warn(McpRule.METHOD);
            }
            if (method.isDefined(session.versionOf(isModern))) {
                String start = method.name() + " must have the parameter ";
                session.require(McpRule.PARAMETER, start, method.params(), params);
                if (method.name().equals(ELICIT)) {
                    String mode = McpJson.string(params.get("mode"));
                    session.require(McpRule.PARAMETER, start, McpMethods.elicitation(mode), params);
                }
            }
        }
        if (isModern && !isForeign) {
            requests.modern(request, params);
        } else if (!isModern) {
            handshake.first(rpc.getMethod(), direction);
            handshake.capability(method, direction);
            handshake.versionHeader(direction, rpc.getMethod());
        }
        if (!isClient && direction != CaptureDirection.UNKNOWN) {
            handshake.serverRequest();
        }
        if (isClient && !rpc.getMethod().equals(PING) && !rpc.getMethod().equals(DISCOVER)) {
            state.setModernClient(state.getModernClient() || isModern);
            state.setLegacyClient(state.getLegacyClient() || !isModern);
        }
        if (rpc.getMethod().equals(INITIALIZE) && isClient) {
            handshake.initialize(McpCapabilities.names(params.get("capabilities")));
        }
        if (direction != CaptureDirection.UNKNOWN) {
            requests.open(request, direction, method);
        }
    }

    private void notification(McpMessage one, CaptureDirection direction) {
        JsonRpcMessage rpc = one.getMessage();
        Method method = McpMethods.of(rpc.getMethod());
        if (method == null) {
            return;
        }
        if (!method.isFrom(direction)) {
            session.warn(McpRule.METHOD);
        }
        Map<String, String> params = McpJson.members(rpc.getParams());
        if (method.isDefined(session.versionOf(state.getModernClient()))) {
            session.require(McpRule.PARAMETER, method.name() + " must have the parameter ", method.params(), params);
        }
        switch (rpc.getMethod()) {
            case INITIALIZED -> handshake.initialized();
            case MESSAGE -> {
                if (!state.getModernClient()) {
                    handshake.capability(method, direction);
                }
            }
            case CANCELLED -> requests.canceled(one, direction);
            case PROGRESS -> requests.progress(one, direction, params.get("progress"));
            case TASK_STATUS ->
                declarations.task(
                        direction, one.getTaskId(), McpJson.string(params.get("status")), McpDeclarations.ANY_TIME);
            default -> handshake.listChanged(rpc.getMethod(), direction);
        }
    }
}
