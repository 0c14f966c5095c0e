package dev.parley.server.http;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;

/** Reads the body of a request asynchronously, up to one byte more than its maximum. */
final class BodyReader implements Runnable {

    private final Request request;
    private final BufferedResponse response;
    private final Exchange exchange;
    private final int maxBytes;
    private final Consumer<byte[]> handler;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    /**
     * @param handler receives the body, which is too large if it is longer than the maximum
     */
    BodyReader(Request request, BufferedResponse response, Exchange exchange, int maxBytes, Consumer<byte[]> handler) {
        this.request = request;
        this.response = response;
        this.exchange = exchange;
        this.maxBytes = maxBytes;
        this.handler = handler;
    }

    /** Starts reading, and the deadline of the body. */
    void start() {
        exchange.readingBody(request.getLength() < 0 ? maxBytes : request.getLength());
        run();
    }

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                // Not logged: clients decide how often they disconnect within a body.
                Response.writeError(request, response, response, new EofException(chunk.getFailure()));
                return;
            }
            int room = maxBytes + 1 - body.size();
            byte[] bytes = BufferUtil.toArray(chunk.getByteBuffer());
            body.write(bytes, 0, Math.min(room, bytes.length));
            boolean last = chunk.isLast();
            chunk.release();
            if (last || body.size() > maxBytes) {
                exchange.handling();
                handler.accept(body.toByteArray());
                return;
            }
        }
    }
}
