package dev.parley.dialogue.mcp;

import static dev.parley.dialogue.mcp.McpMethods.DISCOVER;
import static dev.parley.dialogue.mcp.McpMethods.INITIALIZE;

import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemKind;
import dev.parley.avro.McpItemState;
import dev.parley.avro.McpMessage;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.mcp.McpMethods.Method;
import java.util.Map;

/** Rules of requests and of what belongs to them: responses, progress and cancellation. */
final class McpRequests {
    private static final String META = "_meta";
    private static final String TOOLS_CALL = "tools/call";
    private static final int RESOURCE_NOT_FOUND = -32_002;
    private static final int URL_ELICITATION = -32_042;
    private static final int PARSE_ERROR = -32_700;
    private static final int INVALID_REQUEST = -32_600;
    private static final int HTTP_ERROR = 400;

    private final McpSession session;
    private final McpDialogue state;
    private final McpHandshake handshake;
    private final McpDeclarations declarations;

    McpRequests(McpSession session, McpHandshake handshake, McpDeclarations declarations) {
        this.session = session;
        this.state = session.state();
        this.handshake = handshake;
        this.declarations = declarations;
    }

    /** Rules of the form of a request of 2026-07-28. */
    void modern(McpMessage request, Map<String, String> params) {
        if (request.getProtocolVersion() == null) {
            session.violate(McpRule.META, "_meta must have " + McpHeaders.PROTOCOL_VERSION + '.');
            return;
        }
        Map<String, String> meta = McpJson.members(params.get(META));
        if (!McpMethods.Type.OBJECT.fits(meta.get(McpHeaders.CLIENT_CAPABILITIES))) {
            session.violate(
                    McpRule.META, "_meta must have " + McpHeaders.CLIENT_CAPABILITIES + ", which is an object.");
        }
        String mismatch = McpHeaders.mismatch(request, session.capture());
        if (mismatch != null) {
            session.violate(McpRule.HEADER, mismatch);
        }
    }

    /**
     * Remembers a request.
     *
     * @param method its method; null if the specification does not define it
     */
    void open(McpMessage request, CaptureDirection direction, Method method) {
        JsonRpcMessage rpc = request.getMessage();
        boolean isModern = session.isModern(request);
        Found<McpItem> found = session.find(McpSession.requestKey(direction, session.exchange(), rpc.getId()));
        McpItem before = found.item();
        if (before != null && session.isExact() && !isModern && !before.getModern()) {
            session.violate(McpRule.ID_REUSED, "The ID must be one that the sender has not used in this session.");
        }
        String token =
                request.getProgressToken() == null ? null : McpSession.key(direction, request.getProgressToken());
        if (token != null
                && session.isExact()
                && session.latest(item -> McpSession.isOpen(item) && token.equals(item.getToken())) != null) {
            session.warn(McpRule.TOKEN);
        }
        McpItem item = new McpItem();
        item.setKind(McpItemKind.REQUEST);
        item.setKey(McpSession.requestKey(direction, session.exchange(), rpc.getId()));
        item.setHash(McpSession.key(direction, rpc.getId()));
        String version = session.versionOf(isModern);
        item.setMethod(method == null || version != null && !method.isDefined(version) ? null : method.name());
        item.setState(McpItemState.OPEN);
        item.setExchange(session.exchange() == null ? null : StoredText.key(session.exchange()));
        item.setModern(isModern);
        item.setToken(token);
        if (TOOLS_CALL.equals(rpc.getMethod())) {
            item.setTool(McpDeclarations.key(McpItemKind.TOOL, request.getName()));
        }
        item.setSequence(session.sequence());
        session.touch(found, item);
    }

    void canceled(McpMessage one, CaptureDirection direction) {
        String id = one.getRequestId();
        if (id == null || direction == CaptureDirection.UNKNOWN) {
            return;
        }
        McpItem own = session.request(direction, id);
        McpItem listen = session.request(McpSession.opposite(direction), id);
        if (own != null && INITIALIZE.equals(own.getMethod()) && session.isExact()) {
            session.violate(McpRule.CANCEL_INITIALIZE, "The client must end the connection instead.");
        } else if (own != null) {
            if (McpSession.isOpen(own)) {
                session.change(own, McpItemState.CANCELED);
            }
        } else if (listen != null && "subscriptions/listen".equals(listen.getMethod())) {
            session.change(listen, McpItemState.CLOSED);
        } else if (session.isExact() && !session.isFull()) {
            session.warn(McpRule.CANCEL);
        }
    }

