package dev.parley.cli.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.query.api.Paths;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Parley's own HTTP API, as the demo and the commands ask it. */
public final class ApiClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final String READY = "/health/ready";

    private final URI base;
    private final Optional<String> token;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    public ApiClient(URI base) {
        this(base, Optional.empty());
    }

    /** An API that wants to know who asks. */
    public ApiClient(URI base, Optional<String> token) {
        this.base = base;
        this.token = token;
    }

    /** Path of a conversation, its names percent-encoded. */
    public static String conversation(String namespace, String protocol, String conversation) {
        return Paths.conversation(namespace, protocol, conversation);
    }

    public URI uri(String path) {
        return base.resolve(path);
    }

    /** The answer to a GET; throws when it is no success. */
    public JsonNode get(String path) {
        HttpResponse<byte[]> response = send(path);
        try {
            if (response.statusCode() != OK) {
                throw new IllegalStateException(path + " answered " + response.statusCode() + ": "
                        + JSON.readTree(response.body()).path("detail").asText());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(path + " did not answer in JSON", e);
        }
    }

    /** The response to a GET; empty if it is 404. Throws like {@link #get} for any other status than 200. */
    public Optional<JsonNode> find(String path) {
        return send(path).statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(get(path));
    }

    /** Waits until everything is ready. */
    public void awaitReady(Duration patience, CountDownLatch stop) throws InterruptedException {
        if (!await(() -> send(READY).statusCode() == OK, patience, stop)) {
            throw new IllegalStateException("not ready after " + patience.toSeconds() + " s: " + awaited());
        }
    }

    /** What is not ready, and why. */
    public String awaited() {
        try {
            List<String> parts = new ArrayList<>();
            for (JsonNode part : JSON.readTree(send(READY).body()).path("parts")) {
                if (!part.path("status").asText().equals("ready")) {
                    parts.add(part.path("name").asText() + ": "
                            + part.path("detail").asText());
                }
            }
            return String.join(" ", parts);
        } catch (IOException e) {
            throw new IllegalStateException(READY + " did not answer in JSON", e);
        }
    }

    /** Waits until as many inputs are accounted for and the views have seen them; false when they are not in time. */
    public boolean awaitAccounted(long inputs, Duration patience, CountDownLatch stop) throws InterruptedException {
        return await(() -> isAccounted(inputs), patience, stop);
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

    private static boolean await(BooleanSupplier condition, Duration patience, CountDownLatch stop)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
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
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(TIMEOUT);
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new IllegalStateException("the HTTP API at " + base + " did not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + base, e);
        }
    }
}
