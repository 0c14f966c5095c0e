package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile clients and servers of a proxy in a process of its own, with a heap of 128 MB. */
class HttpTapAttackTest {
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
    /** Resident memory in KiB: the heap, Jetty's threads and native memory. */
    private static final long MAX_MEMORY = 256 << 10;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final WireEndpoint parley = new WireEndpoint();
    private final List<String> targets = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile Handler handler;
    private Process tap;
    private int port;

    HttpTapAttackTest() throws IOException {}

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            targets.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            handler.handle(exchange);
            exchange.close();
        });
        server.start();
        handler = exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, 200, RESULT);
        };
        Path errors = directory.resolve("errors");
        tap = TapProcess.start(
                errors,
                "http",
                "--listen=127.0.0.1:0",
                "--to=http://127.0.0.1:" + server.getAddress().getPort(),
                "--url=" + parley.url(),
                "--state=" + directory.resolve("state"));
        String line = "listening on http://127.0.0.1:";
        await().until(() -> Files.readString(errors).contains(line)
                && Files.readString(errors).endsWith("\n"));
        String text = Files.readString(errors);
        int from = text.indexOf(line) + line.length();
        port = Integer.parseInt(text.substring(from, text.indexOf(' ', from)));
    }

    @AfterEach
    void stop() {
        tap.destroyForcibly();
        server.stop(0);
        parley.close();
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private String post() throws Exception {
        return client.send(
                        request("/mcp").POST(BodyPublishers.ofString(REQUEST)).build(), BodyHandlers.ofString())
                .body();
    }

    private Socket connect(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        return socket;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect(request)) {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private long recordedLoss() {
        return parley.records.stream()
                .map(record -> record.headers().get(Loss.HEADER))
                .filter(loss -> loss != null)
                .mapToLong(loss -> Long.parseLong(loss.substring(loss.indexOf("bytes=") + 6, loss.indexOf(" from"))))
                .sum();
    }

    /** Writes events of a stream until the other side does not take them any more, or an end. */
    private static void events(HttpExchange exchange, long max, AtomicLong written) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        byte[] event = ("data: {\"x\":\"" + "x".repeat(100_000) + "\"}\n\n").getBytes(UTF_8);
        OutputStream out = exchange.getResponseBody();
        while (written.get() < max) {
            out.write(event);
            written.addAndGet(event.length);
        }
    }

    @Test
    void aStreamWithoutEndPassesInBoundedMemoryWhileParleyIsAwayAndTheLossIsStated() throws Exception {
        parley.status = 503;
        AtomicLong written = new AtomicLong();
        handler = exchange -> events(exchange, 200 << 20, written);
        HttpResponse<InputStream> stream = client.send(request("/mcp").GET().build(), BodyHandlers.ofInputStream());
        byte[] buffer = new byte[1 << 16];
        long read = 0;
        for (int count = 0; count >= 0; count = stream.body().read(buffer)) {
            read += count;
        }

        assertThat(read).isEqualTo(written.get()).isGreaterThanOrEqualTo(200 << 20);
        assertThat(TapProcess.peakMemory(tap)).isLessThan(MAX_MEMORY);
        parley.status = 202;
        await().until(() -> recordedLoss() > 150 << 20);
    }

    @Test
    void anEventWithoutEndIsAGapInBoundedMemory() throws Exception {
        handler = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            byte[] part = new byte[1 << 20];
            Arrays.fill(part, (byte) 'x');
            exchange.getResponseBody().write("data: ".getBytes(UTF_8));
            for (int i = 0; i < 200; i++) {
                exchange.getResponseBody().write(part);
            }
            exchange.getResponseBody().write(("\n\ndata: " + RESULT + "\n\n").getBytes(UTF_8));
        };
        HttpResponse<InputStream> stream = client.send(request("/mcp").GET().build(), BodyHandlers.ofInputStream());
        assertThat(stream.body().transferTo(OutputStream.nullOutputStream())).isGreaterThan(200 << 20);

        await().until(() -> parley.records.size() == 3);
        assertThat(recordedLoss()).isBetween(200L << 20, (200L << 20) + 20);
        assertThat(parley.records.get(2).value()).asString(UTF_8).isEqualTo(RESULT);
        assertThat(TapProcess.peakMemory(tap)).isLessThan(MAX_MEMORY);
    }

    @Test
    void clientsThatNeverReadHoldOnlyTheirOwnStreamsUp() throws Exception {
        AtomicLong written = new AtomicLong();
        Handler ping = handler;
        handler = exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                events(exchange, Long.MAX_VALUE, written);
            } else {
                ping.handle(exchange);
            }
        };
        List<Socket> silent = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 20; i++) {
            silent.add(connect("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        }
        await().until(() -> targets.size() == 20);
        // The server waits, too: all that passes is in buffers of the system.
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(java.time.Duration.ofMillis(500))
                .until(() -> written.get() == before.getAndSet(written.get()));
        for (int i = 0; i < 10; i++) {
            assertThat(post()).isEqualTo(RESULT);
        }

        assertThat(TapProcess.peakMemory(tap)).isLessThan(MAX_MEMORY);
        for (Socket socket : silent) {
            socket.close();
        }
        assertThat(post()).isEqualTo(RESULT);
    }

    @Test
    void aBodyOf20MegabytesPassesInBoundedMemory() throws Exception {
        handler = exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        };
        byte[] body = new byte[20 << 20];
        Arrays.fill(body, (byte) 'y');
        for (int i = 0; i < 10; i++) {
            assertThat(client.send(
                                    request("/mcp")
                                            .POST(BodyPublishers.ofByteArray(body))
                                            .build(),
                                    BodyHandlers.ofByteArray())
                            .body())
                    .isEqualTo(body);
        }

        assertThat(TapProcess.peakMemory(tap)).isLessThan(MAX_MEMORY);
        handler = exchange -> answer(exchange, 200, RESULT);
        post();
        await().until(() -> recordedLoss() == 20L * body.length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443",
                "CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22",
                "GET /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example",
                "GET /mcp HTTP/1.1",
                "GET http://evil.example/mcp HTTP/1.1\r\nHost: evil.example",
                "GET http://evil.example@localhost/mcp HTTP/1.1\r\nHost: evil.example",
                "GET //evil.example/mcp HTTP/9.9\r\nHost: localhost",
                "GET /a\\..\\b HTTP/1.1\r\nHost: local host",
                "PRI * HTTP/2.0"
            })
    void aForgedRequestReachesNoServer(String head) throws Exception {
        String answer = raw(head + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).doesNotStartWith("HTTP/1.1 2").doesNotContain("200 ");
        assertThat(targets).isEmpty();
        assertThat(post()).isEqualTo(RESULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Upgrade: websocket\r\nConnection: Upgrade",
                "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings"
            })
    void anUpgradeDoesNotPass(String headers) throws Exception {
        String answer = raw("GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + headers + ", close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200").doesNotContainIgnoringCase("upgrade");
        assertThat(targets).containsExactly("GET /mcp");
    }

    /** HTTP+SSE of 2024-11-05: the stream names the address of the messages, and has the answers. */
    @Test
    void theOlderTransportPassesWithItsSessionInTheQueryUnrecorded() throws Exception {
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        handler = exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 202, "Accepted");
                answers.add(body.contains("initialize") ? body : RESULT);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write("event: endpoint\ndata: /messages?sessionId=s3cret\n\n".getBytes(UTF_8));
            out.flush();
            try {
                for (String answer = answers.take(); !answer.isEmpty(); answer = answers.take()) {
                    out.write(("event: message\ndata: " + answer + "\n\n").getBytes(UTF_8));
                    out.flush();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        HttpResponse<InputStream> stream = client.send(request("/sse").GET().build(), BodyHandlers.ofInputStream());
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), UTF_8));
        assertThat(lines.readLine()).isEqualTo("event: endpoint");
        assertThat(lines.readLine()).isEqualTo("data: /messages?sessionId=s3cret");
        HttpResponse<String> accepted = client.send(
                request("/messages?sessionId=s3cret")
                        .POST(BodyPublishers.ofString(REQUEST))
                        .build(),
                BodyHandlers.ofString());
        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.body()).isEqualTo("Accepted");
        lines.readLine();
        assertThat(lines.readLine()).isEqualTo("event: message");
        assertThat(lines.readLine()).isEqualTo("data: " + RESULT);
        answers.add("");
        assertThat(lines.lines()).containsExactly("");

        await().until(() -> parley.records.size() == 4);
        assertThat(parley.values(Direction.CLIENT_TO_SERVER)).singleElement().isEqualTo(REQUEST.getBytes(UTF_8));
        assertThat(parley.values(Direction.SERVER_TO_CLIENT)).contains(RESULT.getBytes(UTF_8));
        assertThat(parley.records.toString()).doesNotContain("s3cret");
        assertThat(parley.records)
                .extracting(Captured::session)
                .containsOnly(parley.records.get(0).session());
    }

    @Test
    void aBrokenStreamResumesWithItsLastEventId() throws Exception {
        handler = exchange -> {
            String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
            int next = last == null ? 1 : Integer.parseInt(last) + 1;
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(("id: " + next + "\nretry: 10\ndata: {\"n\":" + next + "}\n\n").getBytes(UTF_8));
            // An event without its end is none.
            out.write(("id: " + (next + 1) + "\ndata: {\"n\":").getBytes(UTF_8));
        };
        String first = client.send(request("/mcp").GET().build(), BodyHandlers.ofString())
                .body();
        String second = client.send(
                        request("/mcp").header("Last-Event-ID", "1").GET().build(), BodyHandlers.ofString())
                .body();

        assertThat(first).isEqualTo("id: 1\nretry: 10\ndata: {\"n\":1}\n\nid: 2\ndata: {\"n\":");
        assertThat(second).isEqualTo("id: 2\nretry: 10\ndata: {\"n\":2}\n\nid: 3\ndata: {\"n\":");
        await().until(() -> parley.records.size() == 4);
        assertThat(parley.values(Direction.SERVER_TO_CLIENT))
                .containsExactly("{\"n\":1}".getBytes(UTF_8), "{\"n\":2}".getBytes(UTF_8));
        assertThat(parley.records.get(2).headers()).containsEntry("last-event-id", "1");
    }
}
