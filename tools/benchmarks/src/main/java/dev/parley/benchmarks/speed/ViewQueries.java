package dev.parley.benchmarks.speed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sends every kind of query to the HTTP API at a steady rate. A query waits for no other, as with many clients. */
final class ViewQueries {
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final String DEAD_LETTERS = "/v1/dead-letters";
    private static final String SEARCH = "/v1/search";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;
    /** Messages of a page, by default. */
    private static final int PAGE = 100;
    /** Conversations with more messages than this are the large one. */
    private static final int MANY = 1_000;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final Random random = new Random(1);
    private final URI api;
    private final Map<String, Supplier<String>> kinds = new LinkedHashMap<>();

    private ViewQueries(URI api) {
        this.api = api;
    }

    /** A conversation, by its path. */
    private record Conversation(String path, String namespace, String protocol, long messages) {}

    /**
     * Latencies of one kind of query, in milliseconds.
     *
     * @param size median size of a response in bytes
     */
    record Latency(String kind, double median, double p99, double longest, int size) {}

    private record Response(long nanos, int size) {}

    /** Reads from the views what the queries are about. */
    static ViewQueries over(URI api) throws IOException, InterruptedException {
        ViewQueries queries = new ViewQueries(api);
        queries.addKinds();
        return queries;
    }

    private void addKinds() throws IOException, InterruptedException {
        List<Conversation> all = conversations();
        List<Conversation> small =
                all.stream().filter(any -> any.messages() <= MANY).toList();
        Conversation large = all.stream()
                .filter(any -> any.messages() > MANY)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No conversation has more than " + MANY + " messages"));
        kinds.put("a conversation", () -> pick(all).path());
        kinds.put("its messages", () -> pick(small).path() + "/messages");
        kinds.put("first page of a large conversation", () -> large.path() + "/messages");
        kinds.put("last page of a large conversation", () -> from(large, large.messages() - PAGE));
        kinds.put(
                "any page of a large conversation, with bodies",
                () -> from(large, random.nextLong(large.messages() - PAGE)) + "&bodies=true");

        list("conversations", CONVERSATIONS, "");
        kinds.put(
                "conversations of a namespace",
                () -> CONVERSATIONS + "?namespace=" + pick(all).namespace());
        list("conversations, protocol", CONVERSATIONS, "protocol=LAMBDA");
        fixed("conversations, no match: protocol", CONVERSATIONS + "?protocol=EXTENSION");
        fixed("conversations, namespace and protocol", CONVERSATIONS + "?namespace=default&protocol=SLIP");
        JsonNode rejected =
                get(DEAD_LETTERS + "?stage=dialogue&limit=1").path("items").path(0);
        String protocol = rejected.path("protocol").asText();
        String code = "code=" + rejected.path("code").asText();
        list("conversations, verdict", CONVERSATIONS, "verdict=REJECTED");
        list("conversations, code", CONVERSATIONS, code);
        list("conversations, protocol and verdict", CONVERSATIONS, "protocol=" + protocol + "&verdict=REJECTED");
        list(
                "conversations, protocol, verdict and code",
                CONVERSATIONS,
                "protocol=" + protocol + "&verdict=REJECTED&" + code);
        fixed("conversations, no match: code", CONVERSATIONS + "?code=NONE_SUCH");
        fixed("conversations, no match: protocol and code", CONVERSATIONS + "?protocol=UNKNOWN&" + code);
        fixed("conversations, no match: namespace and code", CONVERSATIONS + "?namespace=default&" + code);

        for (String name : List.of("SLIP", "CSP", "LAMBDA")) {
            List<Conversation> some = some(small, any -> any.protocol().equals(name));
            kinds.put("a state, " + name, () -> pick(some).path() + "/state");
        }
        List<Conversation> contexts = some(small, any -> any.protocol().equals("CSP"));
        kinds.put("a state as of a time, CSP", () -> pick(contexts).path() + "/state?at=time:2100-01-01T00:00:00Z");
        kinds.put("checkpoints", () -> pick(contexts).path() + "/checkpoints");

        list("dead letters", DEAD_LETTERS, "");
        JsonNode letter =
                get(DEAD_LETTERS + "?stage=decode&limit=1").path("items").path(0);
        String error = "code=" + letter.path("code").asText();
        list("dead letters of a stage", DEAD_LETTERS, "stage=decode");
        list("dead letters of a code", DEAD_LETTERS, error);
        list("dead letters of a stage and code", DEAD_LETTERS, "stage=decode&" + error);
        fixed("dead letters, no match: stage and code", DEAD_LETTERS + "?stage=patch&" + error);
        fixed("dead letters, no match: code", DEAD_LETTERS + "?code=NONE_SUCH");
        fixed("counts of dead letters", DEAD_LETTERS + "/counts");
        JsonNode source = letter.path("source");
        fixed(
                "a position",
                "/v1/positions/" + source.path("topic").asText() + "/"
                        + source.path("partition").asText() + "/"
                        + source.path("offset").asText());
        fixed("the accounting", "/v1/accounting");

        fixed("search: latest records", SEARCH);
        List<Conversation> replays = some(all, any -> !any.namespace().equals("default"));
        kinds.put(
                "search: records of a small namespace",
                () -> SEARCH + "?namespace=" + pick(replays).namespace());
        fixed("search: rejected records", SEARCH + "?verdict=REJECTED");
        fixed("search, no match: a word", SEARCH + "?q=nonesuch");
        fixed("search, no match: two frequent terms", SEARCH + "?namespace=default&protocol=LAMBDA");
    }

