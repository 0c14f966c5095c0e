package dev.parley.server.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.json.model.Conversation;
import dev.parley.server.auth.Caller;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Responses of a broken or hostile peer that do not end. */
class LimitedPeerTest {

    private static final byte[] HEADERS =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private ServerSocket peer;

    @BeforeEach
    void listen() throws IOException {
        peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
    }

    @Test
    void anEndlessResponseIsReadUpToTheLimit() {
        answer(output -> {
            byte[] block = " ".repeat(64 << 10).getBytes(StandardCharsets.US_ASCII);
            while (true) {
                output.write(block);
            }
        });

        assertThatThrownBy(() -> ask(Duration.ofSeconds(60)).get(30, TimeUnit.SECONDS))
                .rootCause()
                .hasMessage("the response is larger than " + (2 << 20) + " bytes");
    }

    @Test
    void aStalledResponseTimesOut() {
        answer(output -> {
            output.write('{');
            output.flush();
            new CompletableFuture<>().join();
        });

        assertThatThrownBy(() -> ask(Duration.ofMillis(500)).get(30, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class);
    }

    private CompletableFuture<PeerResponse> ask(Duration timeout) {
        PeerKeys keys = PeerKeys.of(new Password("0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"), Optional.empty());
        HttpPeers peers = new HttpPeers(Optional.empty(), Optional.of(keys), timeout, 1 << 20, Clock.systemUTC());
        return peers.ask(
                new HostInfo(peer.getInetAddress().getHostAddress(), peer.getLocalPort()),
                PeerRequest.of("conversation", Map.of()),
                Caller.ANONYMOUS,
                Conversation.class);
    }

    private void answer(Body body) {
        Thread thread = new Thread(() -> {
            try (Socket socket = peer.accept()) {
                socket.getInputStream().read(new byte[1 << 10]);
                socket.getOutputStream().write(HEADERS);
                body.write(socket.getOutputStream());
            } catch (IOException e) {
                // The other side has closed the connection.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface Body {
        void write(OutputStream output) throws IOException;
    }
}
