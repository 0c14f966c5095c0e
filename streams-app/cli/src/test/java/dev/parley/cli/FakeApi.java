package dev.parley.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An HTTP API for commands, with the responses that a test gives. */
final class FakeApi implements BeforeEachCallback, AfterEachCallback {

    /** A request that the API got. */
    record Asked(String method, URI uri, String body, Headers headers) {
        /** A header; empty if it is absent. */
        String header(String name) {
            String value = headers.getFirst(name);
            return value == null ? "" : value;
        }
    }

    /**
     * A response.
     *
     * @param type media type; null for none
     */
    record Answer(int status, String type, String body) {
        static Answer json(String body) {
            return json(200, body);
        }

        static Answer json(int status, String body) {
            return new Answer(status, "application/json", body);
        }
    }

    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final Function<Asked, Answer> answers;
    private HttpServer server;

    FakeApi(Function<Asked, Answer> answers) {
        this.answers = answers;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        stop();
    }

    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Asked request = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8),
                exchange.getRequestHeaders());
        asked.add(request);
        Answer answer = answers.apply(request);
        if (answer.type() != null) {
            exchange.getResponseHeaders().add("Content-Type", answer.type());
        }
        byte[] body = answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The requests so far. */
    List<Asked> asked() {
        return asked;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Runs a command with the URL of this API. */
    CommandRun run(String command, String... more) {
        return fed("", command, more);
    }

    /** Runs a command with the URL of this API and an input. */
    CommandRun fed(String in, String command, String... more) {
        return CommandRun.fed(
                in,
                Stream.concat(Stream.of(command, "--url", url()), Stream.of(more))
                        .toArray(String[]::new));
    }
}