    void progress(McpMessage one, CaptureDirection direction, String progress) {
        if (one.getProgressToken() == null || direction == CaptureDirection.UNKNOWN) {
            return;
        }
        String token = McpSession.key(McpSession.opposite(direction), one.getProgressToken());
        McpItem open = session.latest(
                item -> token.equals(item.getToken()) && McpSession.isOpen(item) && session.isInExchangeOf(item));
        McpItem item = open == null ? session.latest(other -> token.equals(other.getToken())) : open;
        if (item == null) {
            if (session.isExact() && !session.hasOlderItems()) {
                session.warn(McpRule.PROGRESS_TOKEN);
            }
            return;
        }
        boolean isOrdered = session.isOrdered(item);
        boolean isEnded = !mayProgress(item);
        if (isEnded && session.isStdio()) {
            // An undecodable request may have used the token again.
            if (isOrdered) {
                session.warn(McpRule.PROGRESS_TOKEN);
            }
            return;
        }
        if (isEnded && isOrdered) {
            session.violate(McpRule.PROGRESS_ENDED, "Progress must end with the response to its request.");
        } else if (item.getState() == McpItemState.CANCELED && isOrdered) {
            session.warn(McpRule.LATE);
        }
        boolean isSole = session.latest(other -> token.equals(other.getToken())
                        && !other.getKey().equals(item.getKey())
                        && session.isInExchangeOf(other)
                        && mayProgress(other))
                == null;
        if (isOrdered
                && isSole
                && item.getState() != McpItemState.CANCELED
                && !McpProgress.increases(item.getProgress(), progress)) {
            session.violate(McpRule.PROGRESS, "The progress must be greater than the one before.");
        }
        if (isOrdered && McpProgress.isComparable(progress)) {
            McpItem after = McpSession.copy(item);
            after.setProgress(progress);
            session.touch(session.found(item), after);
        }
    }

    /** Whether progress of a request may follow: it has no response, a late one may come, or a task goes on. */
    private static boolean mayProgress(McpItem request) {
        return request.getState() != McpItemState.CLOSED || request.getDetail() != null;
    }

    void response(McpMessage response, CaptureDirection direction) {
        JsonRpcMessage rpc = response.getMessage();
        if (rpc.getId() == null || rpc.getId().equals("null")) {
            errorWithoutId(rpc);
            return;
        }
        if (direction == CaptureDirection.UNKNOWN) {
            return;
        }
        McpItem request = session.request(McpSession.opposite(direction), rpc.getId());
        boolean isExact = session.isExact();
        boolean isOrdered = request != null && session.isOrdered(request);
        handshake.followFirst(response, request);
        if (request == null) {
            if (isExact && !session.isFull()) {
                session.warn(McpRule.RESPONSE);
            }
            return;
        }
        boolean isOwn = session.exchange() != null
                && request.getKey()
                        .equals(McpSession.requestKey(McpSession.opposite(direction), session.exchange(), rpc.getId()));
        boolean wasGuessed = isOwn && request.getExchange() == null;
        if (request.getState() == McpItemState.CLOSED && !wasGuessed) {
            if (session.isStdio() && isOrdered) {
                session.warn(McpRule.REPEATED);
            }
            return;
        }
        if (request.getState() == McpItemState.CANCELED && isOrdered) {
            session.warn(McpRule.LATE);
        }
        McpItem closed = McpSession.copy(request);
        closed.setState(McpItemState.CLOSED);
        boolean isCertain = isOwn || session.isExact();
        if (!isCertain) {
            // It may be the response to another request, so that more may follow in the exchange of this one.
            closed.setExchange(null);
        }
        if (rpc.getKind() == JsonRpcKind.RESULT) {
            answered(response, direction, request, closed, isCertain);
        } else if (isCertain) {
            failed(rpc, request);
        }
        session.touch(session.found(request), closed);
    }

    /** Closes the {@code initialize} that an HTTP error refuses. */
    void refused() {
        McpItem open = isHttpError()
                ? session.latest(item ->
                        INITIALIZE.equals(item.getMethod()) && McpSession.isOpen(item) && session.isInExchangeOf(item))
                : null;
        if (open != null) {
            session.change(open, McpItemState.CLOSED);
        }
    }

