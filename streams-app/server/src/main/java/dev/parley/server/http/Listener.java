package dev.parley.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
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

/** Starts Jetty: address, TLS, and the handlers and limits that precede all routes. */
public final class Listener {

    /** Not shorter: a waiting request transfers nothing, and {@link ConnectionGuard} has deadlines for clients. */
    private static final long IDLE_MS = Duration.ofMinutes(10).toMillis();

    private static final int MAX_THREADS = 250;
    private static final int MIN_THREADS = 8;

    private Listener() {}

    /**
     * Starts a server.
     *
     * @param routes handles requests of callers
     * @param boundAddress open socket, which the server closes when it stops
     * @param httpSecurity TLS, rate limiter of peers, and limits
     * @param peers answers requests of peers; empty to refuse them
     * @param largeBodies admits large bodies
     * @param problems counts rejected requests
     */
    public static Server start(
            RouteHandler routes,
            BoundAddress boundAddress,
            HttpSecurity httpSecurity,
            Optional<PeerService> peers,
            BodyAdmission largeBodies,
            ProblemMeter problems) {
        HttpSecurity.Limits limits = httpSecurity.limits();
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        threads.setName("parley-http");
        Server server = new Server(threads);
        server.setErrorHandler(new JettyErrorHandler());
        // A request passes these handlers from the outermost to the innermost:
        //   GracefulHandler   counts requests, so that a stop waits for those in progress;
        //   ExchangeHandler   deadlines of body and response;
        //   PeerHandler       answers peers; all other requests go on;
        //   RouteHandler      SecurityFilter.filter, Memory.open, then the route.
        // ConnectionGuard is not in the chain: it observes the connections, and ExchangeHandler reports to it.
        ExchangeHandler exchanges =
                new ExchangeHandler(new ConnectionGuard(limits.connections(), server), problems, limits, largeBodies);
        PeerHandler peerHandler = new PeerHandler(peers, httpSecurity.rate(), problems);
        peerHandler.setHandler(routes);
        exchanges.setHandler(peerHandler);
        server.setHandler(new GracefulHandler(exchanges));
        HttpConfiguration http = new HttpConfiguration();
        // Routes match the path as sent, and decode each segment alone.
        http.setUriCompliance(UriCompliance.LEGACY);
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(limits.headerBytes());
        http.addCustomizer((request, response) -> withoutPrefix(request, httpSecurity.prefix()));
        ServerConnector connector = httpSecurity
                .tls()
                .map(tls -> secure(server, http, tls))
                .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
        connector.setIdleTimeout(IDLE_MS);
        server.addConnector(connector);
        try {
            connector.open(boundAddress.channel());
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on the bound address", e);
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP API failed to start", e);
        }
        return server;
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
