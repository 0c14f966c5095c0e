package dev.parley.server.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Reads the body of a response into memory, and fails if it exceeds a limit. */
public final class LimitedBody implements BodySubscriber<byte[]> {

    private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
    private final long limit;
    private Flow.Subscription subscription;
    private long received;

    private LimitedBody(long limit) {
        this.limit = limit;
    }

    /** Reads at most the given number of bytes. */
    public static BodyHandler<byte[]> of(long limit) {
        return response -> new LimitedBody(limit);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return bytes.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        bytes.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            received += buffer.remaining();
        }
        if (received > limit) {
            subscription.cancel();
            onError(new IOException("the response is larger than " + limit + " bytes"));
        } else {
            bytes.onNext(buffers);
        }
    }

    @Override
    public void onError(Throwable failure) {
        bytes.onError(failure);
    }

    @Override
    public void onComplete() {
        bytes.onComplete();
    }
}
