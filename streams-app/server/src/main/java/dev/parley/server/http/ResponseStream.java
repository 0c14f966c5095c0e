package dev.parley.server.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.io.content.AsyncContent;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A response without a known end, such as server-sent events. Parts wait in a bounded queue, and no thread is blocked
 * while the client reads. If the client reads less than {@code http.limits.bytes.per.second}, the connection is closed
 * as for any response. Thread-safe.
 */
public final class ResponseStream {

    /** Maximum unsent bytes of parts, unless the first alone is larger. */
    static final int MAX_QUEUED_BYTES = 256 << 10;

    private final Exchange exchange;
    private final AsyncContent parts = new AsyncContent();
    private final Semaphore room = new Semaphore(MAX_QUEUED_BYTES);

    private ResponseStream(Exchange exchange) {
        this.exchange = exchange;
        exchange.atEnd(() -> parts.fail(new EofException()));
    }

    /**
     * Makes the response of a request a stream. Status and headers are those of the request when its handler has
     * returned; parts that are offered before wait.
     */
    public static ResponseStream of(ApiRequest request) {
        Exchange exchange = Exchange.of(request);
        ResponseStream stream = new ResponseStream(exchange);
        exchange.stream(stream);
        return stream;
    }

    /** Starts to write; the handler has returned. */
    void start(Response response, Callback completion) {
        exchange.answered(HttpStatus.OK_200);
        Content.copy(parts, response, completion);
    }

    /** Adds a part if there is room; false if the queue is full or the stream has ended. */
    public boolean offer(byte[] part) {
        return room.tryAcquire(size(part)) && add(part);
    }

    /**
     * Adds a part, and waits for room.
     *
     * @return false if there was no room in this time, or the stream has ended
     */
    public boolean offer(byte[] part, Duration timeout) throws InterruptedException {
        return room.tryAcquire(size(part), timeout.toNanos(), TimeUnit.NANOSECONDS) && add(part);
    }

    private boolean add(byte[] part) {
        boolean open = isOpen();
        parts.write(false, ByteBuffer.wrap(part), Callback.from(() -> room.release(size(part))));
        return open;
    }

    private static int size(byte[] part) {
        return Math.min(part.length, MAX_QUEUED_BYTES);
    }

    /** Ends the response after the parts that wait and a last one, for which there is always room. */
    public void end(byte[] lastPart) {
        parts.write(true, ByteBuffer.wrap(lastPart), Callback.NOOP);
    }

    /** Whether the client can still receive parts. */
    public boolean isOpen() {
        return !parts.isClosed() && exchange.isOpen();
    }
}
