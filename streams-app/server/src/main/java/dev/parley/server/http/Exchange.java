package dev.parley.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its response, from complete headers until the response has been sent. Thread-safe. */
public final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final String ATTRIBUTE = Exchange.class.getName();

    private final ConnectionGuard.Tracked connection;
    private final CompletableFuture<Integer> answer = new CompletableFuture<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile byte[] body;
    private volatile String bodyLimit = "0 bytes";
    private volatile String conversation;
    private volatile ResponseStream stream;

    private Exchange(ConnectionGuard.Tracked connection) {
        this.connection = connection;
    }

    /** Starts the exchange of a request with complete headers. */
    static Exchange start(Request request, ConnectionGuard connections) {
        Exchange exchange = new Exchange(connections.of(request));
        exchange.connection.begin(exchange);
        request.setAttribute(ATTRIBUTE, exchange);
        Request.addCompletionListener(request, failure -> exchange.end());
        return exchange;
    }

    public static Exchange of(ApiRequest request) {
        return of(request.jetty());
    }

    static Exchange of(Request request) {
        return (Exchange) request.getAttribute(ATTRIBUTE);
    }

    /** The connection of the request, whose deadlines depend on the phase of the exchange. */
    ConnectionGuard.Tracked connection() {
        return connection;
    }

    /**
     * The body of the request.
     *
     * @throws ProblemException if it is too large
     */
    byte[] body() {
        if (body == null) {
            throw ProblemException.Code.BODY_TOO_LARGE.problem("The request body must have at most " + bodyLimit + ".");
        }
        return body;
    }

    void body(byte[] read) {
        body = read;
    }

    /** @param key configuration key of the limit */
    void limitBody(int bytes, String key) {
        bodyLimit = bytes + " bytes (" + key + ")";
    }

    /** Runs an action when the exchange ends; immediately if it has ended. */
    void atEnd(Runnable action) {
        logFailure(end.thenRun(action));
    }

    /** Runs an action with the status of the response before it is sent, or with 0 when the exchange ends without. */
    void atAnswer(IntConsumer action) {
        logFailure(answer.thenAccept(action::accept));
    }

    private static void logFailure(CompletableFuture<Void> action) {
        action.whenComplete((none, failure) -> {
            if (failure != null) {
                LOG.error("An action at the end of a request failed", failure);
            }
        });
    }

    /** Makes the response a stream. */
    void stream(ResponseStream streamed) {
        stream = streamed;
    }

    /** The stream that the response is; null for any other response. */
    ResponseStream stream() {
        return stream;
    }

    /** Whether the client can still receive the response. */
    public boolean isOpen() {
        return !hasEnded() && connection.isOpen();
    }

    /** Notes the status of the response before it is sent. */
    void answered(int status) {
        answer.complete(status);
    }

    /** Notes the conversation that the request reads, for the access log. */
    public void reads(String chain) {
        conversation = chain;
    }

    /** Name of the audit chain that the request reads; null if it is not about one. */
    String conversation() {
        return conversation;
    }

    /** Whether the response has been sent or has failed. */
    boolean hasEnded() {
        return end.isDone();
    }

    /** Writes a part of the response within its deadline; fails if there are too many unsent bytes. */
    void write(Response response, boolean last, ByteBuffer part, Callback callback) {
        if (connection.writing(part.remaining())) {
            response.write(last, part, last ? callback : Callback.from(connection::wrote, callback));
        } else {
            callback.failed(new IOException("too many unsent bytes of responses"));
        }
    }

    private void end() {
        connection.end(this);
        answer.complete(0);
        end.complete(null);
    }
}
