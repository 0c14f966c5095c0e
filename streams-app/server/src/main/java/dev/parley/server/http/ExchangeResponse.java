package dev.parley.server.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/** A response whose parts are written within the deadlines of its exchange. No thread waits for the client. */
final class ExchangeResponse extends Response.Wrapper {

    private final Callback completion;
    private final Exchange exchange;

    ExchangeResponse(Request request, Response response, Callback completion, Exchange exchange) {
        super(request, response);
        this.completion = completion;
        this.exchange = exchange;
    }

    /** Completes the request. */
    Callback completion() {
        return completion;
    }

    @Override
    public void write(boolean last, ByteBuffer part, Callback callback) {
        // 0 stands for the default.
        exchange.answered(getStatus() == 0 ? HttpStatus.OK_200 : getStatus());
        exchange.write(getWrapped(), last, part == null ? BufferUtil.EMPTY_BUFFER : part, callback);
    }
}
