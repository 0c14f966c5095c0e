package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.dialogue.mcp.McpJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What an MCP session has declared and left open. Entries are {@code version}; {@code client/NAME} and
 * {@code server/NAME} for capabilities; {@code tool/NAME}, {@code prompt/NAME} and {@code resource/URI} for
 * definitions; {@code request/ID} for open requests, with {@code server} before the ID if the server sent it;
 * {@code task/ID}; and {@code subscription/URI}. Values are JSON texts, or the method and object of a request. A list
 * without further pages removes the definitions that it does not contain.
 */
public final class McpChanges implements StateReducer {
    /** The state of a session. */
    public static final StateModel.Folded MODEL =
            new StateModel.Folded(new StateKind("session", McpChanges::session), McpChanges::new);

    /** Lists of definitions: member of the result, kind of the entries, and the member that names one. */
    private record Listing(String member, String kind, String name) {}

    private static final Map<String, Listing> LISTINGS = Map.of(
            "tools/list", new Listing("tools", "tool/", "name"),
            "prompts/list", new Listing("prompts", "prompt/", "name"),
            "resources/list", new Listing("resources", "resource/", "uri"));

    /** Groups of the shown state, in order, with the prefix of their entries. */
    private static final Map<String, String> GROUPS = new LinkedHashMap<>();

    static {
        GROUPS.put("clientCapabilities", "client/");
        GROUPS.put("serverCapabilities", "server/");
        GROUPS.put("tools", "tool/");
        GROUPS.put("prompts", "prompt/");
        GROUPS.put("resources", "resource/");
        GROUPS.put("requests", "request/");
        GROUPS.put("tasks", "task/");
        GROUPS.put("subscriptions", "subscription/");
    }

    /** An open request. */
    private record Open(String method, String uri, boolean isFirstPage, boolean isModern) {
        long bytes() {
            return method.length() + (uri == null ? 0 : uri.length());
        }
    }

    private final Map<String, Open> open = new HashMap<>();
    /** Names of the definitions of each kind, and those of the pages of a list so far. */
    private final Map<String, Set<String>> declared = new HashMap<>();

    private final Map<String, Set<String>> paged = new HashMap<>();
    private long bytes;

