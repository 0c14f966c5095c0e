package dev.parley.server.http;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Header;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpFields;
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

/** Configures Jetty: address, TLS, and the handlers and limits that precede all routes. */
public final class Listener {

    /** Not shorter: a waiting request transfers nothing, and {@link ConnectionGuard} has deadlines for clients. */
    private static final long IDLE_MS = Duration.ofMinutes(10).toMillis();

    private Listener() {}

    /**
     * Configures the server that Javalin creates.
     *
     * @param boundAddress open socket, on which the connector listens
     * @param httpSecurity TLS, rate limiter of peers, and limits
     * @param peers answers requests of peers; empty to refuse them
     * @param largeBodies admits large bodies of a path; empty if there are none
     * @param metrics counts rejected requests
     */
    public static void configure(
            JavalinConfig config,
            BoundAddress boundAddress,
            HttpSecurity httpSecurity,
            Optional<PeerService> peers,
            Optional<BodyAdmission> largeBodies,
            Metrics metrics) {
        HttpSecurity.Limits limits = httpSecurity.limits();
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(limits.headerBytes());
            http.setSendServerVersion(false);
            http.addCustomizer((request, response) -> withoutPrefix(withoutOverride(request), httpSecurity.prefix()));
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JettyErrorHandler());
            // A request passes these handlers from the outermost to the innermost:
            //   GracefulHandler   counts requests, so that a stop waits for those in progress;
            //   ExchangeHandler   deadlines of body and response, buffered response;
            //   PeerHandler       answers peers; all other requests go on;
            //   Javalin           SecurityFilter.filter, Memory.open, then the route (QueryServer.start).
            // ConnectionGuard is not in the chain: it observes the connections, and ExchangeHandler reports to it.
            ExchangeHandler exchanges = new ExchangeHandler(
                    new ConnectionGuard(limits.connections(), server), metrics, limits, largeBodies);
            exchanges.setHandler(new PeerHandler(peers, httpSecurity.rate(), metrics));
            server.setHandler(new GracefulHandler(exchanges));
        });
        config.jetty.addConnector((server, http) -> {
            ServerConnector connector = httpSecurity
                    .tls()
                    .map(context -> secure(server, http, context))
                    .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
            connector.setIdleTimeout(IDLE_MS);
            try {
                connector.open(boundAddress.channel());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot listen on the bound address", e);
            }
            return connector;
        });
    }

    /**
     * Removes the header by which Javalin replaces the method of a request: a proxy that allows only reads would pass a
     * GET that becomes a POST.
     */
    private static Request withoutOverride(Request request) {
        if (!request.getHeaders().contains(Header.X_HTTP_METHOD_OVERRIDE)) {
            return request;
        }
        HttpFields headers = HttpFields.build(request.getHeaders())
                .remove(Header.X_HTTP_METHOD_OVERRIDE)
                .asImmutable();
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return headers;
            }
        };
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
