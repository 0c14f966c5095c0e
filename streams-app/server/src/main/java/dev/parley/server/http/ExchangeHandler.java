package dev.parley.server.http;

import dev.parley.codec.Excerpt;
import dev.parley.server.cluster.PeerHeaders;
import dev.parley.server.http.ProblemException.Code;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The first handler of a request, see {@link HttpListener#start}: checks the host name if requests
 * need no token, and applies deadlines to bodies and responses. It reads a
 * body before the request is handled and sends the response afterwards, so that slow clients hold no threads.
 */
final class ExchangeHandler extends Handler.Wrapper {

    private static final String IDENTITY = "identity";

    private final ConnectionGuard connections;
    private final HostNames hosts;
    private final ProblemHandler problems;
    private final int bodyBytes;
    private final BodyAdmission largeBodies;

    ExchangeHandler(
            ConnectionGuard connections,
            HostNames hosts,
            ProblemHandler problems,
            HttpSecurity.Limits limits,
            BodyAdmission largeBodies) {
        this.largeBodies = largeBodies;
        this.connections = connections;
        this.hosts = hosts;
        this.problems = problems;
        this.bodyBytes = limits.bodyBytes();
    }

    static boolean hasBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    /** Whether a body is compressed: no route decodes it, so its bytes would pass for the message. */
    private static boolean isEncoded(HttpFields headers) {
        return headers.getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
                        .anyMatch(coding -> !coding.equalsIgnoreCase(IDENTITY))
                || headers.getCSV(HttpHeader.TRANSFER_ENCODING, false).stream()
                        .anyMatch(coding -> !coding.equalsIgnoreCase("chunked"));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Exchange exchange = Exchange.start(request, connections);
        ExchangeResponse guarded = new ExchangeResponse(request, response, callback, exchange);
        // The end of the connection, such as at a shutdown, ends the request. A wait without transfer does not.
        request.addFailureListener(callback::failed);
        request.addIdleTimeoutListener(timeout -> false);
        if (!hosts.allow(request)) {
            return refuse(
                    guarded,
                    Code.HOST_NOT_ALLOWED.problem("Without tokens, the API is not served at "
                            + Excerpt.of(request.getHeaders().get(HttpHeader.HOST))
                            + ". Use an IP address or localhost, or add the name to " + HttpKeys.HOST_NAMES + "."));
        }
        if (!hasBody(request)) {
            exchange.body(new byte[0]);
            return super.handle(request, guarded, callback);
        }
        if (request.getHeaders().contains(PeerHeaders.ASSERTION)) {
            return super.handle(request, guarded, callback);
        }
        if (!HttpMethod.POST.is(request.getMethod())) {
            return refuse(
                    guarded,
                    Code.INVALID_REQUEST.problem(
                            "A request with the method " + Excerpt.of(request.getMethod()) + " must have no body."));
        }
        if (isEncoded(request.getHeaders())) {
            return refuse(
                    guarded,
                    Code.UNSUPPORTED_CONTENT_TYPE
                            .problem("Send the body as it is, without a Content-Encoding such as gzip.")
                            .with(Map.of("Accept-Encoding", IDENTITY)));
        }
        Optional<BodyAdmission.Sender> sender = largeBodies.sender(request);
        int maxBytes = sender.map(caller -> caller.limits().bodyBytes()).orElse(bodyBytes);
        exchange.limitBody(
                maxBytes, sender.map(caller -> caller.limits().bodyKey()).orElse(HttpKeys.BODY_BYTES));
        if (request.getLength() > maxBytes) {
            // SecurityFilter refuses a request whose body was not read.
            return super.handle(request, guarded, callback);
        }
        if (sender.isPresent()) {
            // A body without a length may take the maximum.
            long bytes = request.getLength() < 0 ? maxBytes : request.getLength();
            if (!sender.get().reserve(bytes)) {
                return refuse(guarded, sender.get().limits().exceeded().get());
            }
            exchange.atEnd(() -> sender.get().release(bytes));
        }
        BodyReader.read(request, guarded, maxBytes, body -> {
            body.ifPresent(exchange::body);
            if (!super.handle(request, guarded, callback)) {
                Response.writeError(request, guarded, callback, HttpStatus.NOT_FOUND_404);
            }
        });
        return true;
    }

    private boolean refuse(ExchangeResponse response, ProblemException problem) {
        return problems.refuse(response, response.completion(), problem.with(Map.of("Connection", "close")));
    }
}
