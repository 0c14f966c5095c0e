package dev.parley.server.http;

import dev.parley.server.access.Caller;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.http.ProblemException.Code;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
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
    private final Optional<IngestAdmission> ingest;

    /** @param ingest admits bodies of HTTP ingest; empty if there is none */
    ExchangeHandler(
            ConnectionGuard connections,
            Metrics metrics,
            HttpSecurity.Limits limits,
            Optional<IngestAdmission> ingest) {
        this.ingest = ingest;
        this.connections = connections;
        this.metrics = metrics;
        this.bodyBytes = limits.bodyBytes();
    }

    static boolean hasBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Exchange exchange = Exchange.start(request, connections);
        BufferedResponse buffered = new BufferedResponse(request, response, callback, exchange);
        if (!hasBody(request)) {
            exchange.body(new byte[0]);
            return super.handle(request, buffered, buffered);
        }
        if (request.getHeaders().contains(PeerHeaders.ASSERTION)) {
            return super.handle(request, buffered, buffered);
        }
        if (!HttpMethod.POST.is(request.getMethod())) {
            return refuse(
                    request,
                    buffered,
                    ProblemException.of(
                            Code.INVALID_REQUEST,
                            "A request with the method " + request.getMethod() + " must have no body."));
        }
        Optional<Caller> producer = ingest.flatMap(admission -> admission.producer(request));
        int maxBytes = producer.isPresent() ? ingest.orElseThrow().bodyBytes() : bodyBytes;
        if (request.getLength() > maxBytes) {
            // SecurityFilter refuses a request whose body was not read.
            return super.handle(request, buffered, buffered);
        }
        if (producer.isPresent() && !reserve(producer.get(), request, maxBytes, exchange)) {
            return refuse(
                    request,
                    buffered,
                    ProblemException.ingestLimited("Messages of this caller, or of all, are in progress up to the limit"
                            + " (http.ingest.in-flight.bytes). Nothing was sent."));
        }
        BodyReader.read(request, buffered, maxBytes, body -> {
            body.ifPresent(exchange::body);
            if (!super.handle(request, buffered, buffered)) {
                Response.writeError(request, buffered, buffered, HttpStatus.NOT_FOUND_404);
            }
        });
        return true;
    }

    private boolean refuse(Request request, BufferedResponse response, ProblemException problem) {
        metrics.count(problem.code());
        ProblemHandler.write(request, response, response, problem.with(Map.of("Connection", "close")));
        return true;
    }

    /** Reserves memory until the response has been sent. A body without a length may take the maximum. */
    private boolean reserve(Caller producer, Request request, int maxBytes, Exchange exchange) {
        long bytes = request.getLength() < 0 ? maxBytes : request.getLength();
        if (!ingest.orElseThrow().reserve(producer, bytes)) {
            return false;
        }
        exchange.atEnd(() -> ingest.orElseThrow().release(producer, bytes));
        return true;
    }
}
