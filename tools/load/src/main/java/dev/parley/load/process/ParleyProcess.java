package dev.parley.load.process;

import dev.parley.cli.api.ApiClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** {@code parley run} in a separate process, with its HTTP API. */
public final class ParleyProcess implements AutoCloseable {
    private static final Pattern API = Pattern.compile("HTTP API at (http://\\S+)\\s");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final double MIB = 1 << 20;
    private static final int OK = 200;

    private final JavaProcess process;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final URI api;
    private final ApiClient client;

    /** Waits until the API of a process that runs Parley listens. */
    public ParleyProcess(JavaProcess process) throws IOException, InterruptedException {
        this.process = process;
        this.api = URI.create(process.await(API, TIMEOUT).group(1));
        this.client = new ApiClient(api);
    }

    /**
     * Starts Parley and waits until it is ready.
     *
     * @param java arguments of the JVM, up to its program
     * @param config configuration by key; without an address, the API listens on any free port
     * @param directory directory of its stores and its log, which an earlier process may have used
     * @throws IllegalStateException if it does not become ready in time; the message names its log
     */
    public static ParleyProcess start(List<String> java, Map<String, String> config, Path directory)
            throws IOException, InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("state.dir", directory.resolve("state").toString());
        settings.put("http.port", "0");
        settings.putAll(config);
        JavaProcess process = JavaProcess.parley(java, settings, directory.resolve("parley.log"));
        try {
            ParleyProcess parley = new ParleyProcess(process);
            parley.awaitReady(TIMEOUT);
            return parley;
        } catch (IllegalStateException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /**
     * Waits until all stores are restored.
     *
     * @throws IllegalStateException if it takes too long; the message names the log
     */
    public void awaitReady(Duration timeout) throws InterruptedException {
        try {
            client.awaitReady(timeout, new CountDownLatch(1));
        } catch (IllegalStateException e) {
            throw new IllegalStateException("Parley did not become ready; see " + process.log(), e);
        }
    }

    /** A client of its HTTP API. */
    public ApiClient client() {
        return client;
    }

    /** Address of its HTTP API. */
    public URI api() {
        return api;
    }

    /** Whether {@code /health/ready} returns 200 within a time. */
    public boolean isReady(Duration timeout) throws InterruptedException {
        try {
            return get("/health/ready", timeout).statusCode() == OK;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path, Duration timeout) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(api.resolve(path)).timeout(timeout).build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** Takes a sample after a full garbage collection. */
    Sample sample(double seconds, long messages) throws IOException, InterruptedException {
        process.collectGarbage();
        HttpResponse<String> page = get("/metrics", TIMEOUT);
        if (page.statusCode() != OK) {
            throw new IllegalStateException("/metrics returned " + page.statusCode() + "; see " + process.log());
        }
        Exposition metrics = Exposition.of(page.body());
        // All stores share the cache and the write buffers, so every store reports the same values; readers' memory is
        // separate.
        double rocks = metrics.max("kafka_stream_state_block_cache_usage")
                + metrics.sum("kafka_stream_state_estimate_table_readers_mem");
        return new Sample(
                seconds,
                messages,
                metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") / MIB,
                process.residentMiB(),
                rocks / MIB,
                metrics.sum("jvm_memory_used_bytes", "area=\"nonheap\"") / MIB,
                (int) metrics.sum("jvm_threads_live_threads"));
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
