package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTapTest {
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}";
    private static final String REQUEST = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String RESULT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    @TempDir
    private Path state;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ListReceiver receiver = new ListReceiver();
    private final List<Map<String, List<String>>> seenHeaders = new CopyOnWriteArrayList<>();
    private final List<String> seenTargets = new CopyOnWriteArrayList<>();
    private volatile Handler handler;
    private HttpServer server;
    private Outbox outbox;
    private HttpTap tap;

    /** Answers a request, whose body is read. */
    private interface Handler {
        void handle(HttpExchange exchange, byte[] body) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            seenTargets.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            seenHeaders.add(exchange.getRequestHeaders());
            handler.handle(exchange, exchange.getRequestBody().readAllBytes());
            exchange.close();
        });
        server.start();
        handler = (exchange, body) -> answer(exchange, 200, "application/json", RESULT.getBytes(UTF_8));
        outbox = receiver.outbox(state);
        tap = HttpTap.start(
                address,
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/base/"),
                outbox,
                new HttpTap.Security(null, new SslContextFactory.Client(), new Callers(null)));
    }

    @AfterEach
    void stop() throws Exception {
        tap.close();
        outbox.close(Duration.ofSeconds(60));
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tap.port() + path))
                .header("Content-Type", "application/json");
    }

    private HttpResponse<byte[]> post(String body, String... headers) throws Exception {
        HttpRequest.Builder builder = request("/mcp").POST(BodyPublishers.ofString(body));
        return client.send(
                (headers.length == 0 ? builder : builder.headers(headers)).build(), BodyHandlers.ofByteArray());
    }

    private void awaitRecords(int count) {
        await().until(() -> receiver.records.size() >= count);
        assertThat(receiver.records).hasSize(count);
    }

    @Test
    void aSessionIsRecordedFromInitializeToDelete() throws Exception {
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("Mcp-Session-Id", "secret");
            answer(exchange, 200, "application/json", RESULT.getBytes(UTF_8));
        };
        post(INITIALIZE);
        handler = (exchange, body) -> answer(exchange, 202, "text/plain", new byte[0]);
        post(REQUEST, "Mcp-Session-Id", "secret", "MCP-Protocol-Version", "2025-11-25", "Mcp-Param-Region", "eu");
        client.send(
                request("/mcp?a=1&sessionId=x&b=2")
                        .DELETE()
                        .header("Mcp-Session-Id", "secret")
                        .build(),
                BodyHandlers.discarding());

        awaitRecords(6);
        String hash = Exchange.hash("secret");
        assertThat(receiver.records).extracting(Captured::session).containsOnly("http-" + hash);
        assertThat(receiver.lines())
                .containsExactly(">start " + INITIALIZE, "< " + RESULT, "> " + REQUEST, "<", ">", "<end");
        assertThat(receiver.records.get(0).headers())
                .containsEntry("parley-http-method", "POST")
                .containsEntry("parley-http-path", "/mcp")
                .containsEntry("parley-exchange", "tap-test-1")
                .doesNotContainKeys("mcp-session-id", "parley-http-query");
        assertThat(receiver.records.get(1).headers())
                .containsEntry("parley-exchange", "tap-test-1")
                .containsEntry("parley-http-status", "200")
                .containsEntry("mcp-session-id", hash);
        assertThat(receiver.records.get(2).headers())
                .containsEntry("mcp-session-id", hash)
                .containsEntry("mcp-protocol-version", "2025-11-25")
                .containsEntry("mcp-param-region", "eu");
        assertThat(receiver.records.get(3).headers()).containsEntry("parley-http-status", "202");
        assertThat(receiver.records.get(4).headers())
                .containsEntry("parley-http-method", "DELETE")
                .containsEntry("parley-http-query", "a=1&b=2");
    }

    @Test
    void secretsPassAndAreNotRecorded() throws Exception {
        post(
                REQUEST,
                "Authorization",
                "Bearer s3cret",
                "Cookie",
                "c=s3cret",
                "X-Api-Key",
                "s3cret",
                "Mcp-Session-Id",
                "s3cret");

        awaitRecords(2);
        assertThat(seenHeaders.get(0)).containsEntry("Authorization", List.of("Bearer s3cret"));
        assertThat(receiver.records.toString()).doesNotContain("s3cret");
    }

    @Test
    void pathQueryAndHeadersPassToTheServerOnly() throws Exception {
        client.send(
                request("/a%20b/c?x=%2F&y&z=")
                        .GET()
                        .header("Last-Event-ID", "7")
                        .build(),
                BodyHandlers.discarding());
        String raw = raw("GET http://localhost:1/p?q=1 HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n");

        assertThat(raw).startsWith("HTTP/1.1 200");
        assertThat(seenTargets).containsExactly("GET /base/a%20b/c?x=%2F&y&z=", "GET /base/p?q=1");
        assertThat(seenHeaders.get(0))
                .containsEntry(
                        "Host", List.of("127.0.0.1:" + server.getAddress().getPort()))
                .containsEntry("Via", List.of("1.1 parley-tap"))
                .doesNotContainKeys("Forwarded", "X-forwarded-for", "Accept-encoding");
        awaitRecords(4);
        assertThat(receiver.records.get(0).headers()).containsEntry("last-event-id", "7");
    }

    /** Sends bytes, and reads until the proxy closes. */
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), tap.port())) {
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void headersOfTheConnectionDoNotPass() throws Exception {
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("X-Hop", "1");
            exchange.getResponseHeaders().set("X-Kept", "1");
            exchange.getResponseHeaders().set("Connection", "X-Hop");
            answer(exchange, 200, "application/json", RESULT.getBytes(UTF_8));
        };
        String answer = raw("GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\n"
                + "TE: trailers\r\nKeep-Alive: 5\r\nProxy-Authorization: Basic eA==\r\n\r\n");

        assertThat(answer).containsIgnoringCase("X-Kept: 1").doesNotContainIgnoringCase("X-Hop");
        assertThat(seenHeaders.get(0)).doesNotContainKeys("X-mine", "Te", "Keep-alive", "Proxy-authorization");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked",
                "Content-Length: 4\r\nContent-Length: 5",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding : chunked",
                "X: a\r\n Transfer-Encoding: chunked",
                "Content-Length: +4"
            })
    void aRequestWithTwoReadingsIsRefused(String headers) throws Exception {
        String answer = raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + headers
                + "\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400");
        assertThat(seenTargets).isEmpty();
        assertThat(receiver.records).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"evil.example, 421", "localhost, 200", "127.0.0.1, 200", "'[::1]', 200"})
    void aPageOfAnotherNameDoesNotReachALocalServer(String host, int status) throws Exception {
        String answer = raw("GET /mcp HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(seenTargets).hasSize(status == 200 ? 1 : 0);
    }

    @Test
    void aStreamPassesEventByEvent() throws Exception {
        LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            try {
                for (String event = events.take(); !event.isEmpty(); event = events.take()) {
                    exchange.getResponseBody().write(event.getBytes(UTF_8));
                    exchange.getResponseBody().flush();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        // The headers arrive before any event.
        HttpResponse<InputStream> response = client.send(request("/mcp").GET().build(), BodyHandlers.ofInputStream());
        BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
        for (int i = 0; i < 3; i++) {
            events.add("id: " + i + "\r\ndata: {\"n\":\r\ndata: " + i + "}\r\n\r\n");
            assertThat(lines.readLine()).isEqualTo("id: " + i);
            assertThat(lines.readLine()).isEqualTo("data: {\"n\":");
            assertThat(lines.readLine()).isEqualTo("data: " + i + "}");
            assertThat(lines.readLine()).isEmpty();
        }
        events.add("event: ping\ndata: x\n\n");
        events.add("");
        assertThat(lines.lines()).containsExactly("event: ping", "data: x", "");

        awaitRecords(4);
        assertThat(receiver.lines()).containsExactly(">", "< {\"n\":\n0}", "< {\"n\":\n1}", "< {\"n\":\n2}");
        assertThat(receiver.records)
                .extracting(Captured::session)
                .containsOnly("http-127.0.0.1-127.0.0.1:" + server.getAddress().getPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/event-stream"})
    void compressionIsUndoneInTheCopyOnly(String type) throws Exception {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write((type.contains("json") ? RESULT : "data: " + RESULT + "\n\n").getBytes(UTF_8));
        }
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            answer(exchange, 200, type, compressed.toByteArray());
        };

        HttpResponse<byte[]> response = post(REQUEST, "Accept-Encoding", "gzip");

        assertThat(response.body()).isEqualTo(compressed.toByteArray());
        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        awaitRecords(2);
        assertThat(receiver.lines()).containsExactly("> " + REQUEST, "< " + RESULT);
    }

    @Test
    void anUnknownEncodingIsAGap() throws Exception {
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("Content-Encoding", "br");
            answer(exchange, 200, "application/json", new byte[100]);
        };

        assertThat(post(REQUEST).body()).hasSize(100);

        awaitRecords(2);
        assertThat(receiver.records.get(1).headers().get(Loss.HEADER)).startsWith("records=1 bytes=100 ");
    }

    @Test
    void aLargeBodyPassesInBothDirectionsAndIsAGap() throws Exception {
        byte[] large = new byte[20 << 20];
        new Random(3).nextBytes(large);
        handler = (exchange, body) -> answer(exchange, 200, "application/octet-stream", body);

        HttpResponse<byte[]> response = client.send(
                request("/mcp").POST(BodyPublishers.ofByteArray(large)).build(), BodyHandlers.ofByteArray());

        assertThat(response.body()).isEqualTo(large);
        post(REQUEST);
        await().until(() -> receiver.lines().contains("< " + REQUEST));
        assertThat(receiver.lines()).filteredOn(line -> line.equals("<gap")).isNotEmpty();
        assertThat(receiver.records.stream()
                        .map(record -> record.headers().getOrDefault(Loss.HEADER, ""))
                        .mapToLong(loss -> loss.isEmpty()
                                ? 0
                                : Long.parseLong(loss.substring(loss.indexOf("bytes=") + 6, loss.indexOf(" from"))))
                        .sum())
                .isEqualTo(2L * large.length);
    }

    @Test
    void aLargeHeaderPassesAndIsAGapIfItCannotBeRecorded() throws Exception {
        String value = "v".repeat(64 << 10);
        post(REQUEST, "X-Large", value);
        post(REQUEST, "Mcp-Param-Large", value);

        assertThat(seenHeaders.get(0).get("X-large")).containsExactly(value);
        assertThat(seenHeaders.get(1).get("Mcp-param-large")).containsExactly(value);
        awaitRecords(4);
        assertThat(receiver.lines()).containsExactly("> " + REQUEST, "< " + RESULT, "<gap", "< " + RESULT);
        assertThat(raw("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "v".repeat(200 << 10) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void manyStreamsPassInParallel() throws Exception {
        int count = 200;
        List<HttpExchange> open = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> all = new CompletableFuture<>();
        handler = (exchange, body) -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(("data: " + new String(body, UTF_8) + "\n\n").getBytes(UTF_8));
            exchange.getResponseBody().flush();
            open.add(exchange);
            all.join();
        };
        List<CompletableFuture<HttpResponse<InputStream>>> responses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            responses.add(client.sendAsync(
                    request("/mcp")
                            .POST(BodyPublishers.ofString("{\"i\":" + i + "}"))
                            .build(),
                    BodyHandlers.ofInputStream()));
        }
        for (int i = 0; i < count; i++) {
            BufferedReader lines = new BufferedReader(
                    new InputStreamReader(responses.get(i).get().body(), UTF_8));
            assertThat(lines.readLine()).isEqualTo("data: {\"i\":" + i + "}");
        }
        assertThat(open).hasSize(count);
        all.complete(null);

        awaitRecords(2 * count);
        Map<String, List<Captured>> exchanges = new java.util.HashMap<>();
        receiver.records.forEach(record -> exchanges
                .computeIfAbsent(record.headers().get("parley-exchange"), id -> new ArrayList<>())
                .add(record));
        assertThat(exchanges).hasSize(count).allSatisfy((id, records) -> {
            assertThat(records).hasSize(2);
            assertThat(records.get(1).value()).isEqualTo(records.get(0).value());
        });
    }

    @Test
    void aServerThatIsAwayIsABadGateway() throws Exception {
        server.stop(0);

        assertThat(post(REQUEST).statusCode()).isEqualTo(502);
        // Nothing passed.
        tap.close();
        outbox.close(Duration.ofSeconds(60));
        assertThat(receiver.records).isEmpty();
    }

    @Test
    void anAnswerThatBreaksOffIsAGap() throws Exception {
        handler = (exchange, body) -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
            throw new IOException("breaks off");
        };

        assertThatThrownBy(() -> post(REQUEST)).isInstanceOf(IOException.class);

        awaitRecords(2);
        assertThat(receiver.lines()).containsExactly("> " + REQUEST, "<gap");
    }

    @ParameterizedTest
    @CsvSource({
        "a=1&b=2, a=1&b=2",
        "access_token=x&a=1, a=1",
        "a=1&API-KEY=x, a=1",
        "sessionId=x, ''",
        "%73essionId=x&a, a",
        "'', ''",
        "a&&b, a&&b"
    })
    void credentialsOfAQueryAreLeftOut(String query, String left) {
        assertThat(Exchange.withoutCredentials(query)).isEqualTo(left);
    }
}
