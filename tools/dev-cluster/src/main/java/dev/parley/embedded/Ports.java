package dev.parley.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

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
            sockets.forEach(socket -> Utils.closeQuietly(socket, "probe of a port"));
        }
    }

    /**
     * Checks that a port is free.
     *
     * @throws StartupException if it is in use
     */
    static void requireFree(int port) {
        try {
            listen(port).close();
        } catch (IOException taken) {
            throw new StartupException(
                    "Port " + port
                            + " for the embedded Kafka broker is in use; stop the process that listens on it, or choose"
                            + " another port.",
                    taken);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 0, InetAddress.getByName(HOST));
    }
}
