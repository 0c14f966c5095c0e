package dev.parley.tap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpCompliance.Violation;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Components;
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
import org.eclipse.jetty.util.thread.Scheduler;
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
    /** Before servers close connections without a request: one that is sent meanwhile would fail. Node waits 5 s. */
    private static final int REUSE_MS = 2_000;
    /** Time between two looks for a client that has left before the end of its answer. */
    static final int LOOK_MS = 500;
    /** Bytes of its next request that a client may send before the end of an answer. */
    private static final int EARLY_BYTES = 1 << 10;

    private final Server server;
    final ServerConnector connector;

    private HttpTap(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /** Runs the proxy until a signal stops it. */
    static void run(TapOptions options, Outbox outbox) throws UsageException, IOException, InterruptedException {
        InetSocketAddress address = address(options.required("listen"));
        URI target = options.http("to");
        CountDownLatch stop = new CountDownLatch(1);
        for (String signal : List.of("TERM", "INT", "HUP")) {
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
        // The server reads the path, and knows one method only in upper case.
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        configuration.setHttpCompliance(HttpCompliance.RFC9110.without("tap", Violation.CASE_INSENSITIVE_METHOD));
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
        server.setHandler(new Proxy(address, target, outbox, security));
        try {
            server.start();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the proxy did not start: " + Console.reason(e), e);
        }
        return new HttpTap(server, connector);
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
        private static final String LOOK = Look.class.getName();
        /** What Jetty reads for bytes of a target that are not UTF-8. */
        private static final char UNREADABLE = '\uFFFD';

        /** Names by which a client may address a loopback address, beside its own. */
        private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

        private final InetSocketAddress address;
        private final Outbox outbox;
        private final URI target;
        /** The path of the target, without a slash at its end. */
        private final String base;

        private final Security security;
        private final AtomicLong budget = new AtomicLong(COPY_BYTES);
        private final AtomicLong exchanges = new AtomicLong();

        Proxy(InetSocketAddress address, URI target, Outbox outbox, Security security) {
            super(Request::getHttpURI);
            this.address = address;
            this.target = target;
            this.base = target.getRawPath().replaceFirst("/$", "");
            this.outbox = outbox;
            this.security = security;
            setProxyToServerHost(target.getRawAuthority());
            setViaHost("parley-tap");
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
            client.setIdleTimeout(REUSE_MS);
            client.setMaxConnectionsPerDestination(MAX_CONNECTIONS);
            client.setRequestBufferSize(MAX_HEADER_BYTES);
            client.setMaxRequestHeadersSize(MAX_HEADER_BYTES);
            client.setMaxResponseHeadersSize(MAX_HEADER_BYTES);
        }

        /** With the bytes of path and query as they are: Jetty would read and write them as a URI. */
        @Override
        protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request request, HttpURI uri) {
            return new HttpRequest(getHttpClient(), new HttpConversation(), target) {
                @Override
                public String getPath() {
                    return bytes(base + uri.getPath());
                }

                @Override
                public String getQuery() {
                    return uri.getQuery() == null ? null : bytes(uri.getQuery());
                }
            }.method(request.getMethod());
        }

        private static String bytes(String text) {
            return new String(Captured.utf8(text), ISO_8859_1);
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
            String host = Request.getServerName(request).toLowerCase(Locale.ROOT);
            if (address.getAddress().isLoopbackAddress()
                    && !LOCAL.contains(host)
                    && !host.equalsIgnoreCase(address.getHostString())) {
                Response.writeError(
                        request, response, callback, HttpStatus.MISDIRECTED_REQUEST_421, "Host must be localhost");
                return true;
            }
            if (!canPass(request)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_IMPLEMENTED_501, "not supported");
                return true;
            }
            Exchange exchange = new Exchange(
                    outbox,
                    budget,
                    "http-" + Request.getRemoteAddr(request) + "-" + target.getRawAuthority(),
                    outbox.process() + "-" + exchanges.incrementAndGet(),
                    request.getMethod(),
                    request.getHttpURI(),
                    request.getHeaders(),
                    security.callers().of(request.getHeaders(), certificates(endPoint(request))));
            request.setAttribute(EXCHANGE, exchange);
            Look look = new Look(request);
            request.setAttribute(LOOK, look);
            outbox.connect();
            // Reading the body confirms Expect: 100-continue, whatever the server does.
            HttpFields headers = HttpFields.build(request.getHeaders()).remove(HttpHeader.EXPECT);
            Request unexpecting = new Request.Wrapper(request) {
                @Override
                public HttpFields getHeaders() {
                    return headers;
                }
            };
            Runnable end = () -> {
                look.end();
                exchange.close();
            };
            return super.handle(unexpecting, response, Callback.from(end, callback));
        }

        /** Whether Jetty does not change the method, the target or the encoding of the body. */
        private static boolean canPass(Request request) {
            String method = request.getMethod();
            HttpURI uri = request.getHttpURI();
            String encodings = String.join(",", request.getHeaders().getValuesList(HttpHeader.TRANSFER_ENCODING));
            return method.equals(method.toUpperCase(Locale.ROOT))
                    && uri.getPath().startsWith("/")
                    && uri.getPathQuery().indexOf(UNREADABLE) < 0
                    && (encodings.isEmpty() || encodings.equalsIgnoreCase("chunked"));
        }

        private static List<X509Certificate> certificates(EndPoint endPoint) {
            EndPoint.SslSessionData tls = endPoint.getSslSessionData();
            return tls == null || tls.peerCertificates() == null ? List.of() : List.of(tls.peerCertificates());
        }

        private static EndPoint endPoint(Request request) {
            return request.getConnectionMetaData().getConnection().getEndPoint();
        }

        private static Exchange exchange(Request request) {
            return (Exchange) request.getAttribute(EXCHANGE);
        }

        private static Look look(Request request) {
            return (Look) request.getAttribute(LOOK);
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
                        if (chunk.isLast()) {
                            look(request).start(proxied);
                        }
                    }
                    return chunk;
                }
            };
        }

        @Override
        protected void sendProxyToServerRequest(
                Request request, org.eclipse.jetty.client.Request proxied, Response response, Callback callback) {
            proxied.idleTimeout(0, TimeUnit.MILLISECONDS);
            if (proxied.getBody() == null) {
                exchange(request).requestRead();
                look(request).start(proxied);
            }
            // Either side stops in the middle of the body.
            request.addIdleTimeoutListener(timeout -> {
                proxied.abort(timeout);
                return false;
            });
            super.sendProxyToServerRequest(request, proxied, response, callback);
        }

        @Override
        protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
                Request request, org.eclipse.jetty.client.Request proxied, Response toClient, Callback callback) {
            Exchange exchange = exchange(request);
            return new ProxyResponseListener(request, proxied, toClient, callback) {
                @Override
                public void onHeaders(org.eclipse.jetty.client.Response response) {
                    if (HttpStatus.isInformational(response.getStatus())) {
                        response.abort(new IOException("unknown interim answer " + response.getStatus()));
                        return;
                    }
                    exchange.response(response.getStatus(), response.getHeaders());
                    super.onHeaders(response);
                    if (response.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
                        // Without chunks, the client could not see that an answer breaks off.
                        toClient.getHeaders().put(HttpHeader.TRANSFER_ENCODING, "chunked");
                    }
                    // Jetty removes the fields of a connection, but not those that the server names as such.
                    for (String name : response.getHeaders().getCSV(HttpHeader.CONNECTION, false)) {
                        toClient.getHeaders().remove(name);
                    }
                }

                @Override
                public void onContentSource(org.eclipse.jetty.client.Response response, Content.Source source) {
                    if (!exchange.isStream()) {
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
                public void onContent(
                        org.eclipse.jetty.client.Response response, Content.Chunk chunk, Runnable demander) {
                    exchange.content(chunk.getByteBuffer());
                    super.onContent(response, chunk, demander);
                }

                @Override
                public void onSuccess(org.eclipse.jetty.client.Response response) {
                    exchange.responseRead();
                    super.onSuccess(response);
                }
            };
        }
    }

    /**
     * Looks whether a client has left, from the end of its request to the end of its answer: nothing else reads its
     * connection meanwhile. Idle timeouts of Jetty would also end answers that a client reads slowly. Thread-safe.
     */
    private static final class Look {
        private final EndPoint client;
        private final Components components;
        private final ByteBuffer early = BufferUtil.allocate(EARLY_BYTES);
        private Scheduler.Task next = () -> false;
        private boolean isEnded;

        Look(Request request) {
            this.client = Proxy.endPoint(request);
            this.components = request.getComponents();
        }

        synchronized void start(org.eclipse.jetty.client.Request proxied) {
            if (!isEnded) {
                client.setIdleTimeout(0);
                next = components.getScheduler().schedule(() -> look(proxied), LOOK_MS, TimeUnit.MILLISECONDS);
            }
        }

        private synchronized void look(org.eclipse.jetty.client.Request proxied) {
            if (isEnded) {
                return;
            }
            if (isLeft()) {
                components.getExecutor().execute(() -> proxied.abort(new EofException("the client has left")));
            } else {
                start(proxied);
            }
        }

        private boolean isLeft() {
            try {
                return client.fill(early) < 0 || BufferUtil.space(early) == 0;
            } catch (IOException e) {
                return true;
            }
        }

        /** Gives the connection back to Jetty, with the bytes that came early. */
        synchronized void end() {
            isEnded = true;
            next.cancel();
            client.setIdleTimeout(IDLE_MS);
            if (early.hasRemaining()) {
                ((Connection.UpgradeTo) client.getConnection()).onUpgradeTo(early);
            }
            if (early.hasRemaining()) {
                client.close();
            }
        }
    }
}
