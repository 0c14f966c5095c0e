package dev.parley.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy of a Schema Registry that can return the schema of another ID. */
final class SwappingRegistry implements AutoCloseable {
    private static final String IDS = "/schemas/ids/";

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final HttpServer server;
    private final String target;
    private volatile boolean swaps;

    SwappingRegistry(String target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets whether an ID returns the schema of another one. */
    void swap(boolean swap) {
        swaps = swap;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + (swaps ? swapped(path) : path)))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (type != null) {
                request.header("Content-Type", type);
            }
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(response.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** IDs 1 and 2 change places, 3 and 4, and so on. */
    private static String swapped(String path) {
        if (!path.startsWith(IDS)) {
            return path;
        }
        int end = path.indexOf('?') < 0 ? path.length() : path.indexOf('?');
        int id = Integer.parseInt(path.substring(IDS.length(), end));
        return IDS + (id % 2 == 0 ? id - 1 : id + 1) + path.substring(end);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
