package dev.parley.cli.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of server-sent events, against servers that go silent. */
@Timeout(60)
class EventStreamTest {
    private static final Duration SILENCE = Duration.ofMillis(300);
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    private static final String EVENT = "event: record\nid: A1\ndata: {\"sequence\":1}\n\n";

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> responses = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket server;
    private Thread serving;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        serving = new Thread(this::serve);
        serving.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        serving.interrupt();
        serving.join();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Sends the next response to each connection, and then nothing; the connection stays open. */
    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
                StringBuilder request = new StringBuilder();
                for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                    request.append(line).append('\n');
                }
                requests.add(request.toString());
                socket.getOutputStream().write(responses.take().getBytes(US_ASCII));
            }
        } catch (IOException e) {
            assertThat(server.isClosed()).as("the test has ended: %s", e).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private EventStream stream() {
        URI base = URI.create("http://127.0.0.1:" + server.getLocalPort());
        return new EventStream(new ApiClient(base), new ApiQuery("/v1/tail"), Optional.empty(), SILENCE);
    }

    @Test
    void serverThatGoesSilentIsLeftAndTheNextConnectionResumes() throws Exception {
        EventStream stream = stream();
        responses.add(HEAD + EVENT);

        EventStream.Ended ended = stream.follow(event -> true);

        assertThat(ended.reason()).startsWith("Nothing came for");
        assertThat(ended.received()).isTrue();
        assertThat(ended.mayResume()).isTrue();
        assertThat(requests.take()).doesNotContainIgnoringCase("Last-Event-ID");
        responses.add(HEAD + EVENT);
        stream.follow(event -> false);
        assertThat(requests.take()).containsIgnoringCase("Last-Event-ID: A1");
    }

    @Test
    void serverThatDoesNotRespondIsLeft() {
        EventStream stream = stream();

        EventStream.Ended first = stream.follow(event -> true);
        responses.add(HEAD + EVENT);
        responses.add(HEAD + EVENT);
        stream.follow(event -> false);
        EventStream.Ended ended = stream.follow(event -> true);

        assertThat(first.reason()).contains("unavailable: no response in");
        assertThat(first.mayResume()).as("an API that was never reached").isFalse();
        assertThat(ended.reason()).contains("unavailable: no response in");
        assertThat(ended.mayResume()).isTrue();
    }

    @Test
    void serverThatSendsHalfAProblemIsLeft() {
        responses.add("HTTP/1.1 503 Unavailable\r\nContent-Length: 100\r\n\r\n{");

        EventStream.Ended ended = stream().follow(event -> true);

        assertThat(ended.reason()).startsWith("Nothing came for");
        assertThat(ended.mayResume()).isTrue();
    }

    @Test
    void slowConsumerIsNotTakenForASilentServer() throws Exception {
        responses.add(HEAD + EVENT + EVENT + "event: end\ndata: {\"reason\":\"RECONNECT\"}\n\n");
        CountDownLatch never = new CountDownLatch(1);
        List<String> seen = new ArrayList<>();

        EventStream.Ended ended = stream().follow(event -> {
            try {
                assertThat(never.await(2 * SILENCE.toMillis(), TimeUnit.MILLISECONDS))
                        .isFalse();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return seen.add(event.id());
        });

        assertThat(seen).hasSize(2);
        assertThat(ended.reason()).startsWith("RECONNECT");
    }
}
