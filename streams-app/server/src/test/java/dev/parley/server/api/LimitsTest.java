package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of requests: size, rate, and concurrency. */
class LimitsTest extends HttpTest {
    private static final int HEADER_BYTES = 2_048;
    private static final int BODY_BYTES = 100;
    private static final int AT_ONCE = 2;
    private static final int BURST = 20;

    private final AtomicLong now = new AtomicLong();

    @Override
    protected HttpSecurity security() {
        return Tokens.security(
                new RateLimiter(1, BURST, 10, now::get), HttpLimits.of(HEADER_BYTES, BODY_BYTES, AT_ONCE, 100));
    }

    @Test
    void aBodyDeclaredTooLargeIsRejected() {
        problem(post(BodyPublishers.ofString("x".repeat(BODY_BYTES + 1))), ProblemException.Code.BODY_TOO_LARGE);
    }

    @Test
    void aBodyFoundTooLargeIsRejected() throws IOException {
        String chunk = Integer.toHexString(BODY_BYTES + 1) + "\r\n" + "x".repeat(BODY_BYTES + 1) + "\r\n";
        assertThat(raw("POST /v1/dead-letters:redrive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                        + "Authorization: Bearer operator\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n"))
                .startsWith("HTTP/1.1 413 ")
                .contains("BODY_TOO_LARGE", "application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "GET /\r\n\r\n",
                "GET / HTTP/0.9\r\n\r\n",
                "GET / HTTP/3.0\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-maybe\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n"
            })
    void aRequestThatIsNotValidHttpIsAProblemOfTheClient(String request) throws IOException {
        assertThat(raw(request)).contains("\"status\":400", "INVALID_REQUEST", "X-Content-Type-Options: nosniff");
    }

    @Test
    void aCompressedTransferCodingIsRefused() throws IOException {
        assertThat(raw("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 415 ");
    }

    @Test
    void noHeaderReplacesTheMethod() {
        for (String name : List.of("X-HTTP-Method-Override", "x-http-method-override", "X-HTTP-Method")) {
            HttpResponse<String> response =
                    send("GET", "/v1/dead-letters:redrive", "Authorization", "Bearer operator", name, "POST");
            problem(response, ProblemException.Code.METHOD_NOT_ALLOWED);
        }
    }

    @Test
    void aBodyOfTheMaximumSizeIsRead() {
        assertThat(post(BodyPublishers.ofString("x".repeat(BODY_BYTES))).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aRequestLineThatIsTooLongIsRejected() throws IOException {
        assertThat(raw("GET /" + "x".repeat(HEADER_BYTES) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 414 ")
                .contains("URI_TOO_LONG", "application/problem+json");
    }

    @Test
    void headersThatAreTooLargeAreRejected() throws IOException {
        assertThat(raw("GET / HTTP/1.1\r\nHost: x\r\nX-Large: " + "x".repeat(HEADER_BYTES) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ")
                .contains("HEADERS_TOO_LARGE", "application/problem+json");
    }

    @Test
    void aCallerBeyondTheRateLimitGetsRetryAfter() {
        for (int i = 0; i < BURST; i++) {
            assertThat(as("reader").statusCode()).isEqualTo(200);
        }
        HttpResponse<String> refused = as("reader");
        problem(refused, ProblemException.Code.RATE_LIMITED);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(as("auditor").statusCode()).as("another caller").isEqualTo(200);

        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(as("reader").statusCode()).isEqualTo(200);
        problem(as("reader"), ProblemException.Code.RATE_LIMITED);
    }

    @Test
    void invalidTokensAreRateLimitedByAddress() {
        for (int i = 0; i < BURST / 2; i++) {
            problem(as("wrong-" + i), ProblemException.Code.TOKEN_INVALID);
            problem(get("/"), ProblemException.Code.TOKEN_MISSING);
        }
        problem(as("wrong"), ProblemException.Code.RATE_LIMITED);
        problem(get("/"), ProblemException.Code.RATE_LIMITED);
        assertThat(as("reader").statusCode()).isEqualTo(200);
    }

    @Test
    void aProblemQuotesABoundedPartOfTheRequest() throws IOException {
        String secure = "Host: x\r\nConnection: close\r\nAuthorization: Bearer reader\r\n";
        String text = "X".repeat(1_200);
        for (String request : List.of(
                "GET /" + text + " HTTP/1.1\r\n" + secure + "\r\n",
                "GET /" + "%2F".repeat(399) + " HTTP/1.1\r\n" + secure + "\r\n",
                text + " /v1/conversations HTTP/1.1\r\n" + secure + "\r\n",
                text + " / HTTP/1.1\r\n" + secure + "Content-Length: 1\r\n\r\nx",
                "GET /v1/conversations?" + text + "=1 HTTP/1.1\r\n" + secure + "\r\n",
                "GET /v1/conversations?limit=" + text + " HTTP/1.1\r\n" + secure + "\r\n",
                "GET /v1/conversations?cursor=" + text + " HTTP/1.1\r\n" + secure + "\r\n",
                "GET /v1/conversations?at-least=" + text + " HTTP/1.1\r\n" + secure + "\r\n")) {
            String response = raw(request);
            JsonNode problem = parse(response.substring(response.indexOf("\r\n\r\n") + 4));
            assertThat(problem.path("detail").asText()).hasSizeLessThan(500);
        }
    }

    @Test
    void theCharsetOfAContentTypeDoesNotDecodeTheQuery() {
        for (String type : List.of("text/plain; charset=nope", "text/plain;charset=\"", "x; charset=UTF-16")) {
            HttpResponse<String> response = send(
                    "GET",
                    "/v1/conversations?namespace=%C3%A9",
                    "Authorization",
                    "Bearer reader",
                    "Content-Type",
                    type);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        }
    }

    @Test
    void anUpgradeBypassesNeitherAuthenticationNorTheRateLimit() throws IOException {
        assertThat(raw(upgrade("/", "Authorization: Bearer reader\r\n"))).startsWith("HTTP/1.1 200 ");
        assertThat(raw(upgrade("/x", "Authorization: Bearer reader\r\n")))
                .startsWith("HTTP/1.1 404 ")
                .doesNotContainIgnoringCase("Set-Cookie");
        for (int i = 0; i < BURST; i++) {
            assertThat(raw(upgrade("/x", ""))).startsWith("HTTP/1.1 401 ").doesNotContainIgnoringCase("Set-Cookie");
        }
        assertThat(raw(upgrade("/x", ""))).startsWith("HTTP/1.1 429 ");
    }

    @Test
    void livenessHasNoRateLimit() {
        for (int i = 0; i < 3 * BURST; i++) {
            assertThat(get("/health/live").statusCode()).isEqualTo(200);
        }
        assertThat(as("reader").statusCode()).isEqualTo(200);
    }

    @Test
    void concurrentRequestsAreLimitedSomeAreQueuedAndTheOthersRejected() throws Exception {
        CountDownLatch working = new CountDownLatch(AT_ONCE);
        CountDownLatch go = new CountDownLatch(1);
        blockIngest(working, go);
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            List<Future<HttpResponse<String>>> responses = new ArrayList<>();
            IntStream.range(0, AT_ONCE).forEach(i -> responses.add(callers.submit(this::sendOne)));
            working.await();
            IntStream.range(0, 4 * AT_ONCE + 3).forEach(i -> responses.add(callers.submit(this::sendOne)));
            org.awaitility.Awaitility.await()
                    .untilAsserted(() -> assertThat(responses.stream().filter(Future::isDone))
                            .hasSizeGreaterThanOrEqualTo(3));
            for (Future<HttpResponse<String>> early :
                    responses.stream().filter(Future::isDone).toList()) {
                problem(early.get(), ProblemException.Code.TOO_BUSY);
                assertThat(early.get().headers().firstValue("Retry-After")).isPresent();
            }
            go.countDown();
            int answered = 0;
            for (Future<HttpResponse<String>> late : responses) {
                answered += late.get().statusCode() == 400 ? 1 : 0;
            }
            assertThat(answered).isEqualTo(5 * AT_ONCE);
        } finally {
            go.countDown();
            callers.shutdown();
        }
    }

    /** Sends an empty message, which is invalid. */
    private HttpResponse<String> sendOne() {
        return send("POST", "/v1/wire", "Authorization", "Bearer operator", "Content-Type", "text/plain");
    }

    private static String upgrade(String path, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n" + headers + "\r\n";
    }

    private HttpResponse<String> as(String token) {
        return send("GET", "/", "Authorization", "Bearer " + token);
    }

    private HttpResponse<String> post(HttpRequest.BodyPublisher body) {
        return send(HttpRequest.newBuilder(URI.create(server().uri() + "/v1/dead-letters:redrive"))
                .header("Authorization", "Bearer operator")
                .POST(body)
                .build());
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server().port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
