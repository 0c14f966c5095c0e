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

import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemKind;
import dev.parley.avro.McpItemState;
import dev.parley.avro.McpMessage;
import dev.parley.avro.McpPhase;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Warnings;
import dev.parley.codec.mcp.McpCodec;
import dev.parley.dialogue.OlderItems;
import dev.parley.dialogue.RememberedItems;
import dev.parley.dialogue.RememberedItems.Found;
import dev.parley.dialogue.RememberedItems.Items;
import dev.parley.dialogue.RuleContext;
import dev.parley.dialogue.RuleResult;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.mcp.McpMethods.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Follows one message through the rules, and collects the state after it. The state follows illegal messages, too:
 * Parley observes the traffic, so the other side has received them and answers.
 *
 * <p>A rule that compares a message with others is decided on a transport that keeps their order, and if all messages
 * of the session were captured. Over HTTP, several clients may share a conversation, streams overtake each other, and a
 * resumed stream repeats messages, so most of these rules are decided over stdio alone.
 */
final class McpTurn {
    private static final String META = "_meta";
    private static final int RESOURCE_NOT_FOUND = -32_002;
    private static final int URL_ELICITATION = -32_042;
    private static final int PARSE_ERROR = -32_700;
    private static final int INVALID_REQUEST = -32_600;
    private static final int HTTP_ERROR = 400;

    private final McpDialogue next = new McpDialogue();
    private final RememberedItems<McpItem> remembered;
    private final int maxItems;
    private final RuleContext context;
    private final Capture capture;
    private final McpMessage message;
    private Items<McpItem> items;
    private boolean olderChanged;

    private final Warnings warnings = new Warnings();
    private McpRule violated;
    private McpRule warned;
    private String detail;

    McpTurn(
            McpDialogue before,
            McpMessage message,
            RuleContext context,
            RememberedItems<McpItem> remembered,
            int maxItems) {
        this.message = message;
        this.context = context;
        this.remembered = remembered;
        this.maxItems = maxItems;
        this.capture = message.getCapture();
        next.setPhase(McpPhase.NONE);
        next.setClient(List.of());
        next.setServer(List.of());
        next.setItems(List.of());
        if (before != null) {
            next.setComplete(before.getComplete());
            next.setPhase(before.getPhase());
            next.setVersion(before.getVersion());
            next.setClient(before.getClient());
            next.setServer(before.getServer());
            next.setLegacyClient(before.getLegacyClient());
            next.setModernClient(before.getModernClient());
            next.setModernServer(before.getModernServer());
            next.setItems(before.getItems());
        }
        items = new Items<>(next.getItems(), context.olderItems());
        follow();
    }

    RuleResult<McpDialogue> result() {
        next.setItems(items.recent());
        OlderItems older = olderChanged ? items.older() : null;
        McpRule deciding = violated != null ? violated : warned;
        boolean isMessage = switch (message.getMessage().getKind()) {
            case NONE, OTHER -> false;
            default -> true;
        };
        if (deciding == null) {
            deciding = isMessage ? McpRule.ACCEPTED : McpRule.TRANSPORT;
        }
        return new RuleResult<>(
                violated == null ? null : violated.code(), warnings.codes(), deciding.rule(), next, older);
    }

