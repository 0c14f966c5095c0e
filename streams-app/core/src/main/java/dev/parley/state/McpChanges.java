package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Capture;
import dev.parley.avro.CaptureDirection;
import dev.parley.avro.JsonRpcKind;
import dev.parley.avro.JsonRpcMessage;
import dev.parley.avro.McpMessage;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.mcp.McpCodec;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.mcp.McpDefinitions;
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
 * without further pages removes the definitions that it does not contain, and one that repeats a definition changes
 * nothing. Over stdio, a handshake replaces capabilities and ends open requests.
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
    private record Open(String method, String uri, boolean isFirstPage) {
        long bytes() {
            return method.length() + (uri == null ? 0 : uri.length());
        }
    }

    /** Open requests by exchange and ID. */
    private final Map<String, Open> open = new HashMap<>();
    /** Key of the latest request with an ID. */
    private final Map<String, String> latest = new HashMap<>();
    /** Hashes of the definitions of each kind by their names. */
    private final Map<String, Map<String, String>> declared = new HashMap<>();
    /** Names of the definitions of each kind in the pages of a list so far. */
    private final Map<String, Set<String>> paged = new HashMap<>();
    /** Names of the capabilities of each side. */
    private final Map<String, Set<String>> capabilities = new HashMap<>();

    private long bytes;

    @Override
    public List<Change> of(AuditRecord record) {
        McpMessage message = record.getMessage().getMcp();
        List<Change> changes = new ArrayList<>();
        follow(message, message.getCapture(), changes);
        return changes;
    }

    private void follow(McpMessage message, Capture capture, List<Change> changes) {
        JsonRpcMessage rpc = message.getMessage();
        boolean isServers = capture != null && capture.getDirection() == CaptureDirection.SERVER_TO_CLIENT;
        switch (rpc.getKind()) {
            case REQUEST -> request(message, capture, isServers, changes);
            case RESULT, ERROR -> response(message, capture, !isServers, changes);
            case NOTIFICATION -> notification(message, isServers, changes);
            case BATCH -> {
                for (String json : rpc.getBatch()) {
                    if (McpCodec.decodeElement(json) instanceof DecodeResult.Decoded<McpMessage> one) {
                        follow(one.message(), capture, changes);
                    }
                }
            }
            case NONE, OTHER, UNKNOWN -> {
                // No change by itself.
            }
        }
    }

    private static boolean isStdio(Capture capture) {
        return capture == null || capture.getExchange() == null;
    }

    /** Ends the requests of an earlier process. */
    private void end(List<Change> changes) {
        latest.keySet().forEach(id -> changes.add(Change.clear("request/" + id)));
        open.forEach((key, request) -> bytes -= request.bytes() + key.length());
        open.clear();
        latest.clear();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    private void request(McpMessage message, Capture capture, boolean isServers, List<Change> changes) {
        JsonRpcMessage rpc = message.getMessage();
        Map<String, String> params = McpJson.members(rpc.getParams());
        boolean isHandshake = rpc.getMethod().equals("initialize");
        if (isHandshake && isStdio(capture)) {
            end(changes);
        }
        String id = id(isServers, rpc.getId());
        String key = key(capture, id);
        Open request = new Open(rpc.getMethod(), message.getUri(), McpJson.string(params.get("cursor")) == null);
        Open before = open.put(key, request);
        latest.put(id, key);
        bytes += request.bytes() + key.length() - (before == null ? 0 : before.bytes() + key.length());
        String about = message.getName() == null ? message.getUri() : message.getName();
        changes.add(Change.set("request/" + id, about == null ? rpc.getMethod() : rpc.getMethod() + " " + about));
        if (isHandshake) {
            capabilities("client", params.get("capabilities"), capture, changes);
        } else if (message.getProtocolVersion() != null) {
            String json = McpJson.members(params.get("_meta")).get("io.modelcontextprotocol/clientCapabilities");
            changes.add(Change.set("version", message.getProtocolVersion()));
            capabilities("client", json, capture, changes);
        }
    }

    private void response(McpMessage message, Capture capture, boolean isServers, List<Change> changes) {
        JsonRpcMessage rpc = message.getMessage();
        if (rpc.getId() == null) {
            return;
        }
        String id = id(isServers, rpc.getId());
        Open request = close(key(capture, id), id, changes);
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
                capabilities("server", result.get("capabilities"), capture, changes);
            }
            case "server/discover" -> capabilities("server", result.get("capabilities"), capture, changes);
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
                    close(null, id(isServers, message.getRequestId()), changes);
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

    /** Removes the request with a key, otherwise the latest one with an ID; returns null if there is none. */
    private Open close(String own, String id, List<Change> changes) {
        String shown = latest.get(id);
        String key = open.containsKey(own) ? own : shown;
        Open request = open.remove(key);
        if (request != null) {
            bytes -= request.bytes() + key.length();
        }
        if (key != null && key.equals(shown)) {
            latest.remove(id);
            changes.add(Change.clear("request/" + id));
        }
        return request;
    }

    private void define(Listing listing, Open request, Map<String, String> result, List<Change> changes) {
        String definitions = result.get(listing.member());
        if (definitions == null || !definitions.startsWith("[")) {
            // The response to another request with this ID.
            return;
        }
        Set<String> pages = paged.remove(listing.kind());
        bytes -= characters(pages);
        Set<String> names = request.isFirstPage() ? new TreeSet<>() : pages;
        Set<String> seen = names == null ? new TreeSet<>() : names;
        Map<String, String> known = declared.computeIfAbsent(listing.kind(), kind -> new HashMap<>());
        for (String json : McpJson.elements(definitions)) {
            Map<String, String> members = McpJson.members(json);
            String name = McpJson.string(members.get(listing.name()));
            if (name == null || !seen.add(name)) {
                continue;
            }
            String hash = StoredText.key(McpDefinitions.text(members));
            String before = known.put(name, hash);
            bytes += before == null ? name.length() + hash.length() : 0;
            if (!hash.equals(before)) {
                changes.add(Change.set(listing.kind() + name, json));
            }
        }
        if (names == null) {
            return;
        }
        if (McpJson.string(result.get("nextCursor")) != null) {
            paged.put(listing.kind(), names);
            bytes += characters(names);
            return;
        }
        known.entrySet().removeIf(definition -> {
            boolean isGone = !names.contains(definition.getKey());
            if (isGone) {
                bytes -= definition.getKey().length() + definition.getValue().length();
                changes.add(Change.clear(listing.kind() + definition.getKey()));
            }
            return isGone;
        });
    }

    private static long characters(Set<String> names) {
        return names == null ? 0 : names.stream().mapToLong(String::length).sum();
    }

    /** Over HTTP, the capabilities of several clients count. */
    private void capabilities(String side, String json, Capture capture, List<Change> changes) {
        Map<String, String> members = McpJson.members(json);
        Set<String> names = capabilities.computeIfAbsent(side, key -> new TreeSet<>());
        bytes -= characters(names);
        if (isStdio(capture)) {
            names.stream()
                    .filter(name -> !members.containsKey(name))
                    .forEach(name -> changes.add(Change.clear(side + '/' + name)));
            names.retainAll(members.keySet());
        }
        names.addAll(members.keySet());
        bytes += characters(names);
        members.forEach((name, value) -> changes.add(Change.set(side + '/' + name, value)));
    }

    private static String key(Capture capture, String id) {
        return (isStdio(capture) ? "" : capture.getExchange()) + ' ' + id;
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
