package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.parley.avro.Protocol;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Slow connections are closed, and the concurrent requests of a caller are limited. */
class DeadlinesTest extends HttpTest {
    private static final int DEADLINE_MS = 400;
    private static final int AT_ONCE = 3;
    private static final String REDRIVE = "/v1/dead-letters:redrive";

    @Override
    protected HttpSecurity security() {
        return Tokens.security(
                RateLimiter.NONE,
                new HttpSecurity.Limits(
                        16 << 10,
                        64 << 10,
                        HttpLimits.RESPONSE_BYTES,
                        64,
                        AT_ONCE,
                        1,
                        new HttpSecurity.Connections(
                                512, 16, DEADLINE_MS, DEADLINE_MS, DEADLINE_MS, 2 * DEADLINE_MS, 100_000_000)));
    }

    @Test
    void headersHaveADeadline() throws IOException {
        closes("GET / HTTP/1.1\r\nX-Slow: ", true);
        closes("", false);
    }

    @Test
    void laterHeadersHaveADeadline() throws IOException {
        closes("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ", true);
    }

    @Test
    void idleConnectionsAreClosed() throws IOException {
        closes("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", false);
    }

    @Test
    void bodiesHaveADeadline() throws IOException {
        closes(
                "POST " + REDRIVE
                        + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator\r\nContent-Length: 1000\r\n\r\n",
                true);
    }

    @Test
    void aClientThatDisconnectsWithinABodyIsNotLogged() throws IOException {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        try {
            bodiesHaveADeadline();
        } finally {
            root.detachAppender(log);
        }
        assertThat(log.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    @Test
    void responsesHaveADeadline() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            views.conversations.add(Samples.conversation("default", Protocol.SLIP, i + "x".repeat(8_000), 1));
        }
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), server().port()));
            send(
                    socket,
                    "GET /v1/conversations?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n\r\n");
            await().pollInSameThread().atMost(Duration.ofSeconds(60)).until(() -> {
                return !send(socket, " ");
            });
        }
    }

    @Test
    void concurrentRequestsAreLimitedByCaller() throws Exception {
        CountDownLatch working = new CountDownLatch(AT_ONCE);
        CountDownLatch go = new CountDownLatch(1);
        blockIngest(working, go);
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                asked.add(CompletableFuture.supplyAsync(this::sendOne, callers));
            }
            working.await();
            HttpResponse<String> refused = sendOne();
            problem(refused, ProblemException.Code.CONCURRENCY_LIMITED);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(as("reader", "GET", "/").statusCode()).isEqualTo(200);
            assertThat(as("operator", "GET", "/health/ready").statusCode()).isEqualTo(200);
            go.countDown();
            for (CompletableFuture<HttpResponse<String>> answer : asked) {
                problem(answer.get(), ProblemException.Code.INVALID_REQUEST);
            }
            await().untilAsserted(() ->
                    assertThat(as("operator", "GET", "/").statusCode()).isEqualTo(200));
        } finally {
            go.countDown();
            callers.shutdown();
        }
    }

    /** Sends an empty message, which is invalid. */
    private HttpResponse<String> sendOne() {
        return send("POST", "/v1/wire", "Authorization", "Bearer operator", "Content-Type", "text/plain");
    }

    private HttpResponse<String> as(String token, String method, String path) {
        return send(method, path, "Authorization", "Bearer " + token);
    }

    /** Asserts that the server closes the connection, even if bytes keep arriving. */
    private void closes(String request, boolean trickle) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            send(socket, request);
            await().pollInSameThread().atMost(Duration.ofSeconds(60)).until(() -> {
                if (trickle) {
                    return !send(socket, "1");
                }
                socket.setSoTimeout(1);
                try {
                    // Ends when the server closes the connection.
                    socket.getInputStream().readAllBytes();
                    return true;
                } catch (java.net.SocketTimeoutException e) {
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
        }
    }

    /** False if the server has closed the connection. */
    private static boolean send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (IOException closed) {
            return false;
        }
    }
}
