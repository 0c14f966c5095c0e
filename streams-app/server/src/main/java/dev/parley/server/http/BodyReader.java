package dev.parley.server.http;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.content.ContentSourceCompletableFuture;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Reads the body of a request asynchronously; empty if it is too large. Unlike {@link Content.Source#asByteArrayAsync},
 * it does not abort a request whose body is too large, so that the client gets a problem.
 */
final class BodyReader extends ContentSourceCompletableFuture<Optional<byte[]>> {

    private final int maxBytes;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private BodyReader(Request request, int maxBytes) {
        super(request, InvocationType.BLOCKING);
        this.maxBytes = maxBytes;
    }

    /** Continues after the body has been read. */
    @FunctionalInterface
    interface Continuation {
        void handle(Optional<byte[]> body) throws Exception;
    }

    /** Reads the body within its deadline, and then handles the request. */
    static void read(Request request, ExchangeResponse response, int maxBytes, Continuation continuation) {
        ConnectionGuard.Tracked connection = Exchange.of(request).connection();
        connection.readingBody(request.getLength() < 0 ? maxBytes : request.getLength());
        BodyReader reader = new BodyReader(request, maxBytes);
        reader.whenComplete((body, failure) -> {
            if (failure != null) {
                // Not logged: clients decide how often they disconnect within a body, or send malformed chunks.
                Response.writeError(request, response, response.completion(), HttpStatus.BAD_REQUEST_400);
                return;
            }
            connection.handling();
            try {
                continuation.handle(body);
            } catch (Throwable e) {
                Response.writeError(request, response, response.completion(), e);
            }
        });
        reader.parse();
    }

    @Override
    protected Optional<byte[]> parse(Content.Chunk chunk) {
        if (body.size() + chunk.remaining() > maxBytes) {
            return Optional.empty();
        }
        body.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
        return chunk.isLast() ? Optional.of(body.toByteArray()) : null;
    }
}
