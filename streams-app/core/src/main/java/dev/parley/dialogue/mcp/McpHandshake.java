package dev.parley.dialogue.mcp;

import static dev.parley.avro.CaptureDirection.CLIENT_TO_SERVER;
import static dev.parley.avro.CaptureDirection.SERVER_TO_CLIENT;
import static dev.parley.dialogue.mcp.McpMethods.DISCOVER;
import static dev.parley.dialogue.mcp.McpMethods.INITIALIZE;
import static dev.parley.dialogue.mcp.McpMethods.MESSAGE;
import static dev.parley.dialogue.mcp.McpMethods.PING;

import dev.parley.avro.CaptureDirection;
import dev.parley.avro.CaptureMark;
import dev.parley.avro.McpDialogue;
import dev.parley.avro.McpItem;
import dev.parley.avro.McpItemKind;
import dev.parley.avro.McpItemState;
import dev.parley.avro.McpMessage;
import dev.parley.avro.McpPhase;
import dev.parley.dialogue.mcp.McpMethods.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of versions and capabilities: of the handshake, and of what its sides may do after it. */
final class McpHandshake {
    private final McpSession session;
    private final McpDialogue state;

    McpHandshake(McpSession session) {
        this.session = session;
        this.state = session.state();
    }

    /**
     * Over stdio, a session begins. A later start over HTTP is that of another client with the same conversation: the
     * requests of the others stay open, and what was not captured of them stays unknown.
     */
    void start() {
        boolean isOfHttp = session.isHttp() || session.latest(item -> item.getExchange() != null) != null;
        if (session.isStdio() && !isOfHttp) {
            state.setPhase(McpPhase.NONE);
            state.setVersion(null);
            state.setClient(List.of());
            state.setServer(List.of());
            state.setLegacyClient(false);
            state.setModernClient(false);
            state.setModernServer(false);
            session.forget(item -> item.getKind() == McpItemKind.REQUEST || item.getKind() == McpItemKind.TASK);
        }
        state.setComplete(session.isNew() || (isOfHttp ? state.getComplete() : session.isStdio()));
    }

    /** Over stdio, a session begins. Over HTTP, those of other clients with the same conversation may go on. */
    void initialize(List<String> capabilities) {
        if (session.isStdio()) {
            session.forget(item ->
                    item.getKind() == McpItemKind.REQUEST && !item.getModern() || item.getKind() == McpItemKind.TASK);
        }
        boolean isOther = session.mayBeShared() && state.getPhase() != McpPhase.NONE;
        state.setClient(isOther ? union(state.getClient(), capabilities) : capabilities);
        state.setVersion(isOther ? state.getVersion() : null);
        state.setPhase(isOther && session.isAnswered() ? state.getPhase() : McpPhase.INITIALIZING);
    }

    private static List<String> union(List<String> names, List<String> others) {
        Set<String> all = new LinkedHashSet<>(names);
        all.addAll(others);
        return List.copyOf(all);
    }

    /** Rules of the first messages of a session with a handshake. */
    void first(String method, CaptureDirection direction) {
        if (!state.getComplete() || isFree(method)) {
            return;
        }
        boolean isBefore = state.getPhase() == McpPhase.NONE && !state.getModernClient();
        if (direction == CLIENT_TO_SERVER && isBefore && session.mark() == CaptureMark.START) {
            session.violate(McpRule.FIRST, "The client must send initialize first, or name a version in _meta.");
        } else if (direction == CLIENT_TO_SERVER && (isBefore || state.getPhase() == McpPhase.INITIALIZING)
                || direction == SERVER_TO_CLIENT && isInitializing()) {
            session.warn(McpRule.EARLY);
        }
    }

    /** Whether a request needs no handshake. */
    static boolean isFree(String method) {
        return method.equals(PING) || method.equals(INITIALIZE) || method.equals(DISCOVER);
    }

    void initialized() {
        if (state.getPhase() == McpPhase.INITIALIZING && state.getComplete()) {
            session.warn(McpRule.EARLY);
        } else if (state.getPhase() == McpPhase.INITIALIZED) {
            state.setPhase(McpPhase.READY);
        }
    }

