package dev.parley.load.run;

import dev.parley.cli.api.ApiClient;
import dev.parley.cli.api.ApiQuery;
import dev.parley.cli.api.Pages;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.DeadLetter;
import dev.parley.json.model.ItemPage;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sends every kind of query to the HTTP API at a steady rate. A query waits for no other, as with many clients. */
final class ViewQueries {
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final String DEAD_LETTERS = "/v1/dead-letters";
    private static final String SEARCH = "/v1/search";

    /** Messages of a page, by default. */
    private static final int PAGE = 100;

    private final Random random = new Random(1);
    private final ApiClient client;
    private final Map<String, Supplier<String>> kinds = new LinkedHashMap<>();

    /** Reads from the views what the queries are about. */
    ViewQueries(URI api) {
        this.client = new ApiClient(api);
        List<Conversation> all = new ArrayList<>();
        new Pages<>(client, new ApiQuery(CONVERSATIONS).with("limit", 1_000), Conversation.class)
                .forEach(page -> all.addAll(page.items()));
        Conversation large = Collections.max(all, Comparator.comparingLong(Conversation::messages));
        List<Conversation> csp =
                all.stream().filter(one -> one.protocol().equals("CSP")).toList();
        kinds.put("a conversation", () -> self(pick(all)));
        kinds.put("its messages", () -> self(pick(all)) + "/messages");
        kinds.put(
                "last page of the largest conversation",
                () -> self(large) + "/messages?from=" + (large.messages() - PAGE));
        kinds.put("a state of a CSP context", () -> self(pick(csp)) + "/state");
        fixed(CONVERSATIONS);
        // A short run may have no rejected message, and only one page of dead letters.
        new Pages<>(client, new ApiQuery(DEAD_LETTERS).with("stage", "judge").with("limit", 1), DeadLetter.class)
                .iterator().next().items().stream()
                        .findFirst()
                        .ifPresent(rejected -> fixed(CONVERSATIONS + "?protocol=" + rejected.protocol()
                                + "&verdict=REJECTED&code=" + rejected.code()));
        List<String> cursors = new ArrayList<>();
        for (ItemPage<DeadLetter> page : new Pages<>(client, new ApiQuery(DEAD_LETTERS), DeadLetter.class)) {
            Optional.ofNullable(page.next()).ifPresent(cursors::add);
        }
        if (!cursors.isEmpty()) {
            kinds.put(
                    "dead letters, later page",
                    () -> new ApiQuery(DEAD_LETTERS)
                            .with("cursor", pick(cursors))
                            .path());
        }
        fixed(SEARCH + "?verdict=REJECTED");
        kinds.put("records of a small namespace", () -> SEARCH + "?namespace=" + namespace(pick(all)));
        fixed(SEARCH + "?q=nonesuch");
        fixed(SEARCH + "?namespace=default&protocol=LAMBDA");
    }

    private void fixed(String path) {
        kinds.put("`" + path + "`", () -> path);
    }

    private static String self(Conversation conversation) {
        return conversation.links().self();
    }

    private static String namespace(Conversation conversation) {
        return URLEncoder.encode(conversation.namespace(), StandardCharsets.UTF_8);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Sends all kinds in turn, one query after the other. */
    void warmUp(int requests) {
        for (int i = 0; i < requests; i++) {
            for (Supplier<String> kind : kinds.values()) {
                client.bytes(kind.get());
            }
        }
    }

    /**
     * Sends all kinds in turn at a steady rate. A latency begins when its query is due.
     *
     * @param requests number of queries of each kind
     * @param perSecond queries of all kinds per second
     * @return latencies of each kind in milliseconds, in ascending order
     */
    Map<String, double[]> measure(int requests, double perSecond) throws InterruptedException {
        ExecutorService clients = Executors.newCachedThreadPool();
        Map<String, List<CompletableFuture<Double>>> responses = new LinkedHashMap<>();
        long begin = System.nanoTime();
        long sent = 0;
        for (int i = 0; i < requests; i++) {
            for (Map.Entry<String, Supplier<String>> kind : kinds.entrySet()) {
                long due = begin + (long) (sent++ / perSecond * 1e9);
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                String path = kind.getValue().get();
                responses
                        .computeIfAbsent(kind.getKey(), any -> new ArrayList<>())
                        .add(CompletableFuture.supplyAsync(
                                () -> {
                                    client.bytes(path);
                                    return (System.nanoTime() - due) / 1e6;
                                },
                                clients));
            }
        }
        Map<String, double[]> latencies = new LinkedHashMap<>();
        responses.forEach((kind, all) -> latencies.put(
                kind, all.stream().mapToDouble(CompletableFuture::join).sorted().toArray()));
        clients.shutdown();
        return latencies;
    }
}
