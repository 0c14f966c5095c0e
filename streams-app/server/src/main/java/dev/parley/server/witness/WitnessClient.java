package dev.parley.server.witness;

import dev.parley.server.cluster.LimitedBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls witnesses over HTTP (C2SP tlog-witness). A response is bounded in size and time, and a redirect is an error: a
 * witness must not make this instance call other addresses. Thread-safe.
 */
final class WitnessClient {
    /** Maximum bytes of a response: a note with 64 signatures of any type. */
    static final int RESPONSE_BYTES = 512 << 10;

    private final HttpClient client;
    private final Duration timeout;

    /** @param timeout maximum time for one response, including its body */
    WitnessClient(Duration timeout) {
        this.timeout = timeout;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * Submits a head.
     *
     * @param prefix submission prefix of the witness
     * @throws IOException if there is no response of at most {@link #RESPONSE_BYTES} in time
     */
    HttpResponse<byte[]> addCheckpoint(String prefix, byte[] body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(prefix + "/add-checkpoint"))
                .POST(BodyPublishers.ofByteArray(body))
                .build());
    }

    /**
     * Fetches the last cosigned head of a log.
     *
     * @param prefix monitoring prefix of the witness
     * @param originHash SHA-256 of the origin in lowercase hexadecimal
     * @throws IOException as for {@link #addCheckpoint}
     */
    HttpResponse<byte[]> checkpoint(String prefix, String originHash) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(prefix + "/" + originHash + "/checkpoint"))
                .build());
    }

    /** Applies the timeout to the whole response; {@link HttpClient} applies it only until the headers. */
    private HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, LimitedBody.of(RESPONSE_BYTES));
        try {
            return sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause().getClass().getSimpleName() + ": "
                            + e.getCause().getMessage(),
                    e);
        } catch (TimeoutException e) {
            throw new IOException("no complete response within " + timeout.toMillis() + " ms", e);
        } finally {
            sent.cancel(true);
        }
    }
}
