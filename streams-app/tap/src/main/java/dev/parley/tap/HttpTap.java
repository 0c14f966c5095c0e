package dev.parley.tap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import sun.misc.Signal;

/** A reverse proxy of one server, which copies what passes. Bodies and streams pass unchanged, and are not buffered. */
final class HttpTap implements AutoCloseable {
    /** Bytes of the headers of a request or response. */
    private static final int MAX_HEADER_BYTES = 128 << 10;

    private static final int MAX_CONNECTIONS = 1_024;
    private static final int THREADS = 64;
    private static final long COPY_BYTES = 32 << 20;
    private static final int CONNECT_MS = 5_000;
    /** For requests that are not complete, and connections without one. Streams have none. */
    private static final int IDLE_MS = 60_000;

    private final Server server;
    private final ServerConnector connector;

    private HttpTap(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /** Runs the proxy until a signal stops it. */
    static void run(TapOptions options, Outbox outbox) throws UsageException, IOException, InterruptedException {
        InetSocketAddress address = address(options.required("listen", "HOST:PORT"));
        URI target = TapOptions.http("to", options.required("to", "URL"));
        CountDownLatch stop = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT")) {
            Signal.handle(new Signal(signal), raised -> stop.countDown());
        }
        Security security = new Security(Tls.server(options), Tls.client(options), options.callers());
        try (HttpTap tap = start(address, target, outbox, security)) {
            Console.say("listening on http" + (security.tls() == null ? "" : "s") + "://" + address.getHostString()
                    + ":" + tap.port() + " for " + target);
            stop.await();
        }
        outbox.close(options.flush());
    }

