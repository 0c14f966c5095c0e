package dev.parley.dialogue.mcp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random traffic of MCP clients and a server that break no rule, as a capture records it. What a side may do at the
 * same time is interleaved at random.
 */
final class HonestTraffic {
    private static final String CLIENT = "client-to-server";
    private static final String SERVER = "server-to-client";
    private static final String MODERN = "2026-07-28";
    private static final List<String> VERSIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN);

    private static final String SERVER_CAPABILITIES =
            "{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},\"prompts\":{},\"logging\":{},"
                    + "\"completions\":{},\"tasks\":{}}";

    private static final String PROBE =
            "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"method\":\"server/discover\",\"params\":"
                    + "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

    /** A record of the capture. */
    record Captured(Map<String, String> headers, String wire) {
        Captured with(String header, String value) {
            Map<String, String> all = new HashMap<>(headers);
            all.put(header, value);
            return new Captured(all, wire);
        }
    }

    private final Random random;
    private final boolean isHttp;
    private final List<Captured> records = new ArrayList<>();
    private final List<Deque<Runnable>> activities = new ArrayList<>();
    private int exchanges;

    private HonestTraffic(Random random, boolean isHttp) {
        this.random = random;
        this.isHttp = isHttp;
    }

    /** One process after another, of which only the last one ends by itself; the marks are records of their own. */
    static List<Captured> stdio(Random random) {
        HonestTraffic traffic = new HonestTraffic(random, false);
        boolean wasLegacy = false;
        for (int processes = 1 + random.nextInt(2); processes > 0; processes--) {
            traffic.activities.clear();
            Client client = traffic.new Client(traffic.version());
            if (wasLegacy && !client.isModern && random.nextInt(3) == 0) {
                // The handshake suffices.
                client.begin(null);
            } else if (random.nextBoolean()) {
                traffic.mark("start");
                client.begin(null);
            } else {
                client.begin("start");
            }
            wasLegacy = !client.isModern;
            traffic.run(processes == 1 ? Integer.MAX_VALUE : random.nextInt(40));
        }
        traffic.mark("end");
        return traffic.records;
    }

    /** Clients that share a conversation; the beginning of the first one is perhaps not captured. */
    static List<Captured> http(Random random) {
        HonestTraffic traffic = new HonestTraffic(random, true);
        if (random.nextInt(4) == 0) {
            Client earlier = traffic.new Client(traffic.version());
            earlier.ping();
            traffic.run(1);
            earlier.work();
        }
        for (int clients = 1 + random.nextInt(3); clients > 0; clients--) {
            traffic.new Client(traffic.version()).begin("start");
        }
        traffic.run(Integer.MAX_VALUE);
        return traffic.records;
    }

    private String version() {
        return VERSIONS.get(random.nextInt(VERSIONS.size()));
    }

    private void mark(String mark) {
        records.add(new Captured(Map.of("parley-direction", CLIENT, "parley-capture", mark), null));
    }

    private void run(int steps) {
        for (int step = 0; step < steps && !activities.isEmpty(); step++) {
            Deque<Runnable> activity = activities.get(random.nextInt(activities.size()));
            activity.poll().run();
            if (activity.isEmpty()) {
                activities.remove(activity);
            }
        }
    }

    private Deque<Runnable> activity() {
        return new ArrayDeque<>();
    }

    private String exchange() {
        return isHttp ? "x" + exchanges++ : null;
    }

    /** One of the clients, with the side of the server that serves it. */
    private final class Client {
        private final String version;
        private final boolean isModern;
        private final boolean hasCapabilities = random.nextBoolean();
        private final boolean hasTextIds = random.nextBoolean();
        private final boolean isSse;
        private final List<String> freeIds = new ArrayList<>();
        private final List<Integer> stream = new ArrayList<>();
        private String listening;
        private int ids;
        private int serverIds;
        private int tokens;
        private int tasks;

        Client(String version) {
            this.version = version;
            this.isModern = version.equals(MODERN);
            this.isSse = isHttp && version.equals("2024-11-05");
        }

        private boolean since(String other) {
            return version.compareTo(other) >= 0;
        }

        /** In 2026-07-28, an ID is free again after its answer. */
        private String id() {
            if (isModern && !freeIds.isEmpty() && random.nextBoolean()) {
                return freeIds.remove(0);
            }
            return hasTextIds ? "\"listen:" + ids++ + "\"" : Integer.toString(ids++);
        }

        private Map<String, String> headers(String direction, String exchange) {
            Map<String, String> headers = new HashMap<>(Map.of("parley-direction", direction));
            if (exchange != null) {
                headers.put("parley-exchange", exchange);
                headers.put(direction.equals(CLIENT) ? "parley-http-method" : "parley-http-status", "200");
            }
            return headers;
        }

        private void post(String exchange, String mark, String method, String wire) {
            Map<String, String> headers = headers(CLIENT, exchange);
            if (exchange != null) {
                headers.put("parley-http-method", "POST");
                headers.put("parley-http-path", "/mcp");
                if (since("2025-06-18") && !"initialize".equals(method)) {
                    headers.put("mcp-protocol-version", version);
                }
                if (isModern && method != null) {
                    headers.put("mcp-method", method);
                    if (wire.contains("\"name\":\"add\"")) {
                        headers.put("mcp-name", "add");
                    } else if (method.startsWith("tasks/")) {
                        headers.put("mcp-name", "t");
                    } else if (method.equals("resources/read")) {
                        headers.put("mcp-name", "a:1");
                    }
                }
            }
            if (mark != null) {
                headers.put("parley-capture", mark);
            }
            records.add(new Captured(headers, wire));
            boolean isAnsweredElsewhere = isSse || method == null || method.startsWith("notifications/");
            if (exchange != null && isAnsweredElsewhere) {
                Map<String, String> accepted = headers(SERVER, exchange);
                accepted.put("parley-http-status", "202");
                records.add(new Captured(accepted, isSse ? "Accepted" : null));
            }
        }

        private String request(String exchange, String mark, String method, String params) {
            String id = id();
            post(exchange, mark, method, wire(id, method, params));
            return id;
        }

        private String wire(String id, String method, String params) {
            String meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + version
                    + "\",\"io.modelcontextprotocol/clientCapabilities\":{}";
            String all = !isModern
                    ? params
                    : params.contains("\"_meta\":{")
                            ? params.replace("\"_meta\":{", meta + ",")
                            : "{" + meta + "}" + (params.equals("{}") ? "}" : "," + params.substring(1));
            return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + all + "}";
        }

        private void notify(String name, String params) {
            String wire = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" + name + "\",\"params\":" + params + "}";
            post(exchange(), null, "notifications/" + name, wire);
        }

        /** What the server sends on the stream of a request, or on its own one. */
        private void serve(String exchange, String wire) {
            stream.add(records.size());
            records.add(new Captured(headers(SERVER, isSse || exchange == null ? listening : exchange), wire));
        }

        private void serveNotification(String exchange, String name, String params) {
            serve(
                    exchange,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" + name + "\",\"params\":" + params + "}");
        }

        private void result(String exchange, String id, String members) {
            String type = isModern && !members.contains("resultType") ? "\"resultType\":\"complete\"" : "";
            String comma = type.isEmpty() || members.isEmpty() ? "" : ",";
            serve(exchange, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{" + type + comma + members + "}}");
            free(id);
        }

        private void error(String exchange, String id, int code) {
            serve(
                    exchange,
                    "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":\"m\"}}");
            free(id);
        }

        private void free(String id) {
            if (isModern) {
                freeIds.add(id);
            }
        }

        /** The beginning of a session, after which the client works. */
        void begin(String mark) {
            Deque<Runnable> steps = activity();
            if (isSse) {
                listening = exchange();
                steps.add(() -> get(mark, null));
            }
            String first = isSse ? null : mark;
            if (isModern) {
                String exchange = exchange();
                String[] id = new String[1];
                steps.add(() -> id[0] = request(exchange, first, "server/discover", "{}"));
                steps.add(() -> {
                    result(
                            exchange,
                            id[0],
                            "\"supportedVersions\":[\"" + MODERN + "\"],\"capabilities\":" + SERVER_CAPABILITIES
                                    + ",\"ttlMs\":0,\"cacheScope\":\"private\"");
                    work();
                });
            } else if (!isHttp && random.nextInt(3) == 0) {
                steps.add(() -> post(null, first, "server/discover", PROBE));
                if (random.nextBoolean()) {
                    steps.add(() -> error(null, "\"probe\"", -32601));
                }
                handshake(steps, null);
            } else {
                handshake(steps, first);
            }
            activities.add(steps);
        }

        private void handshake(Deque<Runnable> steps, String mark) {
            String exchange = exchange();
            String[] id = new String[1];
            String capabilities = !hasCapabilities
                    ? "{}"
                    : "{\"roots\":{\"listChanged\":true},\"sampling\":{},\"elicitation\":{},\"tasks\":{}}";
            String params = "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities
                    + ",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}";
            steps.add(() -> id[0] = request(exchange, mark, "initialize", params));
            if (random.nextInt(4) == 0) {
                steps.add(() -> error(exchange, id[0], -32602));
                String again = exchange();
                steps.add(() -> id[0] = request(again, null, "initialize", params));
                steps.add(() -> welcome(again, id[0]));
            } else {
                steps.add(() -> welcome(exchange, id[0]));
            }
            steps.add(() -> {
                notify("initialized", "{}");
                work();
            });
        }

        private void welcome(String exchange, String id) {
            result(
                    exchange,
                    id,
                    "\"protocolVersion\":\"" + version + "\",\"capabilities\":" + SERVER_CAPABILITIES
                            + ",\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}");
        }

        private void get(String mark, String lastEvent) {
            Map<String, String> headers = headers(CLIENT, listening);
            headers.put("parley-http-method", "GET");
            if (mark != null) {
                headers.put("parley-capture", mark);
            }
            if (lastEvent != null) {
                headers.put("last-event-id", lastEvent);
            }
            records.add(new Captured(headers, null));
        }

        void work() {
            if (isHttp && !isModern && listening == null) {
                listening = exchange();
                get(null, null);
            }
            for (int i = 2 + random.nextInt(8); i > 0; i--) {
                switch (random.nextInt(9)) {
                    case 0 -> ping();
                    case 1 -> pages();
                    case 2 -> notifications();
                    case 3 -> others();
                    case 4 -> batch();
                    case 5 -> resume();
                    case 6 -> serverRequest(activity(), null, true);
                    case 7 -> tasks();
                    default -> call();
                }
            }
        }

        void ping() {
            ask(
                    isModern ? "resources/read" : "ping",
                    isModern ? "{\"uri\":\"a:1\"}" : "{}",
                    isModern ? "\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"public\"" : "");
        }

        private Deque<Runnable> ask(String method, String params, String members) {
            Deque<Runnable> steps = activity();
            String exchange = exchange();
            String[] id = new String[1];
            steps.add(() -> id[0] = request(exchange, null, method, params));
            steps.add(() -> {
                if (random.nextInt(8) == 0) {
                    error(exchange, id[0], -32603);
                } else {
                    result(exchange, id[0], members);
                }
            });
            activities.add(steps);
            return steps;
        }

        private void pages() {
            String cache = isModern ? ",\"ttlMs\":0,\"cacheScope\":\"private\"" : "";
            Deque<Runnable> steps = activity();
            for (int page = 0; page < 3; page++) {
                String exchange = exchange();
                String[] id = new String[1];
                String params = page == 0 ? "{}" : "{\"cursor\":\"" + page + "\"}";
                String next = page == 2 ? "" : ",\"nextCursor\":\"" + (page + 1) + "\"";
                String tools = "\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"t"
                        + page + "\",\"inputSchema\":{\"type\":\"object\"}}]";
                steps.add(() -> id[0] = request(exchange, null, "tools/list", params));
                steps.add(() -> result(exchange, id[0], tools + next + cache));
            }
            activities.add(steps);
        }

        private void notifications() {
            Deque<Runnable> steps = activity();
            if (!isModern) {
                steps.add(() -> serveNotification(null, "message", "{\"level\":\"info\",\"data\":null}"));
                steps.add(() -> serveNotification(null, "tools/list_changed", "{}"));
                steps.add(() -> serveNotification(null, "resources/updated", "{\"uri\":\"a:1\"}"));
                steps.add(() -> serveNotification(null, "vendor", "{}"));
                if (hasCapabilities) {
                    steps.add(() -> notify("roots/list_changed", "{}"));
                }
            } else {
                String exchange = exchange();
                String[] id = new String[1];
                steps.add(() -> id[0] = request(exchange, null, "subscriptions/listen", "{\"notifications\":{}}"));
                steps.add(() -> serveNotification(
                        exchange, "subscriptions/acknowledged", "{\"notifications\":{},\"_meta\":{}}"));
                steps.add(() -> serveNotification(exchange, "tools/list_changed", "{\"_meta\":{}}"));
                steps.add(() -> result(exchange, id[0], "\"_meta\":{}"));
            }
            activities.add(steps);
        }

        private void others() {
            ask("completion/complete", "{\"ref\":{},\"argument\":{}}", "\"completion\":{\"values\":[]}");
            ask("vendor/ask", "{\"a\":[1,{}]}", "\"b\":null");
            if (!isModern) {
                ask("resources/subscribe", "{\"uri\":\"a:1\"}", "");
                ask("logging/setLevel", "{\"level\":\"info\"}", "");
            }
            if (!since("2025-11-25")) {
                ask("tasks/get", "{\"id\":1}", "\"state\":\"working\"");
            }
        }

        private void batch() {
            if (!version.equals("2025-03-26")) {
                return;
            }
            Deque<Runnable> steps = activity();
            String exchange = exchange();
            String[] ids = {id(), id()};
            steps.add(() -> post(
                    exchange,
                    null,
                    "ping",
                    "[" + wire(ids[0], "ping", "{}") + "," + wire(ids[1], "tools/list", "{}")
                            + ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}]"));
            steps.add(() -> serve(
                    exchange,
                    "[{\"jsonrpc\":\"2.0\",\"id\":" + ids[1]
                            + ",\"result\":{\"tools\":[]}},{\"jsonrpc\":\"2.0\",\"id\":" + ids[0]
                            + ",\"result\":{}}]"));
            activities.add(steps);
        }

        /** A resumed stream repeats some of what the server has sent, and the client answers its requests again. */
        private void resume() {
            if (!isHttp || isModern || !since("2025-03-26") || stream.isEmpty()) {
                return;
            }
            Deque<Runnable> steps = activity();
            String exchange = exchange();
            steps.add(() -> {
                Map<String, String> headers = headers(CLIENT, exchange);
                headers.put("parley-http-method", "GET");
                headers.put("last-event-id", "e");
                records.add(new Captured(headers, null));
                int from = random.nextInt(stream.size());
                for (int at : List.copyOf(stream.subList(from, Math.min(from + 5, stream.size())))) {
                    Captured event = records.get(at).with("parley-exchange", exchange);
                    records.add(event);
                    if (event.wire().contains("\"method\":\"roots/list\"")) {
                        String id = event.wire().substring(event.wire().indexOf("\"id\":") + 5);
                        answer(id.substring(0, id.indexOf(',')), "\"roots\":[]");
                    }
                }
            });
            activities.add(steps);
        }

        private void answer(String id, String members) {
            post(exchange(), null, null, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{" + members + "}}");
        }

        /** A request of the server, if this version has such, with its response. */
        private void serverRequest(Deque<Runnable> steps, String exchange, boolean isOwn) {
            if (isModern) {
                return;
            }
            String id = Integer.toString(serverIds++);
            int kind = hasCapabilities ? random.nextInt(since("2025-06-18") ? 4 : 3) : 0;
            String request = List.of(
                            "ping\"",
                            "roots/list\"",
                            "sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":10}",
                            "elicitation/create\",\"params\":{\"message\":\"m\",\"requestedSchema\":{}}")
                    .get(kind);
            String members = List.of(
                            "",
                            "\"roots\":[{\"uri\":\"file:///\"}]",
                            "\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"\"},\"model\":\"m\"",
                            "\"action\":\"accept\",\"content\":{}")
                    .get(kind);
            steps.add(() -> serve(exchange, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + request + "}"));
            if (random.nextInt(4) > 0) {
                steps.add(() -> answer(id, members));
            } else {
                steps.add(() -> serveNotification(exchange, "cancelled", "{\"requestId\":" + id + "}"));
            }
            if (isOwn) {
                activities.add(steps);
            }
        }

        private void call() {
            Deque<Runnable> steps = activity();
            String exchange = exchange();
            String token = random.nextBoolean() ? Integer.toString(tokens) : "\"" + tokens + "\"";
            tokens++;
            String[] id = new String[1];
            String params = "{\"name\":\"add\",\"arguments\":{},\"_meta\":{\"progressToken\":" + token + "}}";
            steps.add(() -> id[0] = request(exchange, null, "tools/call", params));
            double[] progress = new double[1];
            Runnable report = () -> {
                progress[0] += random.nextInt(3) == 0 ? 0.25 : 1 + random.nextInt(3);
                serveNotification(
                        exchange, "progress", "{\"progressToken\":" + token + ",\"progress\":" + progress[0] + "}");
            };
            for (int i = random.nextInt(4); i > 0; i--) {
                steps.add(report);
            }
            if (random.nextBoolean()) {
                serverRequest(steps, exchange, false);
            }
            boolean mayCancel = !isModern || !isHttp;
            if (mayCancel && random.nextInt(4) == 0) {
                steps.add(() -> notify("cancelled", "{\"requestId\":" + id[0] + "}"));
                steps.add(report);
            } else if (isModern && random.nextInt(3) == 0) {
                String again = exchange();
                steps.add(() -> result(exchange, id[0], "\"resultType\":\"input_required\",\"requestState\":\"s\""));
                steps.add(
                        () -> id[0] = request(again, null, "tools/call", "{\"name\":\"add\",\"requestState\":\"s\"}"));
                steps.add(() -> result(again, id[0], "\"content\":[]"));
            } else {
                steps.add(() -> result(exchange, id[0], "\"content\":[],\"isError\":" + random.nextBoolean()));
            }
            activities.add(steps);
        }

        private void tasks() {
            if (!since("2025-11-25")) {
                return;
            }
            Deque<Runnable> steps = activity();
            String task = isModern ? "t" : "t" + tasks++;
            String about = "\"taskId\":\"" + task + "\"";
            String exchange = exchange();
            String token = Integer.toString(1_000 + tokens++);
            String[] id = new String[1];
            steps.add(() -> id[0] = request(
                    exchange,
                    null,
                    "tools/call",
                    "{\"name\":\"add\"" + (isModern ? "" : ",\"task\":{\"ttl\":1}") + ",\"_meta\":{\"progressToken\":"
                            + token + "}}"));
            String status = about + ",\"status\":\"%s\",\"createdAt\":\"\",\"lastUpdatedAt\":\"\",\"ttl\":1";
            if (isModern) {
                steps.add(() -> result(exchange, id[0], "\"resultType\":\"task\"," + status.formatted("working")));
            } else {
                steps.add(() -> result(exchange, id[0], "\"task\":{" + status.formatted("working") + "}"));
                steps.add(
                        () -> serveNotification(null, "progress", "{\"progressToken\":" + token + ",\"progress\":1}"));
            }
            for (String each : List.of("working", "input_required", "working", "completed", "completed")) {
                String poll = exchange();
                if (!isModern && random.nextBoolean()) {
                    steps.add(() -> serveNotification(null, "tasks/status", "{" + status.formatted(each) + "}"));
                }
                steps.add(() -> id[0] = request(poll, null, "tasks/get", "{" + about + "}"));
                steps.add(() -> result(poll, id[0], status.formatted(each)));
            }
            if (!isModern) {
                String last = exchange();
                steps.add(() -> id[0] = request(last, null, "tasks/result", "{" + about + "}"));
                steps.add(() -> result(last, id[0], "\"content\":[]"));
            }
            activities.add(steps);
        }
    }
}
