package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.HttpSecurity;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client cannot starve others or health checks: attacks with raw sockets on a real server. */
class StarvationTest extends HttpTest {
    /** Maximum time of requests, relative to a server of this process that nobody attacks. */
    private static final double MAX_RATIO = 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SLOW_HEADER = "GET / HTTP/1.1\r\nX-Slow: ";
    private static final int HONEST = 5;
    private static final int SAME_ADDRESS_TRIES = 3;
    private static final Duration RETRY_TIMEOUT = Duration.ofSeconds(5);

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService trickle = Executors.newSingleThreadScheduledExecutor();
    private QueryServer control;

    @BeforeEach
    void startControl() {
        control = QueryServer.start(Loopback.bind(), api(), security());
    }

    @Override
    protected HttpSecurity security() {
        return Tokens.security(RateLimiter.NONE, HttpLimits.DEFAULT);
    }

    @Override
    public QueryServer.Components api() {
        QueryServer.Components components = super.api();
        return Loopback.components(
                Optional.of(Standalone.distributed(views.views(), RETRY_TIMEOUT)),
                components.readiness(),
                components.metrics(),
                components.features());
    }

    @AfterEach
    void closeSockets() throws Exception {
        trickle.shutdownNow();
        assertThat(trickle.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        for (Socket socket : sockets) {
            socket.close();
        }
        control.close();
    }

    @Test
    void slowBodiesDoNotDelayOtherClients() throws Exception {
        List<Socket> slow = open(
                64,
                "127.0.0.1",
                "POST /v1/dead-letters:redrive HTTP/1.1\r\nHost: x\r\n"
                        + "Authorization: Bearer reader\r\nContent-Length: 1000\r\n\r\n");
        keepSending(slow);
        othersAreAnswered();
    }

    @Test
    void bodiesOfGetRequestsAreNotRead() throws Exception {
        List<Socket> slow = open(
                64,
                "127.0.0.1",
                "GET /v1/conversations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n");
        keepSending(slow);
        othersAreAnswered();
    }

    @Test
    void slowHeadersDoNotDelayOtherClients() throws Exception {
        List<Socket> slow = open(560, "127.0.0.2", SLOW_HEADER);
        keepOpen(slow);
        othersAreAnswered();
    }

    @Test
    void slowHeadersDoNotDelayOtherClientsAtTheSameAddress() throws Exception {
        List<Socket> slow = open(560, "127.0.0.1", SLOW_HEADER);
        keepOpen(slow);
        // More new connections of an address at once than it may have can close one before its request is read.
        othersAreAnswered(SAME_ADDRESS_TRIES);
    }

    @Test
    void requestsThatWaitForInvisiblePositionsDoNotDelayOthers() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        trickle.scheduleAtFixedRate(
                () -> {
                    try {
                        open(
                                1,
                                // More connections than an address may have.
                                "127.0.0.2",
                                "GET /v1/conversations?at-least=parley.wire-0@4711 HTTP/1.1\r\nHost: x\r\n"
                                        + "Authorization: Bearer reader\r\n\r\n");
                        sent.incrementAndGet();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                0,
                1_000 / 60,
                TimeUnit.MILLISECONDS);
        org.awaitility.Awaitility.await().until(() -> sent.get() > 90);
        othersAreAnswered();
    }

    @Test
    void clientsThatDoNotReadDoNotDelayOthers() throws Exception {
        for (int i = 0; i < 50; i++) {
            views.conversations.add(Samples.conversation("default", Protocol.SLIP, i + "x".repeat(20_000), 1));
        }
        List<Socket> slow = open(
                64,
                "127.0.0.1",
                "GET /v1/conversations?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer reader\r\n\r\n");
        assertThat(slow).hasSize(64);
        othersAreAnswered();
    }

    @Test
    void unauthenticatedPeersUseNoThreadsOfPeers() throws Exception {
        List<Socket> slow = open(
                64,
                "127.0.0.1",
                "POST /v1/dead-letters:redrive HTTP/1.1\r\nHost: x\r\nParley-Peer: -\r\n"
                        + "Authorization: Bearer reader\r\nContent-Length: 1000\r\n\r\n");
        keepSending(slow);
        othersAreAnswered();
        for (Socket socket : slow) {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            assertThat(socket.getInputStream().readNBytes(12)).asString().isEqualTo("HTTP/1.1 403");
        }
    }

    private void othersAreAnswered() throws Exception {
        othersAreAnswered(1);
    }

    /**
     * Requests of another caller and health checks take a similar time at the attacked server and at one that nobody
     * attacks. Both suffer from a busy machine.
     *
     * @param tries maximum tries of a request, whose times count together
     */
    private void othersAreAnswered(int tries) throws Exception {
        TreeMap<String, Integer> expected = new TreeMap<>();
        expected.put("/v1/conversations?limit=1", 200);
        expected.put("/v1/conversations/default/slip/nobody", 404);
        expected.put("/health/live", 200);
        expected.put("/health/ready", 200);
        long attacked = 0;
        long alone = 0;
        for (int time = 0; time < HONEST; time++) {
            for (var path : expected.entrySet()) {
                alone += nanos(control, path.getKey(), path.getValue(), 1);
                attacked += nanos(server(), path.getKey(), path.getValue(), tries);
            }
        }
        assertThat((double) attacked / alone).as("ratio of times").isLessThan(MAX_RATIO);
    }

    private static long nanos(QueryServer server, String path, int status, int tries) throws Exception {
        long start = System.nanoTime();
        assertThat(get(server, path, tries).statusCode()).as(path).isEqualTo(status);
        return System.nanoTime() - start;
    }

    /** The response; if the server closes the connection, that of a later try on a new one. */
    private static HttpResponse<String> get(QueryServer server, String path, int tries) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .header("Authorization", "Bearer auditor")
                .timeout(TIMEOUT)
                .build();
        try {
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        } catch (HttpTimeoutException e) {
            throw e;
        } catch (IOException closed) {
            if (tries == 1) {
                throw closed;
            }
            return get(server, path, tries - 1);
        }
    }

    private List<Socket> open(int count, String from, String text) throws IOException {
        List<Socket> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket();
            socket.setReceiveBufferSize(4_096);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server().port()), 3_000);
            try {
                socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // Already closed by the server.
            }
            opened.add(socket);
            synchronized (sockets) {
                sockets.add(socket);
            }
        }
        return opened;
    }

    /** Keeps sending single bytes; replaces the connections that the server closes. */
    private void keepOpen(List<Socket> slow) {
        trickle.scheduleWithFixedDelay(
                () -> slow.replaceAll(socket -> {
                    try {
                        socket.getOutputStream().write('1');
                        return socket;
                    } catch (IOException closed) {
                        try {
                            return open(1, socket.getLocalAddress().getHostAddress(), SLOW_HEADER)
                                    .get(0);
                        } catch (IOException refused) {
                            return socket;
                        }
                    }
                }),
                50,
                50,
                TimeUnit.MILLISECONDS);
    }

    /** Keeps sending single bytes. */
    private void keepSending(List<Socket> slow) {
        trickle.scheduleWithFixedDelay(
                () -> slow.forEach(socket -> {
                    try {
                        OutputStream out = socket.getOutputStream();
                        out.write('1');
                    } catch (IOException e) {
                        // Closed by the server.
                    }
                }),
                100,
                100,
                TimeUnit.MILLISECONDS);
    }
}
