package dev.parley.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback address. */
final class Ports {
    static final String HOST = "127.0.0.1";

    private Ports() {}

    /** Finds distinct free ports. */
    static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(listen(0));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException failure) {
            throw new StartupException("Cannot find free ports on " + HOST + ": " + failure.getMessage(), failure);
        } finally {
            sockets.forEach(Ports::close);
        }
    }

    /**
     * Checks that these ports are free.
     *
     * @throws StartupException if one is in use; the message names the first
     */
    static void requireFree(List<Integer> ports) {
        for (int port : ports) {
            try {
                close(listen(port));
            } catch (IOException taken) {
                throw new StartupException(
                        "Port " + port
                                + " for the embedded Kafka broker is in use; stop the process that listens on it, or"
                                + " choose another port.",
                        taken);
            }
        }
    }

    /** The host is an address. */
    @SuppressWarnings("AddressSelection")
    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(HOST, port));
            return socket;
        } catch (IOException failure) {
            close(socket);
            throw failure;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // Nothing was sent through it.
        }
    }
}