    /** Returns the methods that the sender may use here; result and error for responses. */
    List<String> allowed() {
        CaptureDirection direction = direction(message.getMessage());
        boolean isFirst = next.getPhase() == McpPhase.NONE && !next.getModernClient() && next.getComplete();
        List<String> declared = direction == CLIENT_TO_SERVER ? next.getServer() : next.getClient();
        List<String> allowed = new ArrayList<>();
        for (Method method : McpMethods.all()) {
            boolean isDeclared = !hasHandshake()
                    || method.capability() == null
                    || method.name().equals(MESSAGE)
                    || declared.contains(method.capability());
            boolean isEarly = isFree(method.name());
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
        return detail;
    }

    private void follow() {
        CaptureMark mark = mark();
        if (mark == CaptureMark.START) {
            start();
        } else if (mark == CaptureMark.GAP) {
            next.setComplete(false);
        }
        JsonRpcMessage rpc = message.getMessage();
        if (rpc.getKind() == JsonRpcKind.BATCH) {
            batch(rpc);
        } else {
            one(message);
        }
        if (mark == CaptureMark.END) {
            next.setComplete(false);
        }
    }

    /** A second start over HTTP is that of another client with the same conversation, whose requests stay open. */
    private void start() {
        if (isStdio() || !next.getComplete()) {
            next.setPhase(McpPhase.NONE);
            next.setVersion(null);
            next.setClient(List.of());
            next.setServer(List.of());
            next.setLegacyClient(false);
            next.setModernClient(false);
            next.setModernServer(false);
            forget(item -> item.getKind() == McpItemKind.REQUEST || item.getKind() == McpItemKind.TASK);
        }
        next.setComplete(true);
    }

    private void forget(Predicate<McpItem> forgotten) {
        Items<McpItem> after = remembered.without(items, forgotten);
        olderChanged |= after.older() != null;
        items = after.older() == null ? new Items<>(after.recent(), items.older()) : after;
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
        boolean isModern = elements.stream().anyMatch(this::isModern);
        if (isModern || initializes || hasHandshake() && isAtLeast("2025-06-18")) {
            violate(
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
            case RESULT, ERROR -> response(one, direction);
            case BATCH, NONE, OTHER, UNKNOWN -> {
                // Not a message by itself.
            }
        }
    }

    /** The direction by the capture, or else by a method that only one side sends. */
    private CaptureDirection direction(JsonRpcMessage rpc) {
        if (capture != null && capture.getDirection() != CaptureDirection.UNKNOWN) {
            return capture.getDirection();
        }
        Method method = rpc.getMethod() == null ? null : McpMethods.of(rpc.getMethod());
        if (method == null || method.fromClient() == method.fromServer()) {
            return CaptureDirection.UNKNOWN;
        }
        return method.fromClient() ? CLIENT_TO_SERVER : SERVER_TO_CLIENT;
    }

    // Requests

    private void request(McpMessage request, CaptureDirection direction) {
        JsonRpcMessage rpc = request.getMessage();
        Method method = McpMethods.of(rpc.getMethod());
        boolean isModern = isModern(request);
        boolean isClient = direction == CLIENT_TO_SERVER;
        Map<String, String> params = method == null && !isModern ? Map.of() : McpJson.members(rpc.getParams());
        if (method != null) {
            if (!method.isFrom(direction)) {
                warn(McpRule.METHOD);
            }
            if (method.isDefined(isModern)) {
                String start = method.name() + " must have the parameter ";
                require(McpRule.PARAMETER, start, method.params(), params);
                if (method.name().equals(ELICIT)) {
                    String mode = McpJson.string(params.get("mode"));
                    require(McpRule.PARAMETER, start, McpMethods.elicitation(mode), params);
                }
            }
        }
        if (isModern) {
            modernRequest(request, params);
        } else {
            handshake(rpc.getMethod(), direction);
            capability(method, direction);
            versionHeader(direction, rpc.getMethod());
        }
        if (!isClient && direction != CaptureDirection.UNKNOWN) {
            serverRequest();
        }
        if (isClient && !rpc.getMethod().equals(PING) && !rpc.getMethod().equals(DISCOVER)) {
            next.setModernClient(next.getModernClient() || isModern);
            next.setLegacyClient(next.getLegacyClient() || !isModern);
        }
        if (rpc.getMethod().equals(INITIALIZE) && isClient) {
            initialize(McpCapabilities.names(params.get("capabilities")));
        }
        if (direction != CaptureDirection.UNKNOWN) {
            open(request, direction, method, isModern);
        }
    }

    /** Over stdio, a session begins. Over HTTP, those of other clients with the same conversation may go on. */
    private void initialize(List<String> capabilities) {
        if (isStdio()) {
            forget(item -> item.getKind() == McpItemKind.REQUEST && !item.getModern());
        }
        boolean isOther = mayBeShared() && next.getPhase() != McpPhase.NONE;
        next.setClient(isOther ? union(next.getClient(), capabilities) : capabilities);
        next.setPhase(isOther && isAnswered() ? next.getPhase() : McpPhase.INITIALIZING);
    }

    /** Whether other clients may have sessions in this conversation, whose handshakes were captured. */
    private boolean mayBeShared() {
        return !isStdio() && next.getComplete();
    }

    private boolean isAnswered() {
        return next.getPhase() == McpPhase.INITIALIZED || next.getPhase() == McpPhase.READY;
    }

    private static List<String> union(List<String> names, List<String> others) {
        Set<String> all = new LinkedHashSet<>(names);
        all.addAll(others);
        return List.copyOf(all);
    }

    /** Rules of the first messages of a session with a handshake. */
    private void handshake(String method, CaptureDirection direction) {
        if (!next.getComplete() || isFree(method)) {
            return;
        }
        boolean isBefore = next.getPhase() == McpPhase.NONE && !next.getModernClient();
        if (direction == CLIENT_TO_SERVER && isBefore && mark() == CaptureMark.START) {
            violate(McpRule.FIRST, "The client must send initialize first, or name a version in _meta.");
        } else if (direction == CLIENT_TO_SERVER && (isBefore || next.getPhase() == McpPhase.INITIALIZING)
                || direction == SERVER_TO_CLIENT && isInitializing()) {
            warn(McpRule.EARLY);
        }
    }

    /** Whether a request needs no handshake. */
    private static boolean isFree(String method) {
        return method.equals(PING) || method.equals(INITIALIZE) || method.equals(DISCOVER);
    }

    private boolean isInitializing() {
        return next.getPhase() == McpPhase.INITIALIZING || next.getPhase() == McpPhase.INITIALIZED;
    }

    private void capability(Method method, CaptureDirection direction) {
        if (method == null || method.capability() == null || !hasHandshake() || !method.isFrom(direction)) {
            return;
        }
        boolean isServers = direction == CLIENT_TO_SERVER || method.name().equals(MESSAGE);
        List<String> declared = isServers ? next.getServer() : next.getClient();
        boolean isOlder = method.capability().equals("completions") && "2024-11-05".equals(next.getVersion());
        if (isOlder || direction == CaptureDirection.UNKNOWN || declared.contains(method.capability())) {
            return;
        }
        if (isAtLeast("2025-06-18") || method.name().equals(MESSAGE)) {
            violate(
                    McpRule.CAPABILITY,
                    method.name() + " needs " + method.capability() + ", but the " + (isServers ? "server" : "client")
                            + " declared " + (declared.isEmpty() ? "nothing" : String.join(", ", declared)) + '.');
        } else {
            warn(McpRule.UNDECLARED);
        }
    }

    /** Whether capabilities and version are known: the handshake was captured, and nothing was missed since. */
    private boolean hasHandshake() {
        return next.getComplete() && isAnswered() && next.getVersion() != null;
    }

    private void versionHeader(CaptureDirection direction, String method) {
        boolean isPost = capture != null && "POST".equals(capture.getHttpMethod());
        if (isPost
                && direction == CLIENT_TO_SERVER
                && !method.equals(INITIALIZE)
                && hasHandshake()
                && isAtLeast("2025-06-18")
                && !next.getVersion().equals(McpHeaders.field(capture, "mcp-protocol-version"))) {
            warn(McpRule.VERSION_HEADER);
        }
    }

    private void modernRequest(McpMessage request, Map<String, String> params) {
        if (request.getProtocolVersion() == null) {
            violate(McpRule.META, "_meta must have " + McpHeaders.PROTOCOL_VERSION + '.');
            return;
        }
        Map<String, String> meta = McpJson.members(params.get(META));
        if (!McpMethods.Type.OBJECT.fits(meta.get(McpHeaders.CLIENT_CAPABILITIES))) {
            violate(McpRule.META, "_meta must have " + McpHeaders.CLIENT_CAPABILITIES + ", which is an object.");
        }
        String mismatch = McpHeaders.mismatch(request, capture);
        if (mismatch != null) {
            violate(McpRule.HEADER, mismatch);
        }
    }

    private void serverRequest() {
        if (next.getComplete() && next.getModernClient() && !next.getLegacyClient()) {
            violate(McpRule.DIRECTION, "The server must ask in a result of the type input_required.");
        }
    }

    private void open(McpMessage request, CaptureDirection direction, Method method, boolean isModern) {
        JsonRpcMessage rpc = request.getMessage();
        Found<McpItem> found = find(requestKey(direction, exchange(), rpc.getId()));
        McpItem before = found.item();
        if (before != null && isExact()) {
            if (!isModern && !before.getModern()) {
                violate(McpRule.ID_REUSED, "The ID must be one that the sender has not used in this session.");
            } else if (isModern && isOpen(before)) {
                violate(McpRule.ID_REUSED, "The ID must be one without an open request.");
            }
        }
        String token = request.getProgressToken() == null ? null : key(direction, request.getProgressToken());
        if (token != null && isExact() && latest(item -> isOpen(item) && token.equals(item.getToken())) != null) {
            violate(McpRule.TOKEN, "The progress token must be one without an open request.");
        }
        McpItem item = new McpItem();
        item.setKind(McpItemKind.REQUEST);
        item.setKey(requestKey(direction, exchange(), rpc.getId()));
        item.setHash(key(direction, rpc.getId()));
        item.setMethod(method == null ? null : method.name());
        item.setState(McpItemState.OPEN);
        item.setExchange(exchange() == null ? null : StoredText.key(exchange()));
        item.setModern(isModern);
        item.setToken(token);
        item.setSequence(context.sequence());
        touch(found, item);
    }

    // Notifications

    private void notification(McpMessage one, CaptureDirection direction) {
        JsonRpcMessage rpc = one.getMessage();
        Method method = McpMethods.of(rpc.getMethod());
        if (method == null) {
            return;
        }
        if (!method.isFrom(direction)) {
            warn(McpRule.METHOD);
        }
        Map<String, String> params = McpJson.members(rpc.getParams());
        require(McpRule.PARAMETER, method.name() + " must have the parameter ", method.params(), params);
        switch (rpc.getMethod()) {
            case INITIALIZED -> {
                if (next.getPhase() == McpPhase.INITIALIZING && next.getComplete()) {
                    warn(McpRule.EARLY);
                } else if (next.getPhase() == McpPhase.INITIALIZED) {
                    next.setPhase(McpPhase.READY);
                }
            }
            case MESSAGE -> {
                if (!next.getModernClient()) {
                    capability(method, direction);
                }
            }
            case CANCELLED -> canceled(one, direction);
            case PROGRESS -> progress(one, direction, params.get("progress"));
            case TASK_STATUS -> task(direction, one.getTaskId(), McpJson.string(params.get("status")), true);
            default -> listChanged(rpc.getMethod(), direction);
        }
    }

    private void listChanged(String method, CaptureDirection direction) {
        String end = "/list_changed";
        if (method.endsWith(end) && hasHandshake() && !next.getModernClient()) {
            String name = method.substring("notifications/".length(), method.length() - end.length());
            List<String> declared = direction == SERVER_TO_CLIENT ? next.getServer() : next.getClient();
            if (!declared.contains(name + ".listChanged")) {
                warn(McpRule.UNDECLARED);
            }
        }
    }

    private void canceled(McpMessage one, CaptureDirection direction) {
        String id = one.getRequestId();
        if (id == null || direction == CaptureDirection.UNKNOWN) {
            return;
        }
        McpItem own = request(direction, id);
        McpItem listen = request(opposite(direction), id);
        if (own != null && INITIALIZE.equals(own.getMethod()) && isCertain(own)) {
            violate(McpRule.CANCEL_INITIALIZE, "The client must end the connection instead.");
        } else if (own != null) {
            if (isOpen(own)) {
                change(own, McpItemState.CANCELED);
            }
        } else if (listen != null && "subscriptions/listen".equals(listen.getMethod())) {
            change(listen, McpItemState.CLOSED);
        } else if (isExact() && !isFull()) {
            warn(McpRule.CANCEL);
        }
    }

    private void progress(McpMessage one, CaptureDirection direction, String progress) {
        if (one.getProgressToken() == null || direction == CaptureDirection.UNKNOWN) {
            return;
        }
        String token = key(opposite(direction), one.getProgressToken());
        McpItem open = latest(item -> token.equals(item.getToken()) && isOpen(item));
        McpItem item = open == null ? latest(other -> token.equals(other.getToken())) : open;
        if (item == null) {
            if (isExact() && items.older().count() == 0) {
                warn(McpRule.PROGRESS_TOKEN);
            }
            return;
        }
        boolean isOrdered = isOrdered(item);
        if (item.getState() == McpItemState.CLOSED && item.getDetail() == null && isOrdered) {
            violate(McpRule.PROGRESS_ENDED, "Progress must end with the response to its request.");
        } else if (item.getState() == McpItemState.CANCELED && isOrdered) {
            warn(McpRule.LATE);
        }
        if (isOrdered && !McpProgress.increases(item.getProgress(), progress)) {
            violate(McpRule.PROGRESS, "The progress must be greater than the one before.");
        }
        if (isOrdered && McpProgress.isComparable(progress)) {
            McpItem after = copy(item);
            after.setProgress(progress);
            touch(found(item), after);
        }
    }

    // Responses

    private void response(McpMessage response, CaptureDirection direction) {
        JsonRpcMessage rpc = response.getMessage();
        if (rpc.getId() == null || rpc.getId().equals("null")) {
            errorWithoutId(rpc);
            return;
        }
        if (direction == CaptureDirection.UNKNOWN) {
            return;
        }
        McpItem request = request(opposite(direction), rpc.getId());
        if (request == null) {
            if (isExact() && !isFull()) {
                warn(McpRule.RESPONSE);
            }
            return;
        }
        boolean isOrdered = isOrdered(request);
        boolean isOwn =
                exchange() != null && request.getKey().equals(requestKey(opposite(direction), exchange(), rpc.getId()));
        boolean wasGuessed = isOwn && request.getExchange() == null;
        if (request.getState() == McpItemState.CLOSED && !wasGuessed) {
            if (isStdio() && isOrdered) {
                warn(McpRule.REPEATED);
            }
            return;
        }
        if (request.getState() == McpItemState.CANCELED && isOrdered) {
            warn(McpRule.LATE);
        }
        McpItem closed = copy(request);
        closed.setState(McpItemState.CLOSED);
        boolean isCertain = isOwn || isCertain(request);
        if (!isCertain) {
            // It may be the response to another request, so that more may follow in the exchange of this one.
            closed.setExchange(null);
        }
        if (rpc.getKind() == JsonRpcKind.RESULT) {
            answered(response, direction, request, closed, isCertain);
        } else if (isCertain) {
            failed(rpc, request);
        }
        touch(found(request), closed);
    }

    private void errorWithoutId(JsonRpcMessage rpc) {
        boolean isHttpError =
                capture != null && capture.getHttpStatus() != null && capture.getHttpStatus() >= HTTP_ERROR;
        long code = rpc.getErrorCode() == null ? 0 : rpc.getErrorCode();
        if (!isHttpError && code != PARSE_ERROR && code != INVALID_REQUEST) {
            warn(McpRule.ERROR_ID);
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
        if (isComplete && !isTask && isCertain && method.isDefined(request.getModern())) {
            String start = "The result of " + method.name() + " must have ";
            require(McpRule.MEMBER, start, method.result(), result);
            // Without a type, it is the result of a server that knows 2025-11-25 at most.
            if (request.getModern() && type != null) {
                require(McpRule.MEMBER, start, method.cacheHints(), result);
            }
        }
        switch (method.name()) {
            case INITIALIZE -> initialized(response.getProtocolVersion(), result, isCertain);
            case "tools/list" -> define(McpItemKind.TOOL, "name", result.get("tools"));
            case "prompts/list" -> define(McpItemKind.PROMPT, "name", result.get("prompts"));
            case "resources/list" -> define(McpItemKind.RESOURCE, "uri", result.get("resources"));
            case "tasks/get", "tasks/cancel" ->
                task(direction, response.getTaskId(), McpJson.string(result.get("status")), !request.getModern());
            default -> {
                if (isTask && result.containsKey("task")) {
                    String status =
                            McpJson.string(McpJson.members(result.get("task")).get("status"));
                    task(direction, response.getTaskId(), status, false);
                }
            }
        }
    }

    private void initialized(String version, Map<String, String> result, boolean isCertain) {
        if (version == null && isCertain) {
            violate(McpRule.VERSION, "The result must have protocolVersion.");
        }
        if (version == null && !isCertain) {
            return;
        }
        String known = version != null && McpHeaders.VERSIONS.contains(version) ? version : null;
        List<String> capabilities = McpCapabilities.names(result.get("capabilities"));
        if (mayBeShared() && isAnswered()) {
            // A version that is not known stays so: it may be earlier.
            next.setVersion(known == null || isAtLeast(known) ? known : next.getVersion());
            next.setServer(union(next.getServer(), capabilities));
        } else {
            next.setVersion(known);
            next.setServer(capabilities);
            next.setPhase(McpPhase.INITIALIZED);
        }
    }

    private void modernResult(Method method, String type, Map<String, String> result) {
        if (type == null && next.getModernServer()) {
            violate(McpRule.RESULT_TYPE, "The result must have resultType.");
        }
        next.setModernServer(
                next.getModernServer() || type != null || method.name().equals(DISCOVER));
        if ("input_required".equals(type)) {
            boolean mayAsk = switch (method.name()) {
                case "tools/call", "resources/read", "prompts/get" -> true;
                default -> false;
            };
            if (!mayAsk || !result.containsKey("inputRequests") && !result.containsKey("requestState")) {
                violate(
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
                && next.getModernServer()
                && (isReserved || code == RESOURCE_NOT_FOUND || code == URL_ELICITATION)) {
            violate(
                    McpRule.ERROR_CODE,
                    "Of the codes from -32099 to -32020, only -32020, -32021 and -32022 are defined.");
        }
    }

    /** Compares definitions with their first sight. */
    private void define(McpItemKind kind, String nameMember, String definitions) {
        List<String> elements = McpJson.elements(definitions);
        List<RememberedItems.Touch<McpItem>> touches = new ArrayList<>(elements.size());
        Set<String> keys = new HashSet<>();
        int number = 0;
        for (String json : elements) {
            number++;
            Map<String, String> members = McpJson.members(json);
            String name = McpJson.string(members.get(nameMember));
            if (name == null) {
                continue;
            }
            McpItem item = new McpItem();
            item.setKind(kind);
            item.setKey(kind.name().charAt(0) + "." + StoredText.key(name));
            item.setHash(StoredText.key(McpDefinitions.text(members)));
            item.setState(McpItemState.OPEN);
            item.setSequence(context.sequence());
            if (!keys.add(item.getKey())) {
                continue;
            }
            Found<McpItem> found = find(item.getKey());
            McpItem before = found.item();
            if (before != null && !before.getHash().equals(item.getHash())) {
                warn(McpRule.CHANGED);
                detail = detail == null
                        ? "Definition " + number + " differs from the one at sequence " + before.getSequence() + '.'
                        : detail;
            } else if (before != null) {
                item.setSequence(before.getSequence());
            }
            touches.add(new RememberedItems.Touch<>(found, item));
        }
        if (!touches.isEmpty()) {
            replace(remembered.touch(items, touches, context.sequence()));
        }
    }

    /** Follows a task of the side that reports it: both sides may give their tasks the same ID. */
    private void task(CaptureDirection owner, String id, String status, boolean isFinal) {
        if (id == null || status == null) {
            return;
        }
        String key = "t." + StoredText.key(owner + " " + id);
        Found<McpItem> found = find(key);
        McpItem before = found.item();
        boolean isEnded = before != null && before.getState() == McpItemState.CLOSED;
        if (isEnded && !status.equals(before.getDetail()) && isFinal && isExact()) {
            violate(McpRule.TASK, "The task has ended as " + before.getDetail() + '.');
        }
        McpItem item = new McpItem();
        item.setKind(McpItemKind.TASK);
        item.setKey(key);
        item.setHash("");
        boolean ends = switch (status) {
            case "completed", "failed", "cancelled" -> true;
            default -> false;
        };
        boolean isKnown = ends || status.equals("working") || status.equals("input_required");
        item.setState(ends || isEnded ? McpItemState.CLOSED : McpItemState.OPEN);
        item.setDetail(isEnded ? before.getDetail() : isKnown ? status : null);
        item.setSequence(context.sequence());
        touch(found, item);
    }

    // Items

    private static String key(CaptureDirection direction, String json) {
        return StoredText.key(direction + " " + McpJson.canonical(json));
    }

    private static String requestKey(CaptureDirection direction, String exchange, String id) {
        String text = direction + " " + Objects.requireNonNullElse(exchange, "") + " " + McpJson.canonical(id);
        return "r." + StoredText.key(text);
    }

    private String exchange() {
        return capture == null ? null : capture.getExchange();
    }

    /** The request with an ID: that of the exchange of this message, otherwise the latest open one, or the latest. */
    private McpItem request(CaptureDirection direction, String id) {
        Found<McpItem> own = find(requestKey(direction, exchange(), id));
        if (own.item() != null || isStdio()) {
            return own.item();
        }
        String hash = key(direction, id);
        McpItem open = latest(
                item -> item.getKind() == McpItemKind.REQUEST && item.getHash().equals(hash) && isOpen(item));
        return open != null
                ? open
                : latest(item ->
                        item.getKind() == McpItemKind.REQUEST && item.getHash().equals(hash));
    }

    private McpItem latest(Predicate<McpItem> wanted) {
        for (int i = items.recent().size() - 1; i >= 0; i--) {
            if (wanted.test(items.recent().get(i))) {
                return items.recent().get(i);
            }
        }
        return null;
    }

    private Found<McpItem> find(String key) {
        return remembered.find(latest(item -> item.getKey().equals(key)), items.older(), () -> key);
    }

    private Found<McpItem> found(McpItem item) {
        return find(item.getKey());
    }

    private void change(McpItem item, McpItemState state) {
        McpItem after = copy(item);
        after.setState(state);
        touch(found(item), after);
    }

    private void touch(Found<McpItem> found, McpItem item) {
        replace(remembered.touch(items, found, item, context.sequence()));
    }

    private void replace(Items<McpItem> after) {
        olderChanged |= after.older() != null;
        items = after.older() == null ? new Items<>(after.recent(), items.older()) : after;
    }

    private static McpItem copy(McpItem item) {
        return new McpItem(
                item.getKind(),
                item.getKey(),
                item.getHash(),
                item.getMethod(),
                item.getState(),
                item.getExchange(),
                item.getModern(),
                item.getToken(),
                item.getProgress(),
                item.getDetail(),
                item.getSequence());
    }

    private static boolean isOpen(McpItem item) {
        return item.getState() == McpItemState.OPEN;
    }

    // What is known

    private CaptureMark mark() {
        return capture == null ? CaptureMark.NONE : capture.getMark();
    }

    /** Whether all messages of the session were captured in their order. */
    private boolean isExact() {
        return next.getComplete() && isStdio();
    }

    private boolean isStdio() {
        return capture != null
                && capture.getDirection() != CaptureDirection.UNKNOWN
                && capture.getExchange() == null
                && capture.getHttpMethod() == null
                && capture.getHttpStatus() == null;
    }

    /** Whether this message and that of the request came on one stream, so that their order is known. */
    private boolean isOrdered(McpItem request) {
        return isExact()
                || next.getComplete()
                        && exchange() != null
                        && StoredText.key(exchange()).equals(request.getExchange());
    }

    /**
     * Whether this message is about the request that was found by its ID, and not about another one with the same ID,
     * which was not captured or has been forgotten.
     */
    private boolean isCertain(McpItem request) {
        if (isExact()) {
            return true;
        }
        long same = items.recent().stream()
                .filter(item ->
                        item.getKind() == McpItemKind.REQUEST && item.getHash().equals(request.getHash()))
                .count();
        return !isStdio() && next.getComplete() && same == 1 && items.older().count() == 0;
    }

    /** Whether requests may have been forgotten. */
    private boolean isFull() {
        return items.recent().size() + items.older().count() >= maxItems / 2;
    }

    private boolean isAtLeast(String version) {
        return next.getVersion() != null && next.getVersion().compareTo(version) >= 0;
    }

    /** Whether a request is of 2026-07-28: by its body, or by its header of HTTP, which then lacks its counterpart. */
    private boolean isModern(McpMessage message) {
        String method = message.getMessage().getMethod();
        boolean isModern = message.getProtocolVersion() != null
                || capture != null
                        && "POST".equals(capture.getHttpMethod())
                        && McpHeaders.MODERN.equals(McpHeaders.field(capture, "mcp-protocol-version"))
                        && !McpHeaders.MODERN.equals(next.getVersion());
        return isModern && method != null && !method.equals(INITIALIZE);
    }

    private static CaptureDirection opposite(CaptureDirection direction) {
        return direction == CLIENT_TO_SERVER ? SERVER_TO_CLIENT : CLIENT_TO_SERVER;
    }

    // Findings

    private void require(McpRule rule, String start, List<McpMethods.Member> required, Map<String, String> members) {
        String missing = McpMethods.missing(required, members);
        if (missing != null) {
            violate(rule, start + missing + '.');
        }
    }

    private void violate(McpRule rule, String expected) {
        if (violated == null) {
            violated = rule;
            detail = expected;
        }
    }

    private void warn(McpRule rule) {
        warnings.add(rule.code());
        warned = warned == null ? rule : warned;
    }
}
