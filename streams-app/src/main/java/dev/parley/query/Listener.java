package dev.parley.query;

import io.javalin.config.JavalinConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** How Jetty listens: address, TLS, and the limits that hold before any route is looked for. */
final class Listener {

    /** {@link ConnectionGuard} has shorter deadlines for what a client does; a request that waits transfers nothing. */
    private static final long IDLE_MS = Duration.ofMinutes(10).toMillis();

    private Listener() {}

    static void configure(
            JavalinConfig config, Address address, Doors doors, Optional<PeerService> peers, Metrics metrics) {
        Doors.Limits limits = doors.limits();
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(limits.headerBytes());
            http.setSendServerVersion(false);
        });
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new UnreadableRequests());
            ExchangeHandler exchanges = new ExchangeHandler(guard(server, limits), metrics, limits);
            exchanges.setHandler(new PeerHandler(peers, doors.rate(), metrics));
            // Outermost: it knows when all requests have ended.
            server.setHandler(new GracefulHandler(exchanges));
        });
        config.jetty.addConnector((server, http) -> {
            ServerConnector connector = doors.tls()
                    .map(context -> secure(server, http, context))
                    .orElseGet(() -> new ServerConnector(server, new HttpConnectionFactory(http)));
            connector.setIdleTimeout(IDLE_MS);
            connector.addBean(server.getBean(ConnectionGuard.class));
            try {
                connector.open(address.channel());
            } catch (IOException e) {
                throw new UncheckedIOException("the address that was taken cannot be used", e);
            }
            return connector;
        });
    }

    private static ConnectionGuard guard(Server server, Doors.Limits limits) {
        ConnectionGuard guard = new ConnectionGuard(limits, server.getScheduler(), System::nanoTime);
        server.addBean(guard);
        return guard;
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
}