    private boolean isInitializing() {
        return state.getPhase() == McpPhase.INITIALIZING || state.getPhase() == McpPhase.INITIALIZED;
    }

    void capability(Method method, CaptureDirection direction) {
        if (method == null || method.capability() == null || !session.hasHandshake() || !method.isFrom(direction)) {
            return;
        }
        boolean isServers = direction == CLIENT_TO_SERVER || method.name().equals(MESSAGE);
        List<String> declared = isServers ? state.getServer() : state.getClient();
        boolean isOlder = method.capability().equals("completions") && "2024-11-05".equals(state.getVersion());
        if (isOlder || direction == CaptureDirection.UNKNOWN || declared.contains(method.capability())) {
            return;
        }
        if (session.isAtLeast("2025-06-18") || method.name().equals(MESSAGE)) {
            session.violate(
                    McpRule.CAPABILITY,
                    method.name() + " needs " + method.capability() + ", but the " + (isServers ? "server" : "client")
                            + " declared " + (declared.isEmpty() ? "nothing" : String.join(", ", declared)) + '.');
        } else {
            session.warn(McpRule.UNDECLARED);
        }
    }

    void versionHeader(CaptureDirection direction, String method) {
        if (session.isPost()
                && direction == CLIENT_TO_SERVER
                && !method.equals(INITIALIZE)
                && session.hasHandshake()
                && session.isAtLeast("2025-06-18")
                && !state.getVersion().equals(session.versionHeader())) {
            session.warn(McpRule.VERSION_HEADER);
        }
    }

    /**
     * Over HTTP, other clients may share the conversation, but not an exchange. A server of another version may have
     * received requests of 2026-07-28, too.
     */
    void serverRequest() {
        boolean isModern = session.isStdio()
                ? state.getComplete() && state.getModernClient() && !state.getLegacyClient()
                : session.isInModernExchange();
        if (isModern && state.getModernServer()) {
            session.violate(McpRule.DIRECTION, "The server must ask in a result of the type input_required.");
        }
    }

    void listChanged(String method, CaptureDirection direction) {
        String end = "/list_changed";
        if (method.endsWith(end) && session.hasHandshake() && !state.getModernClient()) {
            String name = method.substring("notifications/".length(), method.length() - end.length());
            List<String> declared = direction == SERVER_TO_CLIENT ? state.getServer() : state.getClient();
            if (!declared.contains(name + ".listChanged")) {
                session.warn(McpRule.UNDECLARED);
            }
        }
    }

    /**
     * Follows a response that belongs to the first request of a session, {@code initialize} or {@code server/discover},
     * by its form. If that is not the open request with its ID, on this stream, it may be among the undecodable
     * records.
     */
    void followFirst(McpMessage response, McpItem request) {
        Map<String, String> result = McpJson.members(response.getMessage().getResult());
        boolean isHandshake = response.getProtocolVersion() != null && result.containsKey("serverInfo");
        String first = isHandshake ? INITIALIZE : result.containsKey("supportedVersions") ? DISCOVER : null;
        if (first == null) {
            return;
        }
        boolean isOpen =
                request != null && request.getState() != McpItemState.CLOSED && session.isInExchangeOf(request);
        // Without _meta, server/discover is a request whose method no version defines.
        boolean isOther = isOpen && !first.equals(request.getMethod()) && (isHandshake || request.getMethod() != null);
        if (!isOpen || isOther) {
            state.setComplete(false);
        }
    }

    void answered(String version, Map<String, String> result, boolean isCertain) {
        if (version == null && isCertain) {
            session.violate(McpRule.VERSION, "The result must have protocolVersion.");
        }
        if (version == null && !isCertain) {
            return;
        }
        String known = version != null && McpHeaders.VERSIONS.contains(version) ? version : null;
        List<String> capabilities = McpCapabilities.names(result.get("capabilities"));
        if (session.mayBeShared() && session.isAnswered()) {
            // A version that is not known stays so: it may be earlier.
            state.setVersion(known == null || session.isAtLeast(known) ? known : state.getVersion());
            state.setServer(union(state.getServer(), capabilities));
        } else {
            state.setVersion(known);
            state.setServer(capabilities);
            state.setPhase(McpPhase.INITIALIZED);
        }
    }
}
