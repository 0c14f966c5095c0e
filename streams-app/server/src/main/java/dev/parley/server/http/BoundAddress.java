package dev.parley.server.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;

/**
 * The bound address of a server. It is bound before the application starts, so that its port can be advertised; early
 * connections wait.
 *
 * @param channel the listening socket
 * @param host name or address of this machine
 * @param port number of the port, never 0
 */
public record BoundAddress(ServerSocketChannel channel, String host, int port) implements AutoCloseable {

    /**
     * Binds an address.
     *
     * @param host name or address of this machine
     * @param port 0 for a free port, see {@link #port}
     * @throws UnknownHostException if there is no such host
     * @throws IOException if it cannot be bound
     */
    public static BoundAddress bind(String host, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(host, port));
            return new BoundAddress(channel, host, ((InetSocketAddress) channel.getLocalAddress()).getPort());
        } catch (UnresolvedAddressException e) {
            channel.close();
            throw new UnknownHostException("unknown host");
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Releases the address; a server that listens on it does so when it stops. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
