package dev.parley.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Buffers a response, and writes it when the request has been handled, so that a slow client holds no thread. It is
 * also the callback of the handler. Jetty's {@code BufferedResponseHandler} writes a last part, or one that is larger
 * than its buffer, in the thread of the handler.
 */
final class BufferedResponse extends Response.Wrapper implements Callback {

    private final Callback completion;
    private final Exchange exchange;
    private ByteArrayOutputStream content = new ByteArrayOutputStream(0);
    private boolean written;
    private boolean last;

    BufferedResponse(Request request, Response response, Callback completion, Exchange exchange) {
        super(request, response);
        this.completion = completion;
        this.exchange = exchange;
    }

    @Override
    public void write(boolean lastContent, ByteBuffer bytes, Callback callback) {
        if (BufferUtil.hasContent(bytes)) {
            content.writeBytes(BufferUtil.toArray(bytes));
            bytes.position(bytes.limit());
        }
        written = true;
        last |= lastContent;
        callback.succeeded();
    }

    @Override
    public boolean isCommitted() {
        return written || super.isCommitted();
    }

    @Override
    public boolean hasLastWrite() {
        return last || super.hasLastWrite();
    }

    @Override
    public boolean isCompletedSuccessfully() {
        return last || super.isCompletedSuccessfully();
    }

    @Override
    public void reset() {
        content = new ByteArrayOutputStream(0);
        written = false;
        last = false;
        super.reset();
    }

    @Override
    public void succeeded() {
        ByteBuffer body = ByteBuffer.wrap(content.toByteArray());
        content = null;
        // 0 stands for the default.
        int status = getStatus() == 0 ? HttpStatus.OK_200 : getStatus();
        exchange.answered(status);
        ResponseStream stream = exchange.stream();
        if (stream != null && status == HttpStatus.OK_200) {
            stream.start(getWrapped(), completion);
        } else {
            exchange.write(getWrapped(), true, body, completion);
        }
    }

    @Override
    public void failed(Throwable failure) {
        completion.failed(failure);
    }
}
