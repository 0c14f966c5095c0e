package dev.parley.query;

import dev.parley.query.Readiness.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A second listener for probes, with a server, threads and connections of its own, so that it answers whatever the HTTP API is busy with. Plain HTTP without a
 * token, so it returns a status and no details.
 */
public final class HealthServer implements AutoCloseable {

    private static final int THREADS = 6;
    private static final int HEADER_BYTES = 4 << 10;
    private static final int CONNECTIONS = 64;
    private static final int ADDRESS_CONNECTIONS = 48;
    private static final int DEADLINE_MS = 2_000;
    private static final long MAX_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Readiness that has not been found out for this long is none. */
    private static final long MAX_STALE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final Server server;
    private final Address address;
    private final Probe probe;

    private HealthServer(Server server, Address address, Probe probe) {
        this.server = server;
        this.address = address;
        this.probe = probe;
    }

    /**
     * Starts to listen on an address that is bound already; the server gives it back.
     *
     * @param readiness whose vital parts say whether the instance is alive, and whose parts whether it is ready
     */
    public static HealthServer start(Address address, Readiness readiness) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("parley-health");
        threads.setDaemon(true);
        Server server = new Server(threads);
        server.setErrorHandler(new UnreadableRequests());
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setSendServerVersion(false);
        Doors.Limits limits = new Doors.Limits(
                HEADER_BYTES,
                0,
                THREADS,
                CONNECTIONS,
                new Doors.Shares(ADDRESS_CONNECTIONS, THREADS, 0),
                new Doors.Deadlines(DEADLINE_MS, DEADLINE_MS, DEADLINE_MS, DEADLINE_MS, HEADER_BYTES));
        ConnectionGuard guard = new ConnectionGuard(limits, server.getScheduler(), System::nanoTime);
        server.addBean(guard);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.addBean(guard);
        server.addConnector(connector);
        Probe probe = new Probe(guard, readiness);
        server.setHandler(probe);
        try {
            connector.open(address.channel());
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("the bound address cannot be used", e);
        } catch (Exception e) {
            throw new IllegalStateException("the health listener does not start", e);
        }
        return new HealthServer(server, address, probe);
    }

    /** The port on which it listens. */
    public int port() {
        return address.port();
    }

    @Override
    public void close() {
        probe.close();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the health listener does not stop", e);
        }
    }

    /** Answers from what was last found out; finding it out may take its time. */
    private static final class Probe extends Handler.Abstract.NonBlocking {
        private final ConnectionGuard guard;
        private final Readiness readiness;
        private final ExecutorService finding = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "parley-health-readiness");
            thread.setDaemon(true);
            return thread;
        });
        private boolean busy;
        private boolean ready;
        private long asOf;

        Probe(ConnectionGuard guard, Readiness readiness) {
            this.guard = guard;
            this.readiness = readiness;
            this.asOf = System.nanoTime() - MAX_STALE_NANOS;
            refresh();
        }

        void close() {
            finding.shutdownNow();
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Exchange exchange =
                    new Exchange(guard.of(request.getConnectionMetaData().getRemoteSocketAddress()));
            Request.addCompletionListener(request, failure -> exchange.end());
            if (ExchangeHandler.hasBody(request)
                    || !HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
                return refuse(request, response, callback, Problem.Code.INVALID_REQUEST);
            }
            boolean up;
            switch (Request.getPathInContext(request)) {
                case Routes.LIVE -> up = readiness.vital().stream().allMatch(part -> part.status() != Status.FAILED);
                case Routes.READY -> up = isReady();
                default -> {
                    return refuse(request, response, callback, Problem.Code.UNKNOWN_PATH);
                }
            }
            byte[] body = ("{\"status\":\"" + (up ? "UP" : "DOWN") + "\"}").getBytes(StandardCharsets.US_ASCII);
            response.setStatus(up ? OK : UNAVAILABLE);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
            exchange.writing(body.length);
            response.write(true, ByteBuffer.wrap(body), callback);
            return true;
        }

        private static boolean refuse(Request request, Response response, Callback callback, Problem.Code code) {
            PeerHandler.write(
                    request,
                    response,
                    callback,
                    Problem.of(code, "Here are GET " + Routes.LIVE + " and GET " + Routes.READY + ", without a body."));
            return true;
        }

        private synchronized boolean isReady() {
            long age = System.nanoTime() - asOf;
            if (age > MAX_AGE_NANOS) {
                refresh();
            }
            return ready && age < MAX_STALE_NANOS;
        }

        private synchronized void refresh() {
            if (busy || finding.isShutdown()) {
                return;
            }
            busy = true;
            finding.execute(() -> {
                boolean now = false;
                try {
                    now = readiness.parts().stream().allMatch(part -> part.status() == Status.READY);
                } finally {
                    synchronized (this) {
                        ready = now;
                        asOf = System.nanoTime();
                        busy = false;
                    }
                }
            });
        }
    }
}
