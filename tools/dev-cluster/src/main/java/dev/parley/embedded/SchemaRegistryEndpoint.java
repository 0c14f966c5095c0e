package dev.parley.embedded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.utils.ThreadUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link SchemaRegistry} over HTTP, for clients of Confluent's Schema Registry. Listens on the loopback address only
 * and has no authentication, because it serves one machine.
 *
 * <p>Supports the part of Confluent's REST API that Kafka clients use: {@code GET /}; {@code GET /subjects};
 * {@code POST /subjects/{s}}; {@code GET} and {@code POST /subjects/{s}/versions};
 * {@code GET /subjects/{s}/versions/{v}}; {@code GET /schemas/ids/{id}};
 * {@code POST /compatibility/subjects/{s}/versions} and {@code /versions/latest}. Accepts only schemas of type AVRO
 * without references, always at level FULL_TRANSITIVE. Never deletes a schema. Other resources return 404.
 *
 * <p>Errors are {@code {"error_code": …, "message": …}} with Confluent's codes.
 */
public final class SchemaRegistryEndpoint implements AutoCloseable {

    /** Name of the journal file in the data directory. */
    public static final String JOURNAL = "schemas.jsonl";

    private static final Logger LOG = LoggerFactory.getLogger(SchemaRegistryEndpoint.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
    private static final Set<String> ACCEPTED_TYPES =
            Set.of(CONTENT_TYPE, "application/vnd.schemaregistry+json", "application/json", "application/octet-stream");
    private static final List<String> HOSTS = List.of("127.0.0.1", "localhost");
    private static final int MAX_BODY_BYTES = 4 << 20;
    private static final int THREADS = 4;

    private final SchemaRegistry registry;
    private final RegistryRoutes routes;
    private final HttpServer server;
    private final ExecutorService threads;

    private SchemaRegistryEndpoint(SchemaRegistry registry, HttpServer server) {
        this.registry = registry;
        this.routes = new RegistryRoutes(registry);
        this.server = server;
        this.threads = Executors.newFixedThreadPool(THREADS, ThreadUtils.createThreadFactory("schema-registry", true));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /**
     * Opens the registry of a data directory and serves it.
     *
     * @param directory directory of the journal, {@value #JOURNAL}; created if missing
     * @param port port to listen on; 0 for any free one
     * @throws StartupException if the port is in use, or the journal is in use, damaged or cannot be opened
     */
    public static SchemaRegistryEndpoint start(Path directory, int port) {
        SchemaRegistry registry = SchemaRegistry.open(directory.resolve(JOURNAL));
        try {
            return new SchemaRegistryEndpoint(
                    registry, HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0));
        } catch (IOException failure) {
            try {
                registry.close();
            } catch (IOException alsoFailed) {
                failure.addSuppressed(alsoFailed);
            }
            throw failure instanceof BindException
                    ? new StartupException(
                            "Port " + port
                                    + " for the Schema Registry endpoint is in use; stop the process that listens on"
                                    + " it, or choose another port.",
                            failure)
                    : new StartupException(
                            "The Schema Registry endpoint cannot listen on port " + port + ": " + failure, failure);
        }
    }

    /** The value of {@code schema.registry.url} for clients. */
    public String url() {
        return "http://" + server.getAddress().getAddress().getHostAddress() + ":" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                reply(exchange, 200, routes.answer(read(exchange)));
            } catch (RegistryException refusal) {
                reply(exchange, refusal.status(), error(refusal.code(), refusal.getMessage()));
            } catch (RuntimeException unforeseen) {
                LOG.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), unforeseen);
                reply(exchange, 500, error(500, "Internal error; see the log of the registry."));
            }
        }
    }

    private static Map<String, Object> error(int code, String message) {
        return Map.of("error_code", code, "message", message);
    }

    private static RegistryRoutes.Request read(HttpExchange exchange) throws IOException {
        String host = exchange.getRequestHeaders().getFirst("Host");
        int colon = host == null ? -1 : host.lastIndexOf(':');
        // A web page whose name an attacker's DNS server resolves to this machine sends that name.
        if (host != null && !HOSTS.contains(colon < 0 ? host : host.substring(0, colon))) {
            throw new RegistryException(421, "The registry is served at " + String.join(" and ", HOSTS) + " only.");
        }
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            throw new RegistryException(413, "The body has more than " + MAX_BODY_BYTES + " bytes.");
        }
        // Web pages may send other types across origins without a preflight request, so those are rejected.
        if (body.length > 0 && !ACCEPTED_TYPES.contains(mediaType(exchange))) {
            throw new RegistryException(415, "Content-Type must be " + CONTENT_TYPE + " or application/json.");
        }
        return new RegistryRoutes.Request(
                exchange.getRequestMethod(), segments(exchange.getRequestURI().getRawPath()), body);
    }

    private static String mediaType(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Content-Type");
        if (header == null) {
            return "";
        }
        int parameters = header.indexOf(';');
        return (parameters < 0 ? header : header.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (StringTokenizer parts = new StringTokenizer(path, "/"); parts.hasMoreTokens(); ) {
            // In a path, unlike in a query, a plus sign is not a space.
            segments.add(decode(parts.nextToken().replace("+", "%2B")));
        }
        return segments;
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new RegistryException(
                    400, "The URL has a malformed percent escape: " + malformed.getMessage(), malformed);
        }
    }

    private static void reply(HttpExchange exchange, int status, Object answer) throws IOException {
        byte[] json = JSON.writeValueAsBytes(answer);
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, json.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(json);
        }
    }

    /** Stops listening at once and closes the registry; idempotent. */
    @Override
    public void close() throws IOException {
        server.stop(0);
        threads.shutdownNow();
        registry.close();
    }
}
