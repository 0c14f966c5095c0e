package dev.parley.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.server.api.Loopback;
import dev.parley.server.health.Readiness;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The health listener responds without tokens and without details. */
class HealthServerTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Readiness.Part> parts = new CopyOnWriteArrayList<>();
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger checks = new AtomicInteger();
    private volatile boolean stick;
    private HttpListener server;

    @BeforeEach
    void start() throws IOException {
        server = HealthServer.start(
                Loopback.bind(),
                new Readiness() {
                    @Override
                    public List<Part> parts() {
                        checks.incrementAndGet();
                        if (stick) {
                            try {
                                stuck.await();
                            } catch (InterruptedException e) {
                                return List.of();
                            }
                        }
                        return vital();
                    }

                    @Override
                    public List<Part> vital() {
                        return List.copyOf(parts);
                    }
                },
                now::get);
    }

    @AfterEach
    void stop() {
        stuck.countDown();
        server.close();
    }

    @Test
    void onlyTheStatusIsReturned() throws Exception {
        parts.add(new Readiness.Part("secret part", Readiness.Status.STARTING, "secret detail"));
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        await().untilAsserted(
                        () -> assertThat(get("/health/ready").statusCode()).isEqualTo(503));
        assertThat(get("/health/ready").body()).isEqualTo("{\"status\":\"DOWN\"}");

        parts.set(0, new Readiness.Part("secret part", Readiness.Status.READY, "secret detail"));
        await().untilAsserted(
                        () -> assertThat(get("/health/ready").statusCode()).isEqualTo(200));
        parts.set(0, new Readiness.Part("secret part", Readiness.Status.FAILED, "secret detail"));
        assertThat(get("/health/live").statusCode()).isEqualTo(503);
        assertThat(get("/v1/conversations").statusCode()).isEqualTo(404);
        assertThat(get("/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    void aRareProbeGetsTheCurrentStatus() throws Exception {
        await().until(() -> checks.get() > 2);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        int before = checks.get();
        await().until(() -> checks.get() > before + 1);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void readinessOlderThanTenSecondsIsNotReady() throws Exception {
        await().untilAsserted(
                        () -> assertThat(get("/health/ready").statusCode()).isEqualTo(200));
        stick = true;
        int before = checks.get();
        await().until(() -> checks.get() > before);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void aSlowReadinessCheckDelaysNoProbe() throws Exception {
        stick = true;
        for (int i = 0; i < 20; i++) {
            assertThat(probe("/health/live").statusCode()).isEqualTo(200);
            probe("/health/ready");
        }
    }

    @Test
    void slowClientsDelayNoProbe() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket();
                socket.bind(new InetSocketAddress("127.0.0.2", 0));
                socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
                socket.getOutputStream().write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
                slow.add(socket);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(probe("/health/live").statusCode()).isEqualTo(200);
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return get(path, Duration.ofSeconds(30));
    }

    /** A request with the timeout of a probe. */
    private HttpResponse<String> probe(String path) throws IOException, InterruptedException {
        return get(path, Duration.ofSeconds(1));
    }

    private HttpResponse<String> get(String path, Duration timeout) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .timeout(timeout)
                        .build(),
                BodyHandlers.ofString());
    }
}
