package dev.parley.query.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;

/**
 * Where the API listens: taken before anything else is started, so that other processes can be told. Who comes early
 * waits.
 */
public final class BoundAddress implements AutoCloseable {

    private final ServerSocketChannel channel;
    private final String host;
    private final int port;

    private BoundAddress(ServerSocketChannel channel, String host, int port) {
        this.channel = channel;
        this.host = host;
        this.port = port;
    }

    /**
     * Takes an address.
     *
     * @param host name or address of this machine
     * @param port 0 for a free one, which {@link #port} tells
     * @throws IOException when it cannot be had
     */
    public static BoundAddress bind(String host, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(host, port));
            return new BoundAddress(channel, host, ((InetSocketAddress) channel.getLocalAddress()).getPort());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The host as it was told. */
    public String host() {
        return host;
    }

    /** The port. */
    public int port() {
        return port;
    }

    ServerSocketChannel channel() {
        return channel;
    }

    /** Gives it back; a server that was started there closes it itself. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
