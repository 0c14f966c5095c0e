package dev.parley.query;

import io.javalin.config.JavalinConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** How Jetty listens: address, TLS, and the limits that hold before any route is looked for. */
final class Listener {

    private static final int WAITING_FOR_EACH = 4;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    /** Connections that do nothing do not keep others out. */
    private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(1);

    private Listener() {}

    static void configure(JavalinConfig config, Address address, Doors doors) {
        Doors.Limits limits = doors.limits();
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(limits.headerBytes());
            http.setSendServerVersion(false);
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new UnreadableRequests());
            // Outermost: it knows when all requests have ended.
            // Peers have turns of their own: whoever waits for a peer does not keep that one's answers from others.
            QoSHandler callers = turns(limits.requests());
            callers.exclude(Listener::isPeer);
            QoSHandler peers = turns(limits.requests());
            peers.include(Listener::isPeer);
            callers.setHandler(peers);
            server.setHandler(new GracefulHandler(callers));
            NetworkConnectionLimit connections = new NetworkConnectionLimit(limits.connections(), server);
            connections.setEndPointIdleTimeout(IDLE_WHEN_FULL.toMillis());
            server.addBean(connections);
        });
        config.jetty.addConnector((server, http) -> {
            ServerConnector connector = doors.tls()
                    .map(context -> secure(server, http, context))
                    .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
            try {
                connector.open(address.channel());
            } catch (IOException e) {
                throw new UncheckedIOException("the address that was taken cannot be used", e);
            }
            return connector;
        });
    }

    private static boolean isPeer(Request request) {
        return request.getHeaders().contains(Hop.PEER);
    }

    private static ServerConnector secure(Server server, HttpConfiguration http, SSLContext context) {
        SslContextFactory.Server ssl = new SslContextFactory.Server();
        ssl.setSslContext(context);
        HttpConfiguration secured = new HttpConfiguration(http);
        // One certificate for all names: clients check it, and may come by a name that it does not have.
        secured.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory plain = new HttpConnectionFactory(secured);
        return new ServerConnector(server, new SslConnectionFactory(ssl, HttpVersion.HTTP_1_1.asString()), plain);
    }

    /** So many requests at a time; some wait, the others are refused. Liveness goes first. */
    private static QoSHandler turns(int requests) {
        QoSHandler turns = new QoSHandler() {
            @Override
            protected int getPriority(Request request) {
                return Request.getPathInContext(request).equals(Routes.LIVE) ? 1 : 0;
            }
        };
        turns.setMaxRequestCount(requests);
        turns.setMaxSuspendedRequestCount(WAITING_FOR_EACH * requests);
        turns.setMaxSuspend(LONGEST_WAIT);
        return turns;
    }
}