    @Override
    public List<Change> of(AuditRecord record) {
        McpMessage message = record.getMessage().getMcp();
        JsonRpcMessage rpc = message.getMessage();
        Capture capture = message.getCapture();
        boolean isServers = capture != null && capture.getDirection() == CaptureDirection.SERVER_TO_CLIENT;
        List<Change> changes = new ArrayList<>();
        switch (rpc.getKind()) {
            case REQUEST -> request(message, isServers, changes);
            case RESULT, ERROR -> response(message, !isServers, changes);
            case NOTIFICATION -> notification(message, isServers, changes);
            case BATCH, NONE, OTHER, UNKNOWN -> {
                // No change by itself.
            }
        }
        return changes;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    private void request(McpMessage message, boolean isServers, List<Change> changes) {
        JsonRpcMessage rpc = message.getMessage();
        Map<String, String> params = McpJson.members(rpc.getParams());
        String id = id(isServers, rpc.getId());
        Open request = new Open(
                rpc.getMethod(), message.getUri(), !params.containsKey("cursor"), message.getProtocolVersion() != null);
        Open before = open.put(id, request);
        bytes += request.bytes() + id.length() - (before == null ? 0 : before.bytes() + id.length());
        String about = message.getName() == null ? message.getUri() : message.getName();
        changes.add(Change.set("request/" + id, about == null ? rpc.getMethod() : rpc.getMethod() + " " + about));
        if (rpc.getMethod().equals("initialize")) {
            capabilities("client", params.get("capabilities"), changes);
        } else {
            String capabilities =
                    McpJson.members(params.get("_meta")).get("io.modelcontextprotocol/clientCapabilities");
            if (capabilities != null) {
                changes.add(Change.set("version", message.getProtocolVersion()));
                capabilities("client", capabilities, changes);
            }
        }
    }

    private void response(McpMessage message, boolean isServers, List<Change> changes) {
        JsonRpcMessage rpc = message.getMessage();
        if (rpc.getId() == null) {
            return;
        }
        String id = id(isServers, rpc.getId());
        Open request = open.remove(id);
        if (request != null) {
            bytes -= request.bytes() + id.length();
            changes.add(Change.clear("request/" + id));
        }
        if (rpc.getKind() == JsonRpcKind.ERROR) {
            return;
        }
        Map<String, String> result = McpJson.members(rpc.getResult());
        String method = request == null ? "" : request.method();
        Listing listing = LISTINGS.get(method);
        if (listing != null) {
            define(listing, request, result, changes);
        }
        switch (method) {
            case "initialize" -> {
                if (message.getProtocolVersion() != null) {
                    changes.add(Change.set("version", message.getProtocolVersion()));
                }
                capabilities("server", result.get("capabilities"), changes);
            }
            case "server/discover" -> capabilities("server", result.get("capabilities"), changes);
            case "resources/subscribe" -> changes.add(Change.set("subscription/" + request.uri(), "\"open\""));
            case "resources/unsubscribe" -> changes.add(Change.clear("subscription/" + request.uri()));
            default -> {
                Map<String, String> created = McpJson.members(result.get("task"));
                task(message.getTaskId(), created.isEmpty() ? result.get("status") : created.get("status"), changes);
            }
        }
    }

    private void notification(McpMessage message, boolean isServers, List<Change> changes) {
        switch (message.getMessage().getMethod()) {
            case "notifications/cancelled" -> {
                if (message.getRequestId() != null) {
                    String id = id(isServers, message.getRequestId());
                    Open request = open.remove(id);
                    bytes -= request == null ? 0 : request.bytes() + id.length();
                    changes.add(Change.clear("request/" + id));
                }
            }
            case "notifications/tasks/status" ->
                task(
                        message.getTaskId(),
                        McpJson.members(message.getMessage().getParams()).get("status"),
                        changes);
            default -> {
                // No change.
            }
        }
    }

    private static void task(String id, String status, List<Change> changes) {
        if (id != null && status != null) {
            changes.add(Change.set("task/" + id, status));
        }
    }

    private void define(Listing listing, Open request, Map<String, String> result, List<Change> changes) {
        Set<String> names = request.isFirstPage() ? new TreeSet<>() : paged.get(listing.kind());
        if (request.isFirstPage()) {
            forget(paged.remove(listing.kind()));
        }
        for (String json : McpJson.elements(result.get(listing.member()))) {
            String name = McpJson.string(McpJson.members(json).get(listing.name()));
            if (name == null) {
                continue;
            }
            changes.add(Change.set(listing.kind() + name, json));
            if (names != null && names.add(name)) {
                bytes += name.length();
            }
        }
        if (names == null) {
            return;
        }
        if (result.containsKey("nextCursor")) {
            paged.put(listing.kind(), names);
            return;
        }
        paged.remove(listing.kind());
        Set<String> before = declared.put(listing.kind(), names);
        if (before != null) {
            before.stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> changes.add(Change.clear(listing.kind() + name)));
            forget(before);
        }
    }

    private void forget(Set<String> names) {
        if (names != null) {
            names.forEach(name -> bytes -= name.length());
        }
    }

    private static void capabilities(String side, String json, List<Change> changes) {
        McpJson.members(json).forEach((name, value) -> changes.add(Change.set(side + '/' + name, value)));
    }

    private static String id(boolean isServers, String id) {
        return isServers ? "server " + id : id;
    }

    private static Map<String, Object> session(SortedMap<String, String> entries) {
        Map<String, Object> session = new LinkedHashMap<>();
        session.put("version", entries.get("version"));
        GROUPS.forEach((group, prefix) -> {
            Map<String, String> members = new LinkedHashMap<>();
            entries.forEach((name, value) -> {
                if (name.startsWith(prefix)) {
                    members.put(name.substring(prefix.length()), value);
                }
            });
            session.put(group, members);
        });
        return Map.of("session", session);
    }
}
