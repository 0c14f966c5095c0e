package dev.parley.server.http;

import io.javalin.http.Header;
import io.javalin.jetty.JettyServer;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Starts Jetty: address, TLS, and the handlers and limits that precede all routes. */
public final class Listener {

    /** Not shorter: a waiting request transfers nothing, and {@link ConnectionGuard} has deadlines for clients. */
    private static final long IDLE_MS = Duration.ofMinutes(10).toMillis();

    private Listener() {}

    /**
     * Starts a server.
     *
     * @param routes Javalin's servlet
     * @param boundAddress open socket, which the server closes when it stops
     * @param httpSecurity TLS, rate limiter of peers, and limits
     * @param peers answers requests of peers; empty to refuse them
     * @param largeBodies admits large bodies
     * @param problems counts rejected requests
     */
    public static Server start(
            Servlet routes,
            BoundAddress boundAddress,
            HttpSecurity httpSecurity,
            Optional<PeerService> peers,
            BodyAdmission largeBodies,
            ProblemMeter problems) {
        HttpSecurity.Limits limits = httpSecurity.limits();
        Server server = JettyServer.Companion.defaultServer(JettyServer.Companion.defaultThreadPool(false));
        server.setErrorHandler(new JettyErrorHandler());
        // A request passes these handlers from the outermost to the innermost:
        //   GracefulHandler   counts requests, so that a stop waits for those in progress;
        //   ExchangeHandler   deadlines of body and response, buffered response;
        //   PeerHandler       answers peers; all other requests go on;
        //   Javalin           SecurityFilter.filter, Memory.open, then the route (QueryServer.start).
        // ConnectionGuard is not in the chain: it observes the connections, and ExchangeHandler reports to it.
        ExchangeHandler exchanges =
                new ExchangeHandler(new ConnectionGuard(limits.connections(), server), problems, limits, largeBodies);
        PeerHandler peerHandler = new PeerHandler(peers, httpSecurity.rate(), problems);
        peerHandler.setHandler(context(routes));
        exchanges.setHandler(peerHandler);
        server.setHandler(new GracefulHandler(exchanges));
        HttpConfiguration http = JettyServer.Companion.defaultHttpConfiguration();
        http.setRequestHeaderSize(limits.headerBytes());
        http.addCustomizer((request, response) -> withoutPrefix(plain(request), httpSecurity.prefix()));
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

    /** A context without sessions, which clients could create without authentication. Javalin's own server has them. */
    private static ServletContextHandler context(Servlet routes) {
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
        context.setContextPath("/");
        context.addServlet(new ServletHolder(routes), "/*");
        return context;
    }

    /**
     * Removes what changes the meaning of a request in Javalin: the header that replaces its method, because a proxy
     * that allows only reads would pass a GET that becomes a POST; and the charset of a Content-Type, by which Javalin
     * decodes the query.
     */
    private static Request plain(Request request) {
        HttpFields sent = request.getHeaders();
        if (!sent.contains(Header.X_HTTP_METHOD_OVERRIDE) && !sent.contains(HttpHeader.CONTENT_TYPE)) {
            return request;
        }
        HttpFields.Mutable kept = HttpFields.build();
        for (HttpField field : sent) {
            if (!field.is(Header.X_HTTP_METHOD_OVERRIDE)) {
                kept.add(field.getHeader() == HttpHeader.CONTENT_TYPE ? withoutParameters(field) : field);
            }
        }
        HttpFields headers = kept.asImmutable();
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return headers;
            }
        };
    }

    private static HttpField withoutParameters(HttpField field) {
        int end = field.getValue() == null ? -1 : field.getValue().indexOf(';');
        return end < 0
                ? field
                : new HttpField(field.getHeader(), field.getValue().substring(0, end));
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
        return new Request.Wrapper(request) {
            @Override
            public HttpURI getHttpURI() {
                return inner;
            }
        };
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
