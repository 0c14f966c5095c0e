package dev.parley.server.auth;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.Sha256;
import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import dev.parley.server.client.LimitedBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A public client of an OpenID provider: authorization code with PKCE (S256), refresh tokens, and sign-out. It reads
 * the provider's endpoints on first use and caches them for minutes. Thread-safe.
 */
public final class OidcClient {
    private static final int TIMEOUT_MS = 5_000;
    private static final int MAX_BYTES = 256 << 10;
    private static final int RANDOM_BYTES = 32;
    private static final long FRESH_NANOS = Duration.ofMinutes(5).toNanos();

    /** Limit of concurrent requests to the provider: each holds a thread. */
    private static final int MAX_REQUESTS = 16;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofMillis(TIMEOUT_MS)).build();
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final String issuer;
    private final String id;
    private final String scope;
    private final JwtVerifier idTokens;
    private volatile Metadata metadata;

    /** Tokens of a caller; the refresh token is empty if there is none. */
    public record Tokens(String access, String refresh) {}

    /** The secrets of one sign-in, of which only the verifier's hash is sent before its end. */
    public record Attempt(String state, String nonce, String verifier, String redirect) {

        /** Creates a sign-in that ends at an address. */
        public static Attempt at(String redirect) {
            return new Attempt(random(), random(), random(), redirect);
        }

        private static String random() {
            return base64(Seal.random(RANDOM_BYTES));
        }
    }

    /** The provider refuses, permanently. Its message repeats no token. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private RefusedException(String message) {
            super(message);
        }
    }

    private record Metadata(Map<String, Object> values, long nanoTime) {}

    /**
     * Creates a client; sends no request yet.
     *
     * @param id client ID, which is the audience of ID tokens
     * @param scope requested scopes, separated by spaces
     */
    public OidcClient(OidcSettings settings, String id, String scope) {
        this.issuer = settings.issuer();
        this.id = id;
        this.scope = scope;
        this.idTokens = new JwtVerifier(
                new JwtRules(issuer, Set.of(id), settings.algorithms(), "sub", settings.skew()),
                OidcTokens.keys(settings, OidcTokens.Keeping.DEFAULT));
    }

    /** Host name of the provider. */
    public String host() {
        return URI.create(issuer).getHost();
    }

    /** The address at which the provider authenticates the user of a sign-in. */
    public String start(Attempt attempt) throws IOException, RefusedException {
        return required("authorization_endpoint")
                + query(Map.of(
                        "response_type", "code",
                        "client_id", id,
                        "scope", scope,
                        "redirect_uri", attempt.redirect(),
                        "state", attempt.state(),
                        "nonce", attempt.nonce(),
                        "code_challenge",
                                base64(Sha256.of(attempt.verifier().getBytes(StandardCharsets.US_ASCII))),
                        "code_challenge_method", "S256"));
    }

    /**
     * Exchanges the code of a sign-in.
     *
     * @param from issuer that the provider's redirect names; null if it names none
     */
    public Tokens finish(Attempt attempt, String code, String from) throws IOException, RefusedException {
        boolean named = Boolean.TRUE.equals(metadata().get("authorization_response_iss_parameter_supported"));
        if (from == null ? named : !from.equals(issuer)) {
            throw new RefusedException("the response names another issuer");
        }
        Map<String, Object> answer = token(Map.of(
                "grant_type", "authorization_code",
                "code", code,
                "redirect_uri", attempt.redirect(),
                "code_verifier", attempt.verifier()));
        Optional<SignedJWT> idToken = JwtVerifier.parse(Objects.toString(answer.get("id_token"), ""));
        JwtVerifier.Result result = idToken.isEmpty() ? null : idTokens.verify(idToken.get());
        if (result instanceof JwtVerifier.Unavailable keys) {
            throw new IOException(keys.reason());
        }
        if (!(result instanceof JwtVerifier.Valid valid)
                || !attempt.nonce().equals(valid.claims().getClaim("nonce"))) {
            throw new RefusedException("the ID token is not valid");
        }
        return tokens(answer, "");
    }

    /** Renews tokens. */
    public Tokens renew(String refresh) throws IOException, RefusedException {
        return tokens(token(Map.of("grant_type", "refresh_token", "refresh_token", refresh)), refresh);
    }

    /**
     * Revokes a refresh token, if the provider can.
     *
     * @param refresh the refresh token; empty for none
     * @return the address at which the provider signs the user out; empty if it has none
     */
    public Optional<String> end(String refresh, String redirect) throws IOException, RefusedException {
        Optional<String> revocation = endpoint("revocation_endpoint");
        if (revocation.isPresent() && !refresh.isEmpty()) {
            send(form(revocation.get(), Map.of("token", refresh, "token_type_hint", "refresh_token")));
        }
        return endpoint("end_session_endpoint")
                .map(end -> end + query(Map.of("client_id", id, "post_logout_redirect_uri", redirect)));
    }

    private Map<String, Object> token(Map<String, String> parameters) throws IOException, RefusedException {
        return json(send(form(required("token_endpoint"), parameters)));
    }

    private static Tokens tokens(Map<String, Object> answer, String refresh) throws RefusedException {
        if (answer.get("access_token") instanceof String access) {
            return new Tokens(access, Objects.toString(answer.get("refresh_token"), refresh));
        }
        throw new RefusedException("it issued no access token");
    }

    private Map<String, Object> metadata() throws IOException, RefusedException {
        Metadata known = metadata;
        if (known == null || System.nanoTime() - known.nanoTime() > FRESH_NANOS) {
            String address = issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration";
            known = new Metadata(json(send(HttpRequest.newBuilder(URI.create(address)))), System.nanoTime());
            if (!issuer.equals(known.values().get("issuer"))) {
                throw new IOException(address + " is of another issuer");
            }
            metadata = known;
        }
        return known.values();
    }

    /** An endpoint of the provider, as protected as its issuer. */
    private Optional<String> endpoint(String name) throws IOException, RefusedException {
        return Optional.ofNullable(metadata().get(name))
                .map(Object::toString)
                .filter(address -> address.startsWith(URI.create(issuer).getScheme() + "://"));
    }

    private String required(String name) throws IOException, RefusedException {
        return endpoint(name).orElseThrow(() -> new IOException("the provider has no " + name));
    }

    private HttpRequest.Builder form(String address, Map<String, String> parameters) {
        Map<String, String> all = new TreeMap<>(parameters);
        all.put("client_id", id);
        return HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded(all)));
    }

    private byte[] send(HttpRequest.Builder request) throws IOException, RefusedException {
        if (!requests.tryAcquire()) {
            throw new IOException("too many sign-ins are in progress");
        }
        try {
            CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(
                    request.header("Accept", "application/json").build(), LimitedBody.of(MAX_BYTES));
            HttpResponse<byte[]> response;
            try {
                response = sent.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            } finally {
                sent.cancel(true);
            }
            if (response.statusCode() == 400 || response.statusCode() == 401) {
                throw new RefusedException(Excerpt.of(Objects.toString(json(response.body()).get("error"))));
            }
            if (response.statusCode() != 200) {
                throw new IOException("it returned the status " + response.statusCode());
            }
            return response.body();
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("it does not respond", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } finally {
            requests.release();
        }
    }

    private static Map<String, Object> json(byte[] body) throws IOException {
        try {
            return JSONObjectUtils.parse(new String(body, StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw new IOException("it returned no JSON object", e);
        }
    }

    private static String query(Map<String, String> parameters) {
        return "?" + encoded(parameters);
    }

    private static String encoded(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter ->
                        parameter.getKey() + '=' + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
