package dev.parley.server.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A response without a known end, such as server-sent events. Parts wait in a bounded queue, and no thread is blocked
 * while the client reads. If the client reads less than {@code http.limits.bytes.per.second}, the connection is closed
 * as for any response. Thread-safe.
 */
public final class ResponseStream {

    /** Maximum bytes of the parts that wait, unless the first alone is larger. */
    static final int MAX_QUEUED_BYTES = 256 << 10;

    private static final int CHUNK_BYTES = 32 << 10;

    private final Exchange exchange;
    private final Deque<byte[]> queue = new ArrayDeque<>();
    private Response response;
    private Callback completion;
    private long queuedBytes;
    private boolean writing;
    private boolean ended;
    private boolean closed;

    private ResponseStream(Exchange exchange) {
        this.exchange = exchange;
        exchange.atEnd(this::close);
    }

    /**
     * Makes the response of a request a stream. Status and headers are those of the request when its handler has
     * returned; parts that are offered before wait.
     */
    public static ResponseStream of(Context request) {
        Exchange exchange = Exchange.of(request);
        ResponseStream stream = new ResponseStream(exchange);
        exchange.stream(stream);
        return stream;
    }

    /** Starts to write; the handler has returned. */
    void start(Response streamed, Callback whenComplete) {
        synchronized (this) {
            response = streamed;
            completion = whenComplete;
            response.getHeaders().remove(HttpHeader.CONTENT_LENGTH);
        }
        write();
    }

    /** Adds a part if there is room; false if the queue is full or the stream has ended. */
    public boolean offer(byte[] part) {
        synchronized (this) {
            if (closed || ended || !queue.isEmpty() && queuedBytes + part.length > MAX_QUEUED_BYTES) {
                return false;
            }
            add(part);
        }
        write();
        return true;
    }

    /**
     * Adds a part, and waits for room.
     *
     * @return false if there was no room in this time, or the stream has ended
     */
    public boolean offer(byte[] part, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!offer(part)) {
            synchronized (this) {
                long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (closed || ended || millis <= 0) {
                    return false;
                }
                if (!queue.isEmpty() && queuedBytes + part.length > MAX_QUEUED_BYTES) {
                    wait(millis);
                }
            }
        }
        return true;
    }

    /** Ends the response after the parts that wait and a last one, for which there is always room. */
    public void end(byte[] lastPart) {
        synchronized (this) {
            if (closed || ended) {
                return;
            }
            add(lastPart);
            ended = true;
            notifyAll();
        }
        write();
    }

    /** Whether the client can still receive parts. */
    public boolean isOpen() {
        synchronized (this) {
            if (closed || ended) {
                return false;
            }
        }
        return exchange.isOpen();
    }

    private void add(byte[] part) {
        queue.add(part);
        queuedBytes += part.length;
    }

    private void write() {
        byte[] chunk;
        boolean last;
        synchronized (this) {
            if (response == null || writing || closed || queue.isEmpty()) {
                return;
            }
            chunk = chunk();
            last = ended && queue.isEmpty();
            writing = true;
            notifyAll();
        }
        if (exchange.writing(chunk.length)) {
            response.write(last, ByteBuffer.wrap(chunk), new Written(last));
        } else {
            fail(new IOException("too many unsent bytes of responses"));
        }
    }

    /** Takes several small parts, or one large one. */
    private byte[] chunk() {
        int length = queue.peek().length;
        int parts = 0;
        int total = 0;
        for (byte[] part : queue) {
            if (parts > 0 && total + part.length > CHUNK_BYTES) {
                break;
            }
            total += part.length;
            parts++;
        }
        byte[] chunk = new byte[Math.max(length, total)];
        int at = 0;
        for (int i = 0; i < parts; i++) {
            byte[] part = queue.remove();
            System.arraycopy(part, 0, chunk, at, part.length);
            at += part.length;
        }
        queuedBytes -= at;
        return chunk;
    }

    /** Continues after a chunk. */
    private final class Written implements Callback {
        private final boolean last;

        Written(boolean last) {
            this.last = last;
        }

        @Override
        public void succeeded() {
            exchange.wrote();
            synchronized (ResponseStream.this) {
                writing = false;
            }
            if (last) {
                complete();
            } else {
                write();
            }
        }

        @Override
        public void failed(Throwable failure) {
            fail(failure);
        }
    }

    private void complete() {
        Callback callback = take();
        if (callback != null) {
            callback.succeeded();
        }
    }

    private void fail(Throwable failure) {
        Callback callback = take();
        if (callback != null) {
            callback.failed(failure);
        }
    }

    private synchronized Callback take() {
        Callback callback = completion;
        completion = null;
        closed = true;
        queue.clear();
        queuedBytes = 0;
        notifyAll();
        return callback;
    }

    /** The exchange has ended. */
    private synchronized void close() {
        closed = true;
        queue.clear();
        queuedBytes = 0;
        notifyAll();
    }
}
