package dev.parley.server.http;

import dev.parley.server.access.Caller;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.http.ProblemException.Code;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The first handler of a request, see {@link Listener#configure}: applies deadlines to bodies and responses. It reads a
 * body before the request is handled and sends the response afterwards, so that slow clients hold no threads.
 */
final class ExchangeHandler extends Handler.Wrapper {

    private final ConnectionGuard connections;
    private final Metrics metrics;
    private final int bodyBytes;
    private final Optional<BodyAdmission> largeBodies;

    /** @param largeBodies admits large bodies of a path; empty if there are none */
    ExchangeHandler(
            ConnectionGuard connections,
            Metrics metrics,
            HttpSecurity.Limits limits,
            Optional<BodyAdmission> largeBodies) {
        this.largeBodies = largeBodies;
        this.connections = connections;
        this.metrics = metrics;
        this.bodyBytes = limits.bodyBytes();
    }

    static boolean hasBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Exchange exchange =
                new Exchange(connections.of(request.getConnectionMetaData().getRemoteSocketAddress()));
        request.setAttribute(Exchange.ATTRIBUTE, exchange);
        Request.addCompletionListener(request, failure -> exchange.end());
        BufferedResponse buffered = new BufferedResponse(request, response, callback, exchange);
        if (!hasBody(request) || request.getHeaders().contains(PeerHeaders.ASSERTION)) {
            return super.handle(request, buffered, buffered);
        }
        if (!HttpMethod.POST.is(request.getMethod())) {
            metrics.count(Code.INVALID_REQUEST);
            ProblemHandler.write(
                    request,
                    buffered,
                    buffered,
                    ProblemException.of(
                            Code.INVALID_REQUEST,
                            "A request with the method " + request.getMethod() + " must have no body.",
                            Map.of("Connection", "close")));
            return true;
        }
        Optional<Caller> sender = largeBodies.flatMap(admission -> admission.caller(request));
        int maxBytes = sender.isPresent() ? largeBodies.orElseThrow().limits().bodyBytes() : bodyBytes;
        if (request.getLength() > maxBytes) {
            // SecurityFilter refuses it by its length.
            return super.handle(request, buffered, buffered);
        }
        if (sender.isPresent() && !reserve(sender.get(), request, maxBytes, exchange)) {
            ProblemException problem =
                    largeBodies.orElseThrow().limits().exceeded().get();
            metrics.count(problem.code());
            ProblemHandler.write(request, buffered, buffered, problem.with(Map.of("Connection", "close")));
            return true;
        }
        new BodyReader(request, buffered, exchange, maxBytes, body -> handleRead(request, body, buffered)).start();
        return true;
    }

    /** Reserves memory until the response has been sent. A body without a length may take the maximum. */
    private boolean reserve(Caller sender, Request request, int maxBytes, Exchange exchange) {
        long bytes = request.getLength() < 0 ? maxBytes : request.getLength();
        if (!largeBodies.orElseThrow().reserve(sender, bytes)) {
            return false;
        }
        exchange.atEnd(() -> largeBodies.orElseThrow().release(sender, bytes));
        return true;
    }

    private void handleRead(Request request, byte[] body, BufferedResponse response) {
        Request read = new ReadRequest(request, body);
        try {
            if (!super.handle(read, response, response)) {
                Response.writeError(read, response, response, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable failure) {
            Response.writeError(read, response, response, failure);
        }
    }

    /** A request whose body has been read. */
    private static final class ReadRequest extends Request.Wrapper {
        private final int length;
        private Content.Chunk next;

        ReadRequest(Request request, byte[] body) {
            super(request);
            this.length = body.length;
            this.next = Content.Chunk.from(ByteBuffer.wrap(body), true);
        }

        @Override
        public long getLength() {
            return length;
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = next;
            next = Content.Chunk.EOF;
            return chunk;
        }

        @Override
        public void demand(Runnable demandCallback) {
            demandCallback.run();
        }
    }
}
