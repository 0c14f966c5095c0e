package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.cli.environment.ChildProcess;
import dev.parley.cli.environment.CommandResult;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Parley instance in a process of its own, with its own state directory and clock. */
final class LocalInstance {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Pattern API = Pattern.compile("HTTP API at (\\S+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> WRITTEN = List.of("LOG", "OPTIONS", "IDENTITY");

    private final String name;
    private final Path directory;
    private final Map<String, Object> settings;
    private final Supplier<String> token;
    private ChildProcess process;

    /**
     * An instance that does not run yet.
     *
     * @param directory of its state, and logs
     * @param settings its configuration, except for the state directory
     * @param token the present token of its API
     */
    LocalInstance(String name, Path directory, Map<String, Object> settings, Supplier<String> token)
            throws IOException {
        this.name = name;
        this.directory = Files.createDirectories(directory);
        this.settings = settings;
        this.token = token;
    }

    String name() {
        return name;
    }

    /** Directory of its state. */
    Path state() {
        return directory.resolve("state");
    }

    /** Sets its clock ahead, while it runs. */
    void step(Duration ahead) throws Exception {
        ClockAgent.step(pid(), directory.resolve("clock-agent.jar"), ahead);
    }

    ParleyConfig config() {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ParleyConfig.STATE_DIR, state().toString());
        return ServerConfig.of(all);
    }

    void start() throws IOException {
        List<String> prefix = List.of("env", "JAVA_TOOL_OPTIONS=-Xmx400m");
        process = ChildProcess.start(directory, prefix, CommandResult.arguments(config(), "run"));
    }

    boolean isRunning() {
        return process != null && process.process().isAlive();
    }

    long pid() {
        return process.process().pid();
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** Stops it gracefully. */
    void stop() throws IOException, InterruptedException {
        if (isRunning()) {
            process.signal("TERM");
            process.exitStatus();
        }
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        process.exitStatus();
    }

    /** Everything that it has logged since its last start. */
    String said() {
        return process.said();
    }

    /** Address of its API; empty while it does not listen. */
    Optional<URI> api() {
        if (!isRunning()) {
            return Optional.empty();
        }
        Matcher listens = API.matcher(said());
        return listens.find() ? Optional.of(URI.create(listens.group(1))) : Optional.empty();
    }

    /** Whether it runs and says that it is ready. */
    boolean isReady() {
        return status(token.get()) == 200;
    }

    /** Restarts it if it has failed for good, as its liveness probe does. */
    void probe() throws IOException, InterruptedException {
        if (status("/health/live", token.get()) == 503) {
            kill();
            start();
        }
    }

    /** Status of its readiness for a caller with a token; 0 without a response. */
    int status(String bearer) {
        return status("/health/ready", bearer);
    }

    private int status(String path, String bearer) {
        return get(path, bearer).map(HttpResponse::statusCode).orElse(0);
    }

    /** Sends a request; empty without a response. */
    private Optional<HttpResponse<String>> get(String path, String bearer) {
        try {
            Optional<URI> api = api();
            return api.isEmpty()
                    ? Optional.empty()
                    : Optional.of(HTTP.send(
                            HttpRequest.newBuilder(api.get().resolve(path))
                                    .timeout(Duration.ofSeconds(5))
                                    .header("Authorization", "Bearer " + bearer)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    void awaitReady() {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(get("/health/ready", token.get()))
                        .hasValueSatisfying(answer -> assertThat(answer.statusCode())
                                .as(name + ": " + answer.body())
                                .isEqualTo(200)));
    }

    /** Waits until it is ready or has logged a text; returns whether it is ready without that text. */
    boolean isReadyOrSays(String text) {
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(300)).until(() -> isReady() || said().contains(text));
        return !said().contains(text);
    }

    /** Waits until it has logged all of these texts. */
    void awaitSaid(String... texts) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(said()).contains(texts));
    }

    /** Runs the command that its operator is told to run. */
    void run(String... command) {
        CommandResult result = CommandResult.by(config(), command);
        assertThat(result.exit()).as(result.all()).isZero();
    }

    /** Files of its state, except for empty ones, and for those that RocksDB only writes. */
    List<Path> stateFiles() throws IOException {
        try (Stream<Path> files = Files.walk(state())) {
            return files.filter(file -> Files.isRegularFile(file)
                            && file.toFile().length() > 0
                            && WRITTEN.stream().noneMatch(file.getFileName().toString()::startsWith))
                    .sorted()
                    .toList();
        }
    }
}
