package dev.parley.cli.api;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.UsageException;
import dev.parley.codec.Excerpt;
import dev.parley.decode.ConversationKey;
import dev.parley.json.ApiJson;
import dev.parley.json.model.AccountingReport;
import dev.parley.json.model.Conversation;
import dev.parley.json.model.Health;
import dev.parley.json.model.ItemPage;
import dev.parley.json.model.Problem;
import dev.parley.server.api.view.Paths;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Client of the HTTP API of a running Parley, for the demo and the commands. */
public final class ApiClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POST_TIMEOUT = Duration.ofSeconds(60);
    /** Prefixes of the detail of a problem with a parameter. */
    private static final List<String> PARAMETERS = List.of("Parameter ", "query.");

    /** Media type of a stream of events. */
    static final String EVENTS = "text/event-stream";

    /** End of the error for a response of another server. */
    static final String FOREIGN = " without a body of Parley. Check that the URL is that of Parley's HTTP API.";

    private static final String READY = "/health/ready";
    private static final String MCP = "/mcp";

    private final URI base;
    private final Optional<String> token;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    /** A client without a token. */
    public ApiClient(URI base) {
        this(base, Optional.empty());
    }

    /**
     * A client that sends a token, if there is one.
     *
     * @param base URL of the API, with a path if a reverse proxy has it below one
     */
    public ApiClient(URI base, Optional<String> token) {
        String path = base.getRawPath();
        String prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        this.base = URI.create(base.getScheme() + "://" + base.getRawAuthority() + prefix);
        this.token = token;
    }

    /** Path of a conversation with percent-encoded names. */
    public static String conversation(ConversationKey key) {
        return Paths.conversation(key.namespace(), key.symbol().name().toLowerCase(Locale.ROOT), key.nameInViews());
    }

    /** Path of what its conversations had shown an agent, with percent-encoded names. */
    public static String agentState(String namespace, String agent) {
        return Paths.agentState(namespace, agent);
    }

    public URI uri(String path) {
        return URI.create(base + path);
    }

    /**
     * Sends a GET and returns the body.
     *
     * @throws UsageException if a parameter, which has the name of an option, is invalid
     * @throws IllegalStateException if the API is unavailable or returns another status than 200 or 202
     */
    public <T> T get(String path, Class<T> type) {
        return get(path, ApiJson.type(type));
    }

    /**
     * Sends a GET and returns the bytes of the body.
     *
     * @throws IllegalStateException as for {@link #get(String, Class)}
     */
    public byte[] bytes(String path) {
        return required(path, send(path)).body();
    }

    /**
     * Returns the bytes of the body as {@link #bytes(String)}, but repeats the GET while the response is 503.
     *
     * @param timeout maximum time of the repetitions
     */
    public byte[] bytes(String path, Duration timeout) throws InterruptedException {
        await(() -> send(path).statusCode() != HttpURLConnection.HTTP_UNAVAILABLE, timeout, new CountDownLatch(1));
        return bytes(path);
    }

    <T> T get(String path, JavaType type) {
        return body(path, send(path), type);
    }

    /**
     * Sends a POST with a JSON body and returns the body of the response. Waits longer than for a GET.
     *
     * @throws IllegalStateException if the API is unavailable or does not return 200 or 202
     */
    public <T> T post(String path, Object body, Class<T> type) {
        HttpResponse<byte[]> response = send(HttpRequest.newBuilder(uri(path))
                .timeout(POST_TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(ApiJson.bytes(body))));
        return body(path, response, ApiJson.type(type));
    }

    /**
     * Sends a message of MCP and returns the response, which may be an error of MCP; empty if there is none, as for a
     * notification.
     *
     * @param headers headers of the request, without those of the content
     * @throws IllegalStateException if the API is unavailable, or refuses the request
     */
    public Optional<JsonNode> mcp(byte[] message, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(MCP))
                .timeout(POST_TIMEOUT)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, " + EVENTS)
                .POST(HttpRequest.BodyPublishers.ofByteArray(message));
        headers.forEach(request::header);
        HttpResponse<byte[]> response = send(request);
        if (response.statusCode() == HttpURLConnection.HTTP_ACCEPTED) {
            return Optional.empty();
        }
        boolean isMessage = response.headers()
                .firstValue("Content-Type")
                .filter("application/json"::equals)
                .isPresent();
        return Optional.of(read(MCP, isMessage ? response : required(MCP, response), ApiJson.type(JsonNode.class)));
    }

    /** The body of {@code /health/ready}: UP or DOWN, and the status of each part. */
    public Health readiness() {
        HttpResponse<byte[]> response = send(READY);
        Health health = read(READY, response, ApiJson.type(Health.class));
        if (health.parts() == null) {
            throw failure(READY, response.statusCode(), response.body());
        }
        return health;
    }

    private static <T> T body(String path, HttpResponse<byte[]> response, JavaType type) {
        return read(path, required(path, response), type);
    }

    private static HttpResponse<byte[]> required(String path, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status != HttpURLConnection.HTTP_OK && status != HttpURLConnection.HTTP_ACCEPTED) {
            throw failure(path, response.statusCode(), response.body());
        }
        return response;
    }

    /**
     * Describes a response that is no success.
     *
     * @throws UsageException if the API refused a parameter, which has the name of an option
     */
    static ApiException failure(String path, int status, byte[] body) {
        Problem problem;
        try {
            problem = ApiJson.read(body, ApiJson.type(Problem.class));
        } catch (IOException e) {
            problem = null;
        }
        if (problem == null || problem.detail() == null) {
            return new ApiException(null, returned(path, status) + FOREIGN);
        }
        String detail = problem.detail();
        for (String prefix : PARAMETERS) {
            if (status == HttpURLConnection.HTTP_BAD_REQUEST && detail.startsWith(prefix)) {
                throw new UsageException("--" + Excerpt.withoutPeriod(detail.substring(prefix.length())));
            }
        }
        return new ApiException(
                problem.code(),
                (status < HttpURLConnection.HTTP_INTERNAL_ERROR ? "" : returned(path, status) + ": ")
                        + detail
                        + (status == HttpURLConnection.HTTP_UNAUTHORIZED
                                ? " Pass --token-file, or set PARLEY_TOKEN."
                                : ""));
    }

    static String returned(String path, int status) {
        return path + " returned " + status;
    }

    private static <T> T read(String path, HttpResponse<byte[]> response, JavaType type) {
        String where = returned(path, response.statusCode());
        try {
            T body = ApiJson.read(response.body(), type);
            if (body == null) {
                throw new IllegalStateException(where + FOREIGN);
            }
            return body;
        } catch (IOException e) {
            throw new IllegalStateException(where + FOREIGN, e);
        }
    }

    /** Waits until all parts are ready. */
    public void awaitReady(Duration timeout, CountDownLatch stop) throws InterruptedException {
        if (!await(() -> send(READY).statusCode() == HttpURLConnection.HTTP_OK, timeout, stop)) {
            throw new IllegalStateException("not ready after " + timeout.toSeconds() + " s: " + awaited());
        }
    }

    /** The response to a GET; empty if it is 404. Throws like {@link #get} for any other status than 200. */
    public <T> Optional<T> find(String path, Class<T> type) {
        HttpResponse<byte[]> response = send(path);
        return response.statusCode() == HttpURLConnection.HTTP_NOT_FOUND
                ? Optional.empty()
                : Optional.of(body(path, response, ApiJson.type(type)));
    }

    /** The parts that are not ready, with the reasons. */
    public String awaited() {
        return readiness().parts().stream()
                .filter(part -> !part.status().equals("ready"))
                .map(part -> part.name() + ": " + part.detail())
                .collect(Collectors.joining(" "));
    }

    /**
     * Waits until all inputs are accounted for, at least this many, and visible in the views. If others arrive all the
     * time, this many are enough. Returns false if {@code stop} is released first, or if within the timeout a partition
     * with pending inputs gets no verdict, or nothing advances: neither inputs nor verdicts nor the views.
     *
     * @param inputs number of input records, redaction requests included
     * @param timeout maximum time without progress
     */
    public boolean awaitAccounted(long inputs, Duration timeout, CountDownLatch stop) throws InterruptedException {
        AccountingReport before;
        AccountingReport now = accounting();
        long visible = messagesInViews();
        do {
            if (await(() -> isAccounted(inputs), timeout, stop)) {
                return true;
            }
            before = now;
            now = accounting();
            long visibleBefore = visible;
            visible = messagesInViews();
            if (isStuck(before, now) || now.total().equals(before.total()) && visible == visibleBefore) {
                return false;
            }
            long arrived = Math.max(inputs, before.total().inputs());
            if (now.total().inputs() > arrived && isVisible(inputs, now.total())) {
                return true;
            }
        } while (stop.getCount() > 0);
        return false;
    }

    /** Whether a partition is not balanced and has no further verdict. */
    private static boolean isStuck(AccountingReport before, AccountingReport now) {
        Map<String, Long> judged = before.partitions().stream()
                .collect(Collectors.toMap(ApiClient::name, partition -> judged(partition.counts())));
        return now.partitions().stream()
                .anyMatch(partition -> !partition.counts().balanced()
                        && judged(partition.counts()) <= judged.getOrDefault(name(partition), 0L));
    }

    private static String name(AccountingReport.Partition partition) {
        return partition.topic() + '-' + partition.partition();
    }

    private boolean isAccounted(long inputs) {
        AccountingReport accounting = accounting();
        AccountingReport.Counts total = accounting.total();
        return accounting.balanced() && isVisible(Math.max(inputs, total.inputs()), total);
    }

    /** Whether the expected number of inputs have a verdict and are visible in the views. */
    private boolean isVisible(long inputs, AccountingReport.Counts total) {
        return judged(total) >= inputs && messagesInViews() >= inputs - total.parked();
    }

    private AccountingReport accounting() {
        return get("/v1/accounting", AccountingReport.class);
    }

    /** Number of inputs with a verdict. */
    private static long judged(AccountingReport.Counts total) {
        return total.inputs() - total.pending();
    }

    private long messagesInViews() {
        long messages = 0;
        for (ItemPage<Conversation> page :
                new Pages<>(this, new ApiQuery("/v1/conversations?limit=1000"), Conversation.class)) {
            messages += page.items().stream().mapToLong(Conversation::messages).sum();
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
     * Opens a stream of events. {@link HttpClient} has no timeout for parts of a response.
     *
     * @param after ID of the last event; empty to start now
     * @param timeout maximum time until the response begins, and between its bytes
     * @throws IllegalStateException if the API is unavailable
     */
    HttpURLConnection open(String path, Optional<String> after, Duration timeout) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri(path).toURL().openConnection();
            connection.setConnectTimeout((int) timeout.toMillis());
            connection.setReadTimeout((int) timeout.toMillis());
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("Accept", EVENTS);
            after.ifPresent(id -> connection.setRequestProperty("Last-Event-ID", id));
            token.ifPresent(text -> connection.setRequestProperty("Authorization", "Bearer " + text));
            connection.getResponseCode();
            return connection;
        } catch (SocketTimeoutException e) {
            throw unavailable("no response in " + timeout.toSeconds() + " s", e);
        } catch (IOException e) {
            throw unavailable(ErrorMessages.reason(e), e);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) {
        try {
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw unavailable(ErrorMessages.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + base, e);
        }
    }

    private IllegalStateException unavailable(String reason, Exception cause) {
        return new IllegalStateException(
                "The HTTP API at " + base + " is unavailable: " + reason
                        + (cause instanceof ConnectException
                                ? ". Start Parley with \"parley run\" or \"parley demo\", or name its API with --url or"
                                        + " PARLEY_URL"
                                : ""),
                cause);
    }
}
