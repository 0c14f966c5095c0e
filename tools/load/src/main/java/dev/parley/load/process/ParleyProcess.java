package dev.parley.load.process;

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
import java.util.concurrent.TimeUnit;
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

    private ParleyProcess(JavaProcess process) throws IOException, InterruptedException {
        this.process = process;
        this.api = URI.create(process.await(API, TIMEOUT).group(1));
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
            ParleyProcess parley = started(process);
            parley.awaitReady(TIMEOUT);
            return parley;
        } catch (IllegalStateException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** Waits until the API of a process listens. */
    public static ParleyProcess started(JavaProcess process) throws IOException, InterruptedException {
        return new ParleyProcess(process);
    }

    /** Waits until all stores are restored. */
    public void awaitReady(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!answers("/health/ready", timeout)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("Parley did not become ready; see " + process.log());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** The response to a GET, as text. */
    public String ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(get(path, Duration.ofSeconds(60)), BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IllegalStateException(path + " answered " + response.statusCode() + "; see " + process.log());
        }
        return response.body();
    }

    /** Address of its HTTP API. */
    public URI api() {
        return api;
    }

    /** Whether a path returns 200 within a time. */
    public boolean answers(String path, Duration timeout) throws InterruptedException {
        try {
            return http.send(get(path, timeout), BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpRequest get(String path, Duration timeout) {
        return HttpRequest.newBuilder(api.resolve(path)).timeout(timeout).build();
    }

    /** Takes a sample after a full garbage collection. */
    Sample sample(double seconds, long messages) throws IOException, InterruptedException {
        process.collectGarbage();
        Exposition metrics = Exposition.of(ask("/metrics"));
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