    private void fixed(String kind, String path) {
        kinds.put(kind, () -> path);
    }

    /** Adds a list: its first page, and pages after cursors of it. */
    private void list(String kind, String path, String filter) throws IOException, InterruptedException {
        String first = filter.isEmpty() ? path : path + "?" + filter;
        fixed(kind + ": first page", first);
        List<String> cursors = new ArrayList<>();
        String separator = filter.isEmpty() ? "?" : "&";
        for (JsonNode next = get(first).path("next");
                !next.isNull() && cursors.size() < PAGE;
                next = get(first + separator + "limit=1000&cursor=" + next.asText())
                        .path("next")) {
            cursors.add(next.asText());
        }
        if (!cursors.isEmpty()) {
            kinds.put(kind + ": later page", () -> first + separator + "cursor=" + pick(cursors));
        }
    }

    private List<Conversation> conversations() throws IOException, InterruptedException {
        List<Conversation> all = new ArrayList<>();
        JsonNode page = get(CONVERSATIONS + "?limit=1000");
        while (true) {
            page.path("items")
                    .forEach(item -> all.add(new Conversation(
                            item.path("links").path("self").asText(),
                            URLEncoder.encode(item.path("namespace").asText(), StandardCharsets.UTF_8),
                            item.path("protocol").asText(),
                            item.path("messages").asLong())));
            if (page.path("next").isNull()) {
                return all;
            }
            page = get(CONVERSATIONS + "?limit=1000&cursor=" + page.path("next").asText());
        }
    }

    private static List<Conversation> some(List<Conversation> all, Predicate<Conversation> which) {
        return all.stream().filter(which).toList();
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static String from(Conversation conversation, long sequence) {
        return conversation.path() + "/messages?from=" + sequence;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return JSON.readTree(checked(path, http.send(request(path), HttpResponse.BodyHandlers.ofByteArray())));
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(api.resolve(path)).timeout(TIMEOUT).build();
    }

    private static byte[] checked(String path, HttpResponse<byte[]> response) {
        if (response.statusCode() != OK) {
            throw new IllegalStateException(path + " returned " + response.statusCode() + ": "
                    + new String(response.body(), StandardCharsets.UTF_8));
        }
        return response.body();
    }

    /** Sends all kinds in turn, one query after the other. */
    void warmUp(int requests) throws IOException, InterruptedException {
        for (int i = 0; i < requests; i++) {
            for (Supplier<String> kind : kinds.values()) {
                get(kind.get());
            }
        }
    }

    /**
     * Sends all kinds in turn at a steady rate. A latency begins when its query is due.
     *
     * @param requests number of queries of each kind
     * @param perSecond queries of all kinds per second
     */
    List<Latency> measure(int requests, double perSecond) throws InterruptedException {
        List<String> names = List.copyOf(kinds.keySet());
        List<CompletableFuture<Response>> responses = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < requests * names.size(); i++) {
            long due = begin + (long) (i / perSecond * 1e9);
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            String path = kinds.get(names.get(i % names.size())).get();
            responses.add(http.sendAsync(request(path), HttpResponse.BodyHandlers.ofByteArray())
                    .thenApply(response -> new Response(System.nanoTime() - due, checked(path, response).length)));
        }
        List<Latency> latencies = new ArrayList<>();
        for (int kind = 0; kind < names.size(); kind++) {
            double[] millis = new double[requests];
            int[] sizes = new int[requests];
            for (int i = 0; i < requests; i++) {
                Response response = join(responses.get(i * names.size() + kind));
                millis[i] = response.nanos() / 1e6;
                sizes[i] = response.size();
            }
            Arrays.sort(millis);
            Arrays.sort(sizes);
            latencies.add(new Latency(
                    names.get(kind),
                    millis[requests / 2],
                    millis[(int) Math.ceil(0.99 * requests) - 1],
                    millis[requests - 1],
                    sizes[requests / 2]));
        }
        return latencies;
    }

    private static Response join(CompletableFuture<Response> response) {
        try {
            return response.join();
        } catch (CompletionException e) {
            throw new IllegalStateException("A query failed", e.getCause());
        }
    }
}
