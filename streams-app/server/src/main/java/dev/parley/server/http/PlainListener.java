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
final class PlainListener implements AutoCloseable {
    static final int HEADER_BYTES = 4 << 10;

    private final String name;
    private final Server server;
    private final BoundAddress boundAddress;

    private PlainListener(String name, Server server, BoundAddress boundAddress) {
        this.name = name;
        this.server = server;
        this.boundAddress = boundAddress;
    }

    /**
     * Limits of a listener.
     *
     * @param bodyBytes maximum bytes of a request's body
     * @param connections maximum number of connections
     * @param addressConnections maximum number of connections from one address
     * @param deadlineMs maximum time of each part of an exchange, in milliseconds
     * @param idleMs maximum time of a connection without an exchange, in milliseconds
     */
    record Limits(int threads, int bodyBytes, int connections, int addressConnections, int deadlineMs, int idleMs) {}

    /**
     * Starts listening on a bound address, which the listener releases when it stops.
     *
     * @param name name of the listener in thread names and errors
     * @param handler creates the handler, which has to register its exchanges with the guard
     */
    static PlainListener start(
            String name, BoundAddress boundAddress, Limits limits, Function<ConnectionGuard, Handler> handler) {
        QueuedThreadPool threads = new QueuedThreadPool(limits.threads, 1);
        threads.setName("parley-" + name);
        threads.setDaemon(true);
        Server server = new Server(threads);
        server.setErrorHandler(new JettyErrorHandler());
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setSendServerVersion(false);
        int deadline = limits.deadlineMs;
        HttpSecurity.Limits guarded = new HttpSecurity.Limits(
                HEADER_BYTES,
                limits.bodyBytes,
                limits.threads,
                limits.connections,
                0,
                new HttpSecurity.Shares(limits.addressConnections, limits.threads, 0),
                new HttpSecurity.Deadlines(deadline, deadline, deadline, limits.idleMs, HEADER_BYTES));
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        server.addConnector(connector);
        server.setHandler(handler.apply(new ConnectionGuard(guarded, server)));
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

    int port() {
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
