package dev.parley.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.InputPosition;
import dev.parley.load.ExpectedOutcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A writer, a reader and an operator, who send messages, read conversations and redrive dead letters over HTTP, repeat
 * what fails at another instance, and record the responses.
 */
final class ApiClients implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CONVERSATIONS = 5;
    private static final int UNDECODABLE_OF = 8;
    /** Unavailable, limited, and a token that changes. */
    private static final Set<Integer> RETRIED = Set.of(401, 429, 503);

    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int KEPT = 400;
    /** Header with the idempotency key of a message, which names its sender. */
    static final String KEY = "parley-sender";

    /** A value that is no message, also with more text behind it. */
    static final String UNDECODABLE = "Hello team, please deploy";

    private static final String DECODABLE = "{\"type\":\"STATE\",\"payload\":\"010101\"}";

    private final ApiHistory history;
    private final Supplier<List<URI>> instances;
    private final Supplier<String> token;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(3);
    private final Map<String, InputPosition> latest = new ConcurrentHashMap<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private boolean isPaused;
    private int busy;
    private int written;
    private int turns;

    /**
     * Starts the clients.
     *
     * @param instances addresses of the instances that run
     * @param token the present token of their API
     */
    ApiClients(ApiHistory history, Supplier<List<URI>> instances, Supplier<String> token) {
        this.history = history;
        this.instances = instances;
        this.token = token;
        often(this::write, 40);
        often(this::read, 60);
        often(this::redrive, 700);
    }

    /** The expected outcome of a message. */
    static ExpectedOutcome expected(String value) {
        return ExpectedOutcome.parse(value.startsWith(UNDECODABLE) ? "UNDECODABLE UNKNOWN_PROTOCOL" : "ACCEPTED");
    }

    private void often(ClientTask task, long milliseconds) {
        threads.scheduleWithFixedDelay(
                () -> {
                    if (!begin()) {
                        return;
                    }
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (IOException | RuntimeException | AssertionError e) {
                        failure.compareAndSet(null, e);
                    } finally {
                        end();
                    }
                },
                0,
                milliseconds,
                TimeUnit.MILLISECONDS);
    }

    private interface ClientTask {
        void run() throws IOException, InterruptedException;
    }

    private synchronized boolean begin() {
        if (isPaused) {
            return false;
        }
        busy++;
        return true;
    }

    private synchronized void end() {
        busy--;
        notifyAll();
    }

    /** Pauses, and waits until every started operation has its response. */
    synchronized void pause() throws InterruptedException {
        isPaused = true;
        while (busy > 0) {
            wait();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("an HTTP client failed", failure.get());
        }
    }

    synchronized void resume() {
        isPaused = false;
    }

    /** Sends the next message, and sometimes repeats one, as a client does whose connection broke. */
    private void write() throws IOException, InterruptedException {
        send(written++);
        if (written % 3 == 0) {
            send(ThreadLocalRandom.current().nextInt(Math.max(0, written - KEPT), written));
        }
    }

    private void send(int number) throws IOException, InterruptedException {
        String key = "w" + number;
        String conversation = "c" + number % CONVERSATIONS;
        boolean isDecodable = number % UNDECODABLE_OF != 0;
        HttpResponse<String> response = insist(
                "/v1/wire",
                request -> request.header("Content-Type", "text/plain")
                        .header("Idempotency-Key", key)
                        .header(KEY, key)
                        .header("parley-namespace", ApiHistory.NAMESPACE)
                        .header("parley-conversation", conversation)
                        .POST(BodyPublishers.ofString(isDecodable ? DECODABLE : UNDECODABLE)));
        InputPosition position = position(require(response, 202));
        history.acknowledged(key, position);
        if (isDecodable && number == written - 1) {
            latest.put(conversation, position);
        }
    }

    private void read() throws IOException, InterruptedException {
        for (Map.Entry<String, InputPosition> one : List.copyOf(latest.entrySet())) {
            HttpResponse<String> response = insist(
                    "/v1/conversations/" + ApiHistory.NAMESPACE + "/subit/" + one.getKey() + "?at-least="
                            + one.getValue(),
                    HttpRequest.Builder::GET);
            long sequence = response.statusCode() == 404
                    ? -1
                    : require(response, 200).path("lastSequence").asLong();
            history.read(one.getKey(), one.getValue(), sequence);
        }
    }

    private void redrive() throws IOException, InterruptedException {
        JsonNode page = require(
                insist("/v1/dead-letters?limit=3&namespace=" + ApiHistory.NAMESPACE, HttpRequest.Builder::GET), 200);
        List<String> ids = new ArrayList<>();
        page.path("items").forEach(item -> ids.add(item.path("id").asText()));
        if (ids.isEmpty()) {
            return;
        }
        String body = JSON.writeValueAsString(Map.of("reason", "chaos", "ids", ids));
        HttpResponse<String> response = insist(
                "/v1/dead-letters:redrive",
                request -> request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
        for (JsonNode item : require(response, 200).path("items")) {
            if (item.hasNonNull("sent")) {
                history.redriven(
                        item.path("id").asText(),
                        InputPosition.parse(item.path("sent").asText()).orElseThrow());
            }
        }
    }

    /** Repeats a request, each time at the next instance, until one answers and does not say to try again. */
    private HttpResponse<String> insist(String path, UnaryOperator<HttpRequest.Builder> form)
            throws InterruptedException {
        while (true) {
            List<URI> running = instances.get();
            if (!running.isEmpty()) {
                URI instance = running.get(Math.floorMod(turns, running.size()));
                HttpRequest request = form.apply(HttpRequest.newBuilder(instance.resolve(path))
                                .timeout(TIMEOUT)
                                .header("Authorization", "Bearer " + token.get()))
                        .build();
                try {
                    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
                    if (!RETRIED.contains(response.statusCode())) {
                        return response;
                    }
                } catch (IOException e) {
                    // The instance is gone, or silent.
                }
            }
            turns++;
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private static JsonNode require(HttpResponse<String> response, int status) throws IOException {
        if (response.statusCode() != status) {
            throw new IllegalStateException(
                    response.request().uri() + " returned " + response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body());
    }

    private static InputPosition position(JsonNode response) {
        return InputPosition.parse(response.path("position").asText()).orElseThrow();
    }

    @Override
    public void close() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.MINUTES);
    }
}
