package dev.parley.load.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code parley run} in a separate process. */
public final class ParleyProcess implements AutoCloseable {
    private static final Pattern API = Pattern.compile("HTTP API at (http://\\S+)");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final double MIB = 1 << 20;
    private static final int OK = 200;

    private final Process process;
    private final Path log;
    private final Path state;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private URI api;

    private ParleyProcess(Process process, Path log, Path state) {
        this.process = process;
        this.log = log;
        this.state = state;
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
        Path state = directory.resolve("state");
        Path log = directory.resolve("parley.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java);
        command.add("run");
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("state.dir", state.toString());
        settings.put("http.port", "0");
        settings.putAll(config);
        settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ParleyProcess parley = new ParleyProcess(process, log, state);
        try {
            parley.awaitReady();
            return parley;
        } catch (IllegalStateException | InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            Matcher said = API.matcher(Files.readString(log));
            if (said.find()) {
                api = URI.create(said.group(1));
                if (get("/health/ready").statusCode() == OK) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        throw new IllegalStateException("Parley did not become ready; see " + log);
    }

    /** The response to a GET, as text. */
    public String ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        if (response.statusCode() != OK) {
            throw new IllegalStateException(path + " answered " + response.statusCode() + "; see " + log);
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
            return http.send(
                                    HttpRequest.newBuilder(api.resolve(path))
                                            .timeout(timeout)
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == OK;
        } catch (IOException e) {
            return false;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(api.resolve(path))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Takes a sample after a full garbage collection. */
    public Sample sample(double seconds, long messages) throws IOException, InterruptedException {
        collectGarbage();
        Exposition metrics = Exposition.of(ask("/metrics"));
        // All stores share the cache and the write buffers, so every store reports the same values; readers' memory is
        // separate.
        double rocks = metrics.max("kafka_stream_state_block_cache_usage")
                + metrics.sum("kafka_stream_state_estimate_table_readers_mem");
        return new Sample(
                seconds,
                messages,
                metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") / MIB,
                residentKiB() / 1024.0,
                rocks / MIB,
                metrics.sum("jvm_memory_used_bytes", "area=\"nonheap\"") / MIB,
                (int) metrics.sum("jvm_threads_live_threads"),
                stateBytes() / MIB);
    }

    private void collectGarbage() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (jcmd.waitFor() != 0) {
            throw new IllegalStateException("jcmd could not reach Parley; see " + log);
        }
    }

    /** Resident memory in KiB on Linux, 0 elsewhere. */
    private long residentKiB() throws IOException {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        if (!Files.exists(status)) {
            return 0;
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }

    private long stateBytes() throws IOException {
        long bytes = 0;
        List<Path> files;
        try (Stream<Path> walk = Files.walk(state)) {
            files = walk.toList();
        } catch (java.io.UncheckedIOException e) {
            // RocksDB deletes files during the listing; the next sample is complete.
            return 0;
        }
        for (Path file : files) {
            bytes += file.toFile().isFile() ? file.toFile().length() : 0;
        }
        return bytes;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
