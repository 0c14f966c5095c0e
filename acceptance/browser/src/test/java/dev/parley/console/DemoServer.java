package dev.parley.console;

import com.google.gson.JsonObject;
import dev.parley.cli.Demo;
import dev.parley.demo.LocalDemo;
import dev.parley.server.ServerConfig;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.tail.TailFeature;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The demo with its sample traffic, which requires a token, on free ports. */
final class DemoServer implements AutoCloseable {

    /** Prefix of the paths of a reverse proxy. */
    static final String PREFIX = "/parley";

    /** Name of the members that are masked for readers. */
    static final String MASKED = "consolesecret";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(180);
    private static final Pattern ADDRESS = Pattern.compile("Console: (\\S+)");

    private final Map<Role, String> tokens = new EnumMap<>(Role.class);
    private final String boundToken;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final HttpClient client = HttpClient.newHttpClient();
    private final int providerPort = freePort();
    private final Path directory;
    private final Map<String, String> environment;
    private final Thread thread;
    private URI uri;

    private DemoServer(Path directory) throws IOException {
        this.directory = directory;
        SecureRandom random = new SecureRandom();
        List<String> lines = new ArrayList<>();
        for (Role role : Role.GIVEN) {
            String token = StoredToken.newToken(random);
            tokens.put(role, token);
            lines.add(StoredToken.of(token, "the-" + role.text(), role, Optional.empty(), Optional.empty())
                    .line());
        }
        boundToken = StoredToken.newToken(random);
        lines.add(StoredToken.of(boundToken, "a-lead", Role.AUDITOR, Optional.of(Set.of("default")), Optional.empty())
                .line());
        Path file = Files.write(directory.resolve("tokens"), lines);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String bootstrap = "127.0.0.1:" + freePort();
        String registry = "http://127.0.0.1:" + freePort();
        environment = Map.of("PARLEY_BOOTSTRAP_SERVERS", bootstrap, "PARLEY_SCHEMA_REGISTRY_URL", registry);
        Map<String, Object> settings = new HashMap<>(Map.of(
                HttpKeys.PORT,
                0,
                HttpKeys.PATH_PREFIX,
                PREFIX,
                ParleyConfig.BOOTSTRAP_SERVERS,
                bootstrap,
                ParleyConfig.REGISTRY_URL,
                registry,
                // Pages of the test follow each other faster than those of people.
                HttpKeys.RATE,
                0,
                // A stream counts until the server notices that its page is gone.
                TailFeature.CALLER_STREAMS,
                1_000,
                TailFeature.STREAMS,
                1_000,
                HttpKeys.MASK,
                "key:" + MASKED,
                HttpKeys.TOKENS_FILE,
                file.toString()));
        settings.putAll(Map.of(
                HttpKeys.OIDC_ISSUER,
                provider(),
                HttpKeys.OIDC_KEYS,
                provider() + "/jwks",
                HttpKeys.OIDC_AUDIENCE,
                "parley",
                HttpKeys.OIDC_CLIENT_ID,
                "console"));
        ParleyConfig config = ServerConfig.of(settings);
        Demo.Options options = new Demo.Options(config, false, false, Optional.of(directory.resolve("data")));
        thread = new Thread(
                () -> {
                    try {
                        new LocalDemo().run(options, new PrintWriter(out, true), new PrintWriter(err, true));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "demo");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Starts the demo, and waits until it has printed its report. */
    static DemoServer start() throws IOException {
        DemoServer demo = new DemoServer(Files.createTempDirectory("parley-console"));
        demo.thread.start();
        Awaitility.await()
                .atMost(START_TIMEOUT)
                .failFast("the demo has ended", () -> !demo.thread.isAlive())
                .until(() -> demo.out.toString().contains("Running until Ctrl-C"));
        Matcher address = ADDRESS.matcher(demo.out.toString());
        if (!address.find()) {
            throw new AssertionError("the demo has not printed the address of the console: " + demo.out);
        }
        demo.uri = URI.create(address.group(1));
        return demo;
    }

    /** The file of the public key of its audit log. */
    Path key() {
        return directory.resolve("data").resolve("audit.vkey");
    }

    /**
     * Runs lines in a shell, in which parley is the command line of this build, connected to the demo.
     *
     * @return what they have printed, and a last line with the exit status
     */
    String shell(Path directory, String lines) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-c",
                        "parley() { \"$JAVA\" -cp \"$CLASS_PATH\" dev.parley.cli.Parley \"$@\"; }\n" + lines
                                + "\necho exit $?")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment()
                .put(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.environment().put("CLASS_PATH", System.getProperty("java.class.path"));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return printed;
    }

    /** Issuer of the OpenID provider, which a test has to start. */
    String provider() {
        return "http://127.0.0.1:" + providerPort;
    }

    int providerPort() {
        return providerPort;
    }

    /** Address of the console, with a slash at the end. */
    URI uri() {
        return uri;
    }

    /** The token of an auditor of the namespace default. */
    String boundToken() {
        return boundToken;
    }

    /** A token that grants a role. */
    String token(Role role) {
        return tokens.get(role);
    }

    /** Sends lines of a transcript, and waits for their verdicts. */
    HttpResponse<String> sendLines(String lines) {
        return sendLines(uri, lines);
    }

    /** Sends lines of a transcript to the address of a console, and waits for their verdicts. */
    HttpResponse<String> sendLines(URI console, String lines) {
        return exchange(lines(console, lines, true));
    }

    /**
     * Starts to send lines of a transcript.
     *
     * @param verdicts whether the response has their verdicts
     */
    CompletableFuture<HttpResponse<String>> startLines(String lines, boolean verdicts) {
        return client.sendAsync(lines(uri, lines, verdicts), BodyHandlers.ofString());
    }

    private HttpRequest lines(URI console, String lines, boolean verdicts) {
        return HttpRequest.newBuilder(console.resolve(verdicts ? "v1/wire?wait=verdict" : "v1/wire"))
                .header("Authorization", "Bearer " + token(Role.OPERATOR))
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofByteArray(lines.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    /** Addresses of the brokers. */
    String brokers() {
        return environment.get("PARLEY_BOOTSTRAP_SERVERS");
    }

    /** Redacts a message. */
    HttpResponse<String> redact(String conversation, long sequence, String reason) {
        JsonObject body = new JsonObject();
        body.addProperty("reason", reason);
        return exchange(HttpRequest.newBuilder(
                        uri.resolve("/v1/conversations/" + conversation + "/messages/" + sequence + "/redact"))
                .header("Authorization", "Bearer " + token(Role.OPERATOR))
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    /** Reads as an auditor. */
    HttpResponse<String> get(String path) {
        return get(path, Role.AUDITOR);
    }

    /** Waits until a signed head covers the record of a message, which is given by its path in the API. */
    void awaitProof(String message) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> get(PREFIX + "/v1" + message + "/proof").statusCode() == 200);
    }

    HttpResponse<String> get(String path, Role role) {
        return get(uri.resolve(path), role);
    }

    HttpResponse<String> get(URI address, Role role) {
        return exchange(HttpRequest.newBuilder(address)
                .header("Authorization", "Bearer " + token(role))
                .build());
    }

    private HttpResponse<String> exchange(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws InterruptedException, IOException {
        thread.interrupt();
        thread.join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