    private boolean isHttpError() {
        Capture capture = session.capture();
        return capture != null && capture.getHttpStatus() != null && capture.getHttpStatus() >= HTTP_ERROR;
    }

    private void errorWithoutId(JsonRpcMessage rpc) {
        long code = rpc.getErrorCode() == null ? 0 : rpc.getErrorCode();
        if (!isHttpError() && code != PARSE_ERROR && code != INVALID_REQUEST) {
            session.warn(McpRule.ERROR_ID);
        }
    }

    private void answered(
            McpMessage response, CaptureDirection direction, McpItem request, McpItem closed, boolean isCertain) {
        Method method = request.getMethod() == null ? null : McpMethods.of(request.getMethod());
        if (method == null) {
            return;
        }
        Map<String, String> result = McpJson.members(response.getMessage().getResult());
        String type = McpJson.string(result.get("resultType"));
        boolean isTask = result.containsKey("task") || "task".equals(type);
        if (isTask) {
            closed.setDetail("task");
        }
        if (request.getModern() && isCertain) {
            modernResult(method, type, result);
        }
        boolean isComplete = type == null || type.equals("complete");
        if (isComplete && !isTask && isCertain && method.isDefined(session.versionOf(request.getModern()))) {
            String start = "The result of " + method.name() + " must have ";
            session.require(McpRule.MEMBER, start, method.result(), result);
            // Without a type, it is the result of a server that knows 2025-11-25 at most.
            if (request.getModern() && type != null) {
                session.require(McpRule.MEMBER, start, method.cacheHints(), result);
            }
        }
        switch (method.name()) {
            case INITIALIZE -> handshake.answered(response.getProtocolVersion(), result, isCertain);
            case "tools/list" -> declarations.define(McpItemKind.TOOL, "name", result.get("tools"));
            case "prompts/list" -> declarations.define(McpItemKind.PROMPT, "name", result.get("prompts"));
            case "resources/list" -> declarations.define(McpItemKind.RESOURCE, "uri", result.get("resources"));
            case "tasks/get", "tasks/cancel" ->
                declarations.task(
                        direction,
                        response.getTaskId(),
                        McpJson.string(result.get("status")),
                        McpHeaders.LAST_WITH_HANDSHAKE.equals(session.versionOf(request.getModern()))
                                ? request.getSequence()
                                : McpDeclarations.ANY_TIME);
            default -> {
                if (isTask && result.containsKey("task")) {
                    String status =
                            McpJson.string(McpJson.members(result.get("task")).get("status"));
                    declarations.task(direction, response.getTaskId(), status, McpDeclarations.ANY_TIME);
                } else if (isComplete
                        && !isTask
                        && isCertain
                        && !Boolean.TRUE.equals(response.getIsError())
                        && !McpHeaders.isMasked(session.capture())) {
                    declarations.output(request.getTool(), result.get("structuredContent"));
                }
            }
        }
    }

    private void modernResult(Method method, String type, Map<String, String> result) {
        if (type == null && state.getModernServer()) {
            session.violate(McpRule.RESULT_TYPE, "The result must have resultType.");
        }
        state.setModernServer(
                state.getModernServer() || type != null || method.name().equals(DISCOVER));
        if ("input_required".equals(type)) {
            boolean mayAsk = switch (method.name()) {
                case TOOLS_CALL, "resources/read", "prompts/get" -> true;
                default -> false;
            };
            if (!mayAsk || !result.containsKey("inputRequests") && !result.containsKey("requestState")) {
                session.violate(
                        McpRule.INPUT,
                        "Only tools/call, resources/read and prompts/get are answered with input_required, with"
                                + " inputRequests or requestState.");
            }
        }
    }

    private void failed(JsonRpcMessage rpc, McpItem request) {
        long code = rpc.getErrorCode() == null ? 0 : rpc.getErrorCode();
        boolean isReserved = code >= -32_099 && code < -32_022;
        if (request.getModern()
                && state.getModernServer()
                && (isReserved || code == RESOURCE_NOT_FOUND || code == URL_ELICITATION)) {
            session.violate(
                    McpRule.ERROR_CODE,
                    "Of the codes from -32099 to -32020, only -32020, -32021 and -32022 are defined.");
        }
    }
}
