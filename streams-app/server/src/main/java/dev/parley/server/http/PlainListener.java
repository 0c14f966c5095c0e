package dev.parley.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A small listener of its own for plain HTTP without tokens: its own server, threads and limits. */
public final class PlainListener implements AutoCloseable {
    private static final int HEADER_BYTES = 4 << 10;

    private final String name;
    private final Server server;
    private final BoundAddress boundAddress;

    private PlainListener(String name, Server server, BoundAddress boundAddress) {
        this.name = name;
        this.server = server;
        this.boundAddress = boundAddress;
    }

    /**
     * Starts listening on a bound address, which the listener releases when it stops.
     *
     * @param name name of the listener in thread names and errors
     * @param threads maximum number of threads
     * @param handler creates the handler, which has to register its exchanges with the guard
     */
    static PlainListener start(
            String name,
            BoundAddress boundAddress,
            int threads,
            HttpSecurity.Connections limits,
            Function<ConnectionGuard, Handler> handler) {
        QueuedThreadPool pool = new QueuedThreadPool(threads, 1);
        pool.setName("parley-" + name);
        pool.setDaemon(true);
        Server server = new Server(pool);
        server.setErrorHandler(new JettyErrorHandler());
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        server.addConnector(connector);
        server.setHandler(handler.apply(new ConnectionGuard(limits, server)));
        try {
            connector.open(boundAddress.channel());
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("the bound address cannot be used", e);
        } catch (Exception e) {
            throw new IllegalStateException("the " + name + " listener failed to start", e);
        }
        return new PlainListener(name, server, boundAddress);
    }

    public int port() {
        return boundAddress.port();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the " + name + " listener failed to stop", e);
        }
    }
}
