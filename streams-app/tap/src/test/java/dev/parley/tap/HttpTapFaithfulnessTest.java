package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each side sees of the other one what it would see without the tap. */
class HttpTapFaithfulnessTest {
    private static final String RESULT = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    private static final String STREAM =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + "Transfer-Encoding: chunked\r\n\r\n";
    /** Milliseconds until a client gives up. */
    private static final int PATIENCE = 30_000;

    private static final Duration SEVERAL_LOOKS = Duration.ofMillis(3 * HttpTap.LOOK_MS);

    @TempDir
    private Path state;

    private final ListReceiver receiver = new ListReceiver();
    private RawServer server;
    private Outbox outbox;
    private HttpTap tap;

    @BeforeEach
    void start() throws IOException {
        server = new RawServer();
        outbox = receiver.outbox(state);
        tap = start(null);
    }

    private HttpTap start(SslContextFactory.Server tls) throws IOException {
        return HttpTap.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                URI.create("http://127.0.0.1:" + server.port()),
                outbox,
                new HttpTap.Security(tls, new SslContextFactory.Client(), new Callers(null)));
    }

    @AfterEach
    void stop() throws Exception {
        tap.close();
        outbox.close(Duration.ofSeconds(60));
        server.close();
    }

    private Socket connect(String request) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), tap.port());
        socket.setSoTimeout(PATIENCE);
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        return socket;
    }

    /** Sends a request, and reads until the tap closes the connection. */
    private String raw(String request) throws IOException {
        try (Socket socket = connect(request)) {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private String get(String target) throws IOException {
        return raw("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /mcp HTTP/1.1|Host: localhost||, true",
        "GET /mcp HTTP/1.1|Host: localhost||, false",
        "POST /mcp HTTP/1.1|Host: localhost|Content-Length: 2||{}, true",
        "POST /mcp HTTP/1.1|Host: localhost|Content-Length: 2||{}, false"
    })
    void aClientThatLeavesAStreamWithoutEventsLeavesTheServer(String request, boolean isReset) throws Exception {
        server.handler = (head, socket) -> RawServer.write(socket, STREAM);
        Socket client = connect(request.replace("|", "\r\n"));
        assertThat(client.getInputStream().read()).isEqualTo('H');

        client.setSoLinger(isReset, 0);
        client.close();

        await().until(() -> server.left.get() == 1);
    }

    @Test
    void aClientThatLeavesBeforeItsAnswerLeavesTheServer() throws Exception {
        server.handler = (head, socket) -> {};
        Socket client = connect("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        await().until(() -> server.requests.size() == 1);

        client.close();

        await().until(() -> server.left.get() == 1);
    }

    @Test
    void aClientThatLeavesOverTlsLeavesTheServer() throws Exception {
        Certificates key = Certificates.of(state, "CN=tap", "ip:127.0.0.1");
        List<String> options = List.of("--tls-certificate", key.certificateFile(), "--tls-key", key.keyFile());
        tap.close();
        tap = start(Tls.server(new TapOptions(options, 0, TapOptions.HTTP)));
        server.handler = (head, socket) -> RawServer.write(socket, STREAM);
        try (Socket client = Certificates.trusting(key)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), tap.port())) {
            client.getOutputStream().write("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(ISO_8859_1));
            byte[] status = client.getInputStream().readNBytes(STREAM.indexOf('\r'));
            assertThat(STREAM).startsWith(new String(status, ISO_8859_1));
        }

        await().until(() -> server.left.get() == 1);
    }

    @Test
    void aClientThatReadsSlowlyGetsItsWholeAnswer() throws Exception {
        int length = 32 << 20;
        server.handler = (head, socket) -> {
            RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
            socket.getOutputStream().write(new byte[length]);
        };
        try (Socket client = connect("GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            assertThat(client.getInputStream().read()).isEqualTo('H');
            await().during(SEVERAL_LOOKS).until(() -> server.left.get() == 0);

            assertThat(client.getInputStream().readAllBytes().length).isGreaterThan(length);
        }
    }

    @Test
    void aRequestThatComesEarlyIsAnswered() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        server.handler = (head, socket) -> {
            waitFor(first);
            RawServer.write(socket, RESULT);
        };
        try (Socket client = connect("POST /1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n[]")) {
            await().until(() -> server.requests.size() == 1);
            String next = "POST /2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            client.getOutputStream().write(next.getBytes(ISO_8859_1));
            await().during(SEVERAL_LOOKS).until(() -> server.requests.size() == 1);
            first.countDown();

            assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith(RESULT)
                    .endsWith("Connection: close\r\n\r\n{}");
        }
        assertThat(server.requests).hasSize(2);
        assertThat(server.requests.get(1)).startsWith("POST /2 ").endsWith("\r\n\r\n{}");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 100_000})
    void aClientThatLeavesAfterMoreBytesLeavesTheServer(int more) throws Exception {
        server.handler = (head, socket) -> {};
        Socket client = connect("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await().until(() -> server.requests.size() == 1);

        client.getOutputStream().write(new byte[more]);
        client.close();

        await().until(() -> server.left.get() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1||", "Content-Length: 2||{", "Transfer-Encoding: chunked||1|{|"})
    void aBodyThatNeverComesToItsEndHoldsNoConnection(String part) throws Exception {
        tap.connector.setIdleTimeout(100);
        String answer = raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + part.replace("|", "\r\n"));

        assertThat(answer).doesNotStartWith("HTTP/1.1 2");
        await().until(() -> server.left.get() == 1);
    }

    @Test
    void aBodyThatTheServerDoesNotTakeHoldsNoConnection() throws Exception {
        int length = 64 << 20;
        CountDownLatch end = new CountDownLatch(1);
        server.takesBodies = false;
        server.handler = (head, socket) -> {
            waitFor(end);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        };
        tap.connector.setIdleTimeout(100);
        try (Socket client =
                connect("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\n\r\n")) {
            assertThatThrownBy(() -> client.getOutputStream().write(new byte[length]))
                    .isInstanceOf(IOException.class);
        }
        end.countDown();

        await().until(() -> server.left.get() == 1);
    }

    private static void waitFor(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void assertPasses(String target) throws Exception {
        assertThat(get(target)).endsWith("\r\n\r\n{}");
        assertThat(server.requests).singleElement().asString().startsWith("GET " + target + " HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/mcp?",
                "/mcp?a=[1]&b",
                "/mcp?a=b|c",
                "/mcp?f={\"a\":1}",
                "/mcp?a=^`\\",
                "/mcp?a=%zz",
                "/mcp?a=100%",
                "/mcp?caf\u00c3\u00a9"
            })
    void aQueryPassesByteForByte(String target) throws Exception {
        assertPasses(target);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a;x=1/b",
                "/a/../b",
                "/a%20b",
                "/%C3%A9",
                "/a//b",
                "//a",
                "//a/b",
                "/a%2Fb",
                "/a%25",
                "/a%5Cb",
                "/a|b"
            })
    void aPathPassesByteForByte(String target) throws Exception {
        assertPasses(target);
    }

    @ParameterizedTest
    @CsvSource({"/mcp?caf\u00e9, 501", "/caf\u00e9, 501", "/a%zz, 400", "/a%, 400"})
    void aTargetThatCannotPassDoesNotBecomeAnotherOne(String target, int status) throws Exception {
        assertThat(get(target)).startsWith("HTTP/1.1 " + status + " ");
        assertThat(server.requests).isEmpty();
    }

    @Test
    void aRequestForTheServerAsAWholeIsNoErrorOfTheTap() throws Exception {
        assertThat(raw("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .doesNotStartWith("HTTP/1.1 500");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'Content-Type: text/event-stream|', 'data: {}||'",
        "'', '', '{}'",
        "'Connection: close|', 'Content-Type: text/event-stream|', 'data: {}||'",
        "'Connection: close|', '', '{}'"
    })
    void anAnswerThatBreaksOffIsNotCompleteForTheClient(String request, String type, String part) throws Exception {
        String data = part.replace('|', '\n');
        server.handler = (head, socket) -> {
            RawServer.write(
                    socket,
                    "HTTP/1.1 200 OK\r\n" + type.replace("|", "\r\n") + "Transfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(data.length()) + "\r\n" + data + "\r\n");
            socket.close();
        };
        StringBuilder answer = new StringBuilder();
        boolean isReset = false;
        try (Socket client =
                connect("GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + request.replace("|", "\r\n") + "\r\n")) {
            for (int b = client.getInputStream().read();
                    b >= 0;
                    b = client.getInputStream().read()) {
                answer.append((char) b);
            }
        } catch (IOException e) {
            isReset = true;
        }

        boolean isChunked = answer.toString().contains("Transfer-Encoding: chunked");
        assertThat(isReset || isChunked && !answer.toString().endsWith("0\r\n\r\n"))
                .as(answer.toString())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "103 Early Hints, HTTP/1.1 200 ",
        "104 Upload Resumption Supported, HTTP/1.1 502 ",
        "199 Other, HTTP/1.1 502 "
    })
    void anInterimAnswerIsNotTheLastOne(String interim, String last) throws Exception {
        server.handler = (head, socket) -> RawServer.write(socket, "HTTP/1.1 " + interim + "\r\nX: 1\r\n\r\n" + RESULT);

        assertThat(get("/mcp")).contains(last);
    }

    @ParameterizedTest
    @CsvSource({"true, ''", "true, 'Content-Type: application/json|'", "false, 'Content-Type: application/json|'"})
    void aRequestThatExpectsToContinuePassesAndIsRecorded(boolean continues, String header) throws Exception {
        server.continues = continues;
        String type = header.replace("|", "\r\n");
        String answer = raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n" + type
                + "Content-Length: 2\r\nConnection: close\r\n\r\n[]");

        assertThat(answer).endsWith("\r\n\r\n{}");
        await().until(() -> receiver.records.size() >= 2);
        assertThat(receiver.lines()).containsExactly("> []", "< {}");
        assertThat(server.requests)
                .singleElement()
                .satisfies(
                        request -> assertThat(request.contains("Content-Type")).isEqualTo(!header.isEmpty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "x-other, chunked"})
    void aTransferEncodingThatTheTapDoesNotUndoDoesNotVanish(String encoding) throws Exception {
        String answer = raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: " + encoding
                + "\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n");

        assertThat(answer).doesNotContain("HTTP/1.1 200 ");
        assertThat(server.requests).isEmpty();
    }

    @Test
    void methodsKeepTheirCase() throws Exception {
        raw("get /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(server.requests).noneMatch(request -> request.startsWith("GET "));
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(UTF_8));
        }
        return compressed.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Encoding: gzip, > {\"password\":\"p\"}",
        "Content-Encoding: identity|Content-Encoding: gzip, <gap",
        "Content-Encoding: gzip|Content-Encoding: identity, <gap",
        "'Content-Encoding: gzip, identity', <gap",
        "Content-Encoding: br, <gap"
    })
    void theCompressionOfARequestIsUndoneInTheCopyOnlyOrItIsAGap(String header, String record) throws Exception {
        byte[] body = gzip("{\"password\":\"p\"}");
        String encoding = header.replace("|", "\r\n");
        raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + encoding + "\r\nContent-Length: "
                + body.length + "\r\n\r\n" + new String(body, ISO_8859_1));

        assertThat(server.requests).singleElement().asString().endsWith(new String(body, ISO_8859_1));
        await().until(() -> receiver.records.size() >= 2);
        assertThat(receiver.lines()).contains(record).doesNotContain("> " + new String(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD /mcp", "GET /mcp"})
    void anEncodingWithoutABodyIsNoGap(String request) throws Exception {
        server.handler = (head, socket) -> RawServer.write(
                socket,
                (head.startsWith("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 9" : "HTTP/1.1 304 Not Modified")
                        + "\r\nContent-Encoding: br\r\n\r\n");
        raw(request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        await().until(() -> receiver.records.size() == 2);
        assertThat(receiver.lines()).containsExactly(">", "<");
    }

    private Exchange exchange(AtomicLong budget) {
        HttpURI uri = HttpURI.from("http://localhost/mcp");
        return new Exchange(outbox, budget, "peers", "tap-test-1", "GET", uri, HttpFields.EMPTY, Map.of());
    }

    @Test
    void whatIsReadAfterTheEndOfAnExchangeTakesNoMemory() {
        AtomicLong budget = new AtomicLong(1 << 20);
        Exchange exchange = exchange(budget);
        exchange.request(ByteBuffer.allocate(4), false);
        exchange.response(200, HttpFields.EMPTY);
        exchange.content(ByteBuffer.allocate(4));
        exchange.close();
        exchange.request(ByteBuffer.allocate(4), true);
        exchange.content(ByteBuffer.allocate(4));

        assertThat(budget).hasValue(1 << 20);
    }

    @Test
    void anUnreadableStreamIsFewGaps() throws Exception {
        Exchange exchange = exchange(new AtomicLong(1 << 20));
        exchange.requestRead();
        exchange.response(
                200, HttpFields.build().put("Content-Type", "text/event-stream").put("Content-Encoding", "br"));
        for (int i = 0; i < 1_000; i++) {
            exchange.content(ByteBuffer.allocate(4));
        }
        exchange.close();
        outbox.close(Duration.ofSeconds(60));

        assertThat(receiver.lines()).startsWith(">").hasSizeLessThan(100).contains("<gap");
        assertThat(receiver.records.get(1).headers().get(Loss.HEADER)).doesNotContain("records=0 ");
    }

    @Test
    void anAnswerThatCannotBeReadAndBreaksOffIsAGap() throws Exception {
        server.handler = (head, socket) -> {
            RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 9\r\n\r\n{}");
            socket.close();
        };
        get("/mcp");

        await().until(() -> receiver.records.size() == 2);
        assertThat(receiver.lines()).containsExactly(">", "<gap");
    }

    @Test
    void aPathOfVeryManyParametersPasses() throws Exception {
        assertThat(get("/;".repeat(30_000))).endsWith("\r\n\r\n{}");
    }

    @Test
    void aPathWithASessionIsRecordedWithoutIt() throws Exception {
        get("/mcp;jsessionid=s3cret?a=1");

        await().until(() -> receiver.records.size() == 2);
        assertThat(receiver.records.toString()).doesNotContain("s3cret");
        assertThat(receiver.records.get(0).headers().get("parley-http-path")).doesNotContain("s3cret");
    }

    @Test
    void theTraceOfARequestIsRecordedWithItAndItsResponse() throws Exception {
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        raw("POST /mcp HTTP/1.1\r\nHost: localhost\r\ntraceparent: " + trace
                + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");

        await().until(() -> receiver.records.size() == 2);
        assertThat(receiver.records)
                .allSatisfy(record -> assertThat(record.headers()).containsEntry("traceparent", trace));
    }
}
