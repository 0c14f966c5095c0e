package dev.parley.query;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.streams.state.HostInfo;

/** Peers over HTTP, or HTTPS where this process speaks it: all processes of a deployment do, or none. */
public final class HttpPeers implements Peers {

    private static final List<String> KEPT =
            List.of("Content-Type", "Retry-After", "WWW-Authenticate", Asking.STALENESS);

    private final HttpClient client;
    private final String scheme;
    private final String secret;
    private final Duration timeout;
    private final long replyBytes;

    /** Peers whose responses have the default bound. */
    public HttpPeers(Optional<SSLContext> tls, Optional<Password> secret, Duration timeout) {
        this(tls, secret, timeout, Doors.Limits.DEFAULT.responseBytes());
    }

    /**
     * @param tls whom to trust; empty for plain HTTP
     * @param secret what proves this process to the others
     * @param timeout longest time that one answer may take
     * @param responseBytes bound of responses ({@code http.limits.response.bytes}); peers whose bound is up to twice as large are understood
     */
    public HttpPeers(Optional<SSLContext> tls, Optional<Password> secret, Duration timeout, long responseBytes) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER);
        tls.ifPresent(builder::sslContext);
        this.client = builder.build();
        this.scheme = tls.isPresent() ? "https" : "http";
        this.secret = secret.map(Password::value).orElse(Hop.NO_SECRET);
        this.timeout = timeout;
        this.replyBytes = 2 * responseBytes;
    }

    @Override
    public CompletableFuture<Reply> ask(HostInfo peer, Question question) {
        String host = peer.host().indexOf(':') < 0 ? peer.host() : '[' + peer.host() + ']';
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(scheme + "://" + host + ':' + peer.port() + question.target()))
                .timeout(timeout)
                .header(Hop.PEER, secret);
        question.authorization().ifPresent(value -> request.header("Authorization", value));
        if (!question.copies().isEmpty()) {
            request.header(Hop.COPIES, Hop.text(question.copies()));
        }
        if (!question.atLeast().isEmpty()) {
            request.header(Hop.AT_LEAST, Hop.text(question.atLeast()));
        }
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request.build(), LimitedBody.of(replyBytes));
        // The timeout of a request ends with the headers of its response; a body may trickle on.
        return sent.copy()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        sent.cancel(true);
                    }
                })
                .thenApply(HttpPeers::reply);
    }

    private static Reply reply(HttpResponse<byte[]> response) {
        Map<String, String> kept = new LinkedHashMap<>();
        KEPT.forEach(name -> response.headers().firstValue(name).ifPresent(value -> kept.put(name, value)));
        return Hop.reply(
                response.statusCode(),
                kept,
                response.body(),
                name -> response.headers().firstValue(name));
    }
}
