package dev.parley.load.run;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Attacks by a client of the HTTP port without a token: endless headers and bodies, and requests that wait for a
 * position that never comes.
 */
final class SlowClients implements AutoCloseable {
    private static final int MAX_OPEN = 400;
    private static final int CONNECT_TIMEOUT_MS = 2_000;

    /** Number of attackers' addresses (127.0.0.2 and on), which Linux binds without further setup. */
    private static final int ADDRESSES = 20;

    private final URI api;
    private final Deque<Socket> open = new ArrayDeque<>();

    SlowClients(URI api) {
        this.api = api;
    }

    List<Attack> all() {
        return List.of(
                new Attack("connections with endless headers", Duration.ofMillis(100), this::slowHeaders),
                new Attack("requests with trickled bodies", Duration.ofMillis(200), this::slowBody),
                new Attack("requests that wait for a position", Duration.ofMillis(50), this::endlessWait));
    }

    private void slowHeaders() throws IOException {
        send("GET /v1/conversations HTTP/1.1\r\nHost: parley\r\nX-Slow: ");
    }

    private void slowBody() throws IOException {
        send("POST /v1/dead-letters:redrive HTTP/1.1\r\nHost: parley\r\nContent-Length: " + "5000\r\n\r\n{");
    }

    private void endlessWait() throws IOException {
        send("GET /v1/conversations/honest/slip/" + ThreadLocalRandom.current().nextInt(1_000)
                + "?at-least=parley.wire-0@99999999999 HTTP/1.1\r\nHost: parley\r\n\r\n");
    }

    /** Sends the beginning on a new connection, and one more byte on every open connection. */
    private synchronized void send(String beginning) throws IOException {
        if (open.size() >= MAX_OPEN) {
            open.remove().close();
        }
        for (int i = open.size(); i > 0; i--) {
            Socket socket = open.remove();
            try {
                if (i % 20 == 0) {
                    socket.getOutputStream().write('x');
                }
                open.add(socket);
            } catch (IOException e) {
                socket.close();
            }
        }
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(
                    "127.0.0." + (2 + ThreadLocalRandom.current().nextInt(ADDRESSES)), 0));
            socket.connect(new InetSocketAddress(api.getHost(), api.getPort()), CONNECT_TIMEOUT_MS);
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
            open.add(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }
}