    private static InetSocketAddress address(String text) throws UsageException {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port < 1 << 16) {
                return new InetSocketAddress(InetAddress.getByName(text.substring(0, colon)), port);
            }
        } catch (NumberFormatException | UnknownHostException e) {
            // The error below says what is allowed.
        }
        throw new UsageException("--listen must be HOST:PORT, such as 127.0.0.1:8080, but was " + text);
    }

    /**
     * Who may be trusted.
     *
     * @param tls TLS towards clients; null for plain HTTP
     * @param toServer TLS towards a server whose address is https
     */
    record Security(SslContextFactory.Server tls, SslContextFactory.Client toServer, Callers callers) {}

    /** Starts the proxy. */
    static HttpTap start(InetSocketAddress address, URI target, Outbox outbox, Security security) throws IOException {
        Server server = new Server(pool("parley-tap-http"));
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        configuration.setRequestHeaderSize(MAX_HEADER_BYTES);
        configuration.setResponseHeaderSize(MAX_HEADER_BYTES);
        HttpConnectionFactory http = new HttpConnectionFactory(configuration);
        ServerConnector connector = security.tls() == null
                ? new ServerConnector(server, 1, 1, http)
                : new ServerConnector(server, 1, 1, new SslConnectionFactory(security.tls(), http.getProtocol()), http);
        connector.setHost(address.getAddress().getHostAddress());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(IDLE_MS);
        connector.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, connector));
        server.addConnector(connector);
        server.setHandler(new Proxy(target, outbox, hosts(address), security));
        try {
            server.start();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the proxy did not start: " + Console.reason(e), e);
        }
        return new HttpTap(server, connector);
    }

    /** Names by which a client may address a loopback address; none for another one, which others reach anyway. */
    private static Set<String> hosts(InetSocketAddress address) {
        return address.getAddress().isLoopbackAddress()
                ? new HashSet<>(List.of(
                        "localhost",
                        "127.0.0.1",
                        "[::1]",
                        address.getHostString().toLowerCase(Locale.ROOT)))
                : Set.of();
    }

    private static QueuedThreadPool pool(String name) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 2);
        threads.setName(name);
        threads.setDaemon(true);
        return threads;
    }

    int port() {
        return connector.getLocalPort();
    }

    /** Aborts all exchanges. */
    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IOException("the proxy did not stop: " + Console.reason(e), e);
        }
    }

    /** Jetty's proxy, with copies. */
    private static final class Proxy extends ProxyHandler.Reverse {
        private static final String EXCHANGE = Exchange.class.getName();

        private final Outbox outbox;
        private final URI target;
        private final Set<String> hosts;
        private final Security security;
        private final AtomicLong budget = new AtomicLong(COPY_BYTES);
        private final AtomicLong exchanges = new AtomicLong();

        Proxy(URI target, Outbox outbox, Set<String> hosts, Security security) {
            super(request -> rewritten(target, request.getHttpURI()));
            this.target = target;
            this.outbox = outbox;
            this.hosts = hosts;
            this.security = security;
            setProxyToServerHost(target.getRawAuthority());
            setViaHost("parley-tap");
        }

        /** Path and query of the request, at the address of the server whatever the request names. */
        private static HttpURI rewritten(URI target, HttpURI uri) {
            String base = target.getRawPath();
            String prefix = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
            return HttpURI.from(target.getScheme() + "://" + target.getRawAuthority() + prefix + uri.getPathQuery());
        }

        @Override
        protected HttpClient newHttpClient() {
            HttpClient client = super.newHttpClient();
            client.setExecutor(pool("parley-tap-client"));
            client.setSslContextFactory(security.toServer());
            return client;
        }

        @Override
        protected void configureHttpClient(HttpClient client) {
            super.configureHttpClient(client);
            client.setUserAgentField(null);
            client.setDefaultRequestContentType(null);
            client.setConnectTimeout(CONNECT_MS);
            client.setIdleTimeout(0);
            client.setMaxConnectionsPerDestination(MAX_CONNECTIONS);
            client.setRequestBufferSize(MAX_HEADER_BYTES);
            client.setMaxRequestHeadersSize(MAX_HEADER_BYTES);
            client.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (HttpMethod.CONNECT.is(request.getMethod())) {
                // Nothing else uses the connection.
                response.getHeaders().put(HttpHeader.CONNECTION, "close");
                Response.writeError(request, response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "no tunnels");
                return true;
            }
            // The server sees its own name, so it cannot protect itself from a page that calls itself by another one.
            if (!hosts.isEmpty()
                    && !hosts.contains(Request.getServerName(request).toLowerCase(Locale.ROOT))) {
                Response.writeError(
                        request, response, callback, HttpStatus.MISDIRECTED_REQUEST_421, "Host must be localhost");
                return true;
            }
            EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
            Exchange exchange = new Exchange(
                    outbox,
                    budget,
                    "http-" + Request.getRemoteAddr(request) + "-" + target.getRawAuthority(),
                    outbox.process() + "-" + exchanges.incrementAndGet(),
                    request.getMethod(),
                    request.getHttpURI(),
                    request.getHeaders(),
                    security.callers().of(request.getHeaders(), certificates(endPoint)));
            request.setAttribute(EXCHANGE, exchange);
            endPoint.setIdleTimeout(0);
            outbox.connect();
            return super.handle(request, response, Callback.from(callback, () -> {
                endPoint.setIdleTimeout(IDLE_MS);
                exchange.close();
            }));
        }

        private static List<X509Certificate> certificates(EndPoint endPoint) {
            EndPoint.SslSessionData tls = endPoint.getSslSessionData();
            return tls == null || tls.peerCertificates() == null ? List.of() : List.of(tls.peerCertificates());
        }

        private static Exchange exchange(Request request) {
            return (Exchange) request.getAttribute(EXCHANGE);
        }

        /** Via only: the server gets no address that it would not get without the tap. */
        @Override
        protected void addProxyHeaders(Request request, org.eclipse.jetty.client.Request proxied) {
            addViaHeader(request, proxied);
        }

        @Override
        protected org.eclipse.jetty.client.Request.Content newProxyToServerRequestContent(
                Request request, Response response, org.eclipse.jetty.client.Request proxied) {
            Exchange exchange = exchange(request);
            return new ProxyRequestContent(request) {
                @Override
                public Content.Chunk read() {
                    Content.Chunk chunk = super.read();
                    if (chunk != null && !Content.Chunk.isFailure(chunk)) {
                        exchange.request(chunk.getByteBuffer(), chunk.isLast());
                    }
                    return chunk;
                }
            };
        }

        @Override
        protected void sendProxyToServerRequest(
                Request request, org.eclipse.jetty.client.Request proxied, Response response, Callback callback) {
            if (proxied.getBody() == null) {
                exchange(request).requestRead();
            }
            super.sendProxyToServerRequest(request, proxied, response, callback);
        }

        @Override
        protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
                Request request, org.eclipse.jetty.client.Request proxied, Response response, Callback callback) {
            return new CopyListener(request, proxied, response, callback);
        }

        private final class CopyListener extends ProxyResponseListener {
            private final Exchange exchange;
            private final Response toClient;

            CopyListener(
                    Request request, org.eclipse.jetty.client.Request proxied, Response response, Callback callback) {
                super(request, proxied, response, callback);
                this.exchange = exchange(request);
                this.toClient = response;
            }

            @Override
            public void onHeaders(org.eclipse.jetty.client.Response response) {
                exchange.response(response.getStatus(), response.getHeaders());
                super.onHeaders(response);
                // Jetty removes the fields of a connection, but not those that the server names as such.
                for (String name : response.getHeaders().getCSV(HttpHeader.CONNECTION, false)) {
                    toClient.getHeaders().remove(name);
                }
            }

            @Override
            public void onContentSource(org.eclipse.jetty.client.Response response, Content.Source source) {
                HttpField type = response.getHeaders().getField(HttpHeader.CONTENT_TYPE);
                if (type == null || !Exchange.isEventStream(type.getValue())) {
                    super.onContentSource(response, source);
                    return;
                }
                // The headers of a stream pass before its first event.
                toClient.write(
                        false,
                        BufferUtil.EMPTY_BUFFER,
                        Callback.from(() -> super.onContentSource(response, source), response::abort));
            }

            @Override
            public void onContent(org.eclipse.jetty.client.Response response, Content.Chunk chunk, Runnable demander) {
                exchange.content(chunk.getByteBuffer());
                super.onContent(response, chunk, demander);
            }

            @Override
            public void onSuccess(org.eclipse.jetty.client.Response response) {
                exchange.responseRead();
                super.onSuccess(response);
            }
        }
    }
}
