package dev.parley.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A listener: Jetty with an address, threads, limits, and the handlers that precede all routes. */
public final class HttpListener implements AutoCloseable {

    /** Not shorter: a waiting request transfers nothing, and {@link ConnectionGuard} has deadlines for clients. */
    private static final long IDLE_MS = Duration.ofMinutes(10).toMillis();

    private static final int MAX_THREADS = 250;
    private static final int MIN_THREADS = 8;
    private static final int PLAIN_HEADER_BYTES = 4 << 10;

    private final String name;
    private final Server server;
    private final BoundAddress boundAddress;

    private HttpListener(String name, BoundAddress boundAddress, int maxThreads, int minThreads) {
        QueuedThreadPool threads = new QueuedThreadPool(maxThreads, minThreads);
        threads.setName("parley-" + name);
        threads.setDaemon(true);
        this.name = name;
        this.boundAddress = boundAddress;
        this.server = new Server(threads);
        server.setErrorHandler(ProblemHandler::rejected);
    }

    /**
     * Starts the listener of the HTTP API.
     *
     * @param routes handles requests of callers
     * @param boundAddress open socket, which the listener closes when it stops
     * @param httpSecurity TLS, rate limiter of peers, and limits
     * @param peers answers requests of peers; empty to refuse them
     * @param largeBodies admits large bodies
     * @param problems counts and writes rejections
     */
    public static HttpListener start(
            RouteHandler routes,
            BoundAddress boundAddress,
            HttpSecurity httpSecurity,
            Optional<PeerService> peers,
            BodyAdmission largeBodies,
            ProblemHandler problems) {
        HttpSecurity.Limits limits = httpSecurity.limits();
        HostNames hosts = httpSecurity.authentication().isPresent() ? HostNames.ANY : httpSecurity.hosts();
        HttpListener listener = new HttpListener("http", boundAddress, MAX_THREADS, MIN_THREADS);
        Server server = listener.server;
        // A request passes these handlers from the outermost to the innermost:
        //   GracefulHandler   counts requests, so that a stop waits for those in progress;
        //   ExchangeHandler   host name; deadlines of body and response;
        //   PeerHandler       answers peers; all other requests go on;
        //   RouteHandler      SecurityFilter.filter, Memory.open, then the route.
        // ConnectionGuard is not in the chain: it observes the connections, and ExchangeHandler reports to it.
        ExchangeHandler exchanges = new ExchangeHandler(
                new ConnectionGuard(limits.connections(), server), hosts, problems, limits, largeBodies);
        PeerHandler peerHandler = new PeerHandler(peers, httpSecurity.rate(), problems);
        peerHandler.setHandler(routes);
        exchanges.setHandler(peerHandler);
        server.setHandler(new GracefulHandler(exchanges));
        HttpConfiguration http = configuration(limits.headerBytes());
        // Routes match the path as sent, and decode each segment alone.
        http.setUriCompliance(UriCompliance.LEGACY);
        http.addCustomizer((request, response) -> withoutPrefix(request, httpSecurity.prefix()));
        ServerConnector connector = httpSecurity
                .tls()
                .map(tls -> secure(server, http, tls))
                .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
        connector.setIdleTimeout(IDLE_MS);
        return listener.start(connector);
    }

    /**
     * Starts a small listener for plain HTTP without tokens.
     *
     * @param name name of the listener in thread names and errors
     * @param boundAddress open socket, which the listener closes when it stops
     * @param threads maximum number of threads
     * @param handler creates the handler, which has to register its exchanges with the guard
     */
    static HttpListener plain(
            String name,
            BoundAddress boundAddress,
            int threads,
            HttpSecurity.Connections limits,
            Function<ConnectionGuard, Handler> handler) {
        HttpListener listener = new HttpListener(name, boundAddress, threads, 1);
        Server server = listener.server;
        server.setHandler(handler.apply(new ConnectionGuard(limits, server)));
        return listener.start(
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(configuration(PLAIN_HEADER_BYTES))));
    }

    private static HttpConfiguration configuration(int headerBytes) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(headerBytes);
        return http;
    }

    private HttpListener start(ServerConnector connector) {
        server.addConnector(connector);
        try {
            connector.open(boundAddress.channel());
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on the bound address", e);
        } catch (Exception e) {
            throw new IllegalStateException("the " + name + " listener failed to start", e);
        }
        return this;
    }

    /** The address that it listens on. */
    public BoundAddress address() {
        return boundAddress;
    }

    public int port() {
        return boundAddress.port();
    }

    /**
     * Stops accepting requests, and stops after those in progress.
     *
     * @param timeout maximum wait for requests in progress; zero aborts them
     */
    public void close(Duration timeout) {
        server.setStopTimeout(timeout.toMillis());
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the " + name + " listener failed to stop", e);
        }
    }

    /** Stops and aborts requests in progress. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /** Removes the prefix of a reverse proxy from the path, so that all routes are the same with it and without. */
    private static Request withoutPrefix(Request request, String prefix) {
        HttpURI uri = request.getHttpURI();
        String path = uri.getPath();
        if (prefix.isEmpty() || path == null || !(path + '/').startsWith(prefix + '/')) {
            return request;
        }
        String rest = path.equals(prefix) ? "/" : path.substring(prefix.length());
        HttpURI inner;
        try {
            inner = HttpURI.build(uri, rest, uri.getParam(), uri.getQuery()).asImmutable();
        } catch (IllegalArgumentException e) {
            // Its dot segments lead out of the prefix, so it is not below the prefix.
            return request;
        }
        request.setAttribute(ProblemHandler.PREFIX, prefix);
        return Request.serveAs(request, inner);
    }

    private static ServerConnector secure(Server server, HttpConfiguration http, SSLContext context) {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(context);
        HttpConfiguration secured = new HttpConfiguration(http);
        // No SNI check: clients verify the certificate, and may use a name that it does not contain.
        secured.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory plain = new HttpConnectionFactory(secured);
        return new ServerConnector(server, new SslConnectionFactory(ssl, HttpVersion.HTTP_1_1.asString()), plain);
    }
}
