package dev.parley.cli.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.server.api.Paths;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Client of the HTTP API of a running Parley, for the demo and the commands. */
public final class ApiClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POST_TIMEOUT = Duration.ofSeconds(60);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAUTHORIZED = 401;
    private static final String READY = "/health/ready";

    private final URI base;
    private final Optional<String> token;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /** A client without a token. */
    public ApiClient(URI base) {
        this(base, Optional.empty());
    }

    /** A client that sends a token, if there is one. */
    public ApiClient(URI base, Optional<String> token) {
        this.base = base;
        this.token = token;
    }

    /** Path of a conversation with percent-encoded names. */
    public static String conversation(String namespace, String protocol, String conversation) {
        return Paths.conversation(namespace, protocol, conversation);
    }

    public URI uri(String path) {
        return base.resolve(path);
    }

    /**
     * Sends a GET and returns the JSON body.
     *
     * @throws IllegalStateException if the API is unavailable or returns another status than 200
     */
    public JsonNode get(String path) {
        HttpResponse<byte[]> response = send(path);
        JsonNode body = json(path, response);
        if (response.statusCode() != OK) {
            throw new IllegalStateException(
                    path + " returned " + response.statusCode() + ": " + detail(response.statusCode(), body));
        }
        return body;
    }

    /**
     * Sends a POST with a JSON body and returns the JSON of the response. Waits longer than for a GET.
     *
     * @throws IllegalStateException if the API is unavailable or does not return 200
     */
    public JsonNode post(String path, JsonNode body) {
        HttpResponse<byte[]> response = send(HttpRequest.newBuilder(uri(path))
                .timeout(POST_TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
        JsonNode answer = json(path, response);
        if (response.statusCode() != OK) {
            throw new IllegalStateException(
                    path + " returned " + response.statusCode() + ": " + detail(response.statusCode(), answer));
        }
        return answer;
    }

    /** The body of {@code /health/ready}: UP or DOWN, and the status of each part. */
    public JsonNode readiness() {
        HttpResponse<byte[]> response = send(READY);
        JsonNode body = json(READY, response);
        if (!body.has("parts")) {
            throw new IllegalStateException(
                    READY + " returned " + response.statusCode() + ": " + detail(response.statusCode(), body));
        }
        return body;
    }

    private static String detail(int status, JsonNode body) {
        String detail = body.path("detail").asText();
        return status == UNAUTHORIZED ? detail + " Pass --token-file, or set PARLEY_TOKEN." : detail;
    }

    private static JsonNode json(String path, HttpResponse<byte[]> response) {
        try {
            JsonNode body = JSON.readTree(response.body());
            if (body.isObject()) {
                return body;
            }
        } catch (IOException e) {
            // The message below says all there is to say.
        }
        throw new IllegalStateException(path + " returned " + response.statusCode()
                + " without a JSON object. Check that the URL is that of Parley's HTTP API.");
    }

    /** Waits until all parts are ready. */
    public void awaitReady(Duration timeout, CountDownLatch stop) throws InterruptedException {
        if (!await(() -> send(READY).statusCode() == OK, timeout, stop)) {
            throw new IllegalStateException("not ready after " + timeout.toSeconds() + " s: " + awaited());
        }
    }

    /** The response to a GET; empty if it is 404. Throws like {@link #get} for any other status than 200. */
    public Optional<JsonNode> find(String path) {
        return send(path).statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(get(path));
    }

    /** The parts that are not ready, with the reasons. */
    public String awaited() {
        List<String> parts = new ArrayList<>();
        for (JsonNode part : readiness().path("parts")) {
            if (!part.path("status").asText().equals("ready")) {
                parts.add(
                        part.path("name").asText() + ": " + part.path("detail").asText());
            }
        }
        return String.join(" ", parts);
    }

    /**
     * Waits until this many inputs are accounted for and visible in the views; false if the timeout expires or {@code
     * stop} is released first.
     */
    public boolean awaitAccounted(long inputs, Duration timeout, CountDownLatch stop) throws InterruptedException {
        return await(() -> isAccounted(inputs), timeout, stop);
    }

    private boolean isAccounted(long inputs) {
        JsonNode accounting = get("/v1/accounting");
        JsonNode total = accounting.path("total");
        return total.path("inputs").asLong() == inputs
                && accounting.path("balanced").asBoolean()
                && messagesInViews() == inputs - total.path("parked").asLong();
    }

    private long messagesInViews() {
        long messages = 0;
        for (JsonNode page : new Pages(this, "/v1/conversations?limit=1000")) {
            for (JsonNode conversation : page.path("items")) {
                messages += conversation.path("messages").asLong();
            }
        }
        return messages;
    }

    private static boolean await(BooleanSupplier condition, Duration timeout, CountDownLatch stop)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (System.nanoTime() < deadline) {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (stop.await(200, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return false;
    }

    private HttpResponse<byte[]> send(String path) {
        return send(HttpRequest.newBuilder(uri(path)).timeout(TIMEOUT));
    }

    /**
     * Opens a stream of events.
     *
     * @param after ID of the last event; empty to start now
     * @param timeout maximum time until the response begins
     * @throws IllegalStateException if the API is unavailable
     */
    HttpResponse<InputStream> open(String path, Optional<String> after, Duration timeout) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).header("Accept", "text/event-stream");
        after.ifPresent(id -> request.header("Last-Event-ID", id));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        // Not HttpRequest.timeout: from Java 26 on, it ends the response too.
        CompletableFuture<HttpResponse<InputStream>> response =
                http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw unavailable(
                    e.getCause() instanceof IOException failure
                            ? ErrorMessages.reason(failure)
                            : e.getCause().toString(),
                    e);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw unavailable("no response in " + timeout.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            response.cancel(true);
            throw interrupted(e);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw unavailable(ErrorMessages.reason(e), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private IllegalStateException unavailable(String reason, Exception cause) {
        return new IllegalStateException("The HTTP API at " + base + " is unavailable: " + reason, cause);
    }

    private IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + base, cause);
    }
}
