package dev.parley.query.http;

import dev.parley.query.http.Readiness.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A second listener for probes, with a server, threads and connections of its own, so that it answers whatever the HTTP
 * API is busy with. Plain HTTP without a token, so it returns a status and no details.
 */
public final class HealthServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
    private static final int THREADS = 6;
    private static final int HEADER_BYTES = 4 << 10;
    private static final int CONNECTIONS = 64;
    private static final int ADDRESS_CONNECTIONS = 48;
    private static final int DEADLINE_MS = 2_000;
    private static final long INTERVAL_MS = 500;
    /** Readiness that could not be found out for this long is none. */
    private static final long MAX_STALE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final Server server;
    private final BoundAddress boundAddress;
    private final Probe probe;

    private HealthServer(Server server, BoundAddress boundAddress, Probe probe) {
        this.server = server;
        this.boundAddress = boundAddress;
        this.probe = probe;
    }

    /**
     * Starts to listen on an address that is bound already; the server gives it back.
     *
     * @param readiness whose vital parts say whether the instance is alive, and whose parts whether it is ready
     */
    public static HealthServer start(BoundAddress boundAddress, Readiness readiness) {
        return start(boundAddress, readiness, System::nanoTime);
    }

    static HealthServer start(BoundAddress boundAddress, Readiness readiness, LongSupplier nanos) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("parley-health");
        threads.setDaemon(true);
        Server server = new Server(threads);
        server.setErrorHandler(new JettyErrorHandler());
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setSendServerVersion(false);
        HttpSecurity.Limits limits = new HttpSecurity.Limits(
                HEADER_BYTES,
                0,
                THREADS,
                CONNECTIONS,
                new HttpSecurity.Shares(ADDRESS_CONNECTIONS, THREADS, 0),
                new HttpSecurity.Deadlines(DEADLINE_MS, DEADLINE_MS, DEADLINE_MS, DEADLINE_MS, HEADER_BYTES));
        ConnectionGuard guard = new ConnectionGuard(limits, server.getScheduler(), System::nanoTime);
        server.addBean(guard);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.addBean(guard);
        server.addConnector(connector);
        Probe probe = new Probe(guard, readiness, nanos);
        server.setHandler(probe);
        try {
            connector.open(boundAddress.channel());
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("the bound address cannot be used", e);
        } catch (Exception e) {
            throw new IllegalStateException("the health listener does not start", e);
        }
        return new HealthServer(server, boundAddress, probe);
    }

    /** The port on which it listens. */
    public int port() {
        return boundAddress.port();
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

    /**
     * Answers from what was last found out: at intervals of its own, since that may take its time, and probes may come
     * at any rate.
     */
    private static final class Probe extends Handler.Abstract.NonBlocking {
        private final ConnectionGuard guard;
        private final Readiness readiness;
        private final LongSupplier nanos;
        private final ScheduledExecutorService finding = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "parley-health-readiness");
            thread.setDaemon(true);
            return thread;
        });
        private volatile Found found;
        private boolean failed;

        Probe(ConnectionGuard guard, Readiness readiness, LongSupplier nanos) {
            this.guard = guard;
            this.readiness = readiness;
            this.nanos = nanos;
            this.found = new Found(false, nanos.getAsLong());
            finding.scheduleWithFixedDelay(this::findOut, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
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
                return refuse(request, response, callback, ProblemException.Code.INVALID_REQUEST);
            }
            boolean up;
            switch (Request.getPathInContext(request)) {
                case Route.LIVE -> up = readiness.vital().stream().allMatch(part -> part.status() != Status.FAILED);
                case Route.READY -> up = isReady();
                default -> {
                    return refuse(request, response, callback, ProblemException.Code.UNKNOWN_PATH);
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

        private static boolean refuse(
                Request request, Response response, Callback callback, ProblemException.Code code) {
            PeerHandler.write(
                    request,
                    response,
                    callback,
                    ProblemException.of(
                            code, "Here are GET " + Route.LIVE + " and GET " + Route.READY + ", without a body."));
            return true;
        }

        private boolean isReady() {
            Found last = found;
            return last.ready() && nanos.getAsLong() - last.asOf() < MAX_STALE_NANOS;
        }

        private void findOut() {
            boolean ready = false;
            try {
                ready = readiness.parts().stream().allMatch(part -> part.status() == Status.READY);
                failed = false;
            } catch (RuntimeException e) {
                if (!failed) {
                    LOG.error(
                            "Readiness cannot be found out; until it can, probes are answered with {}.",
                            UNAVAILABLE,
                            e);
                }
                failed = true;
            }
            found = new Found(ready, nanos.getAsLong());
        }
    }

    /** What was found out, and when. */
    private record Found(boolean ready, long asOf) {}
}
