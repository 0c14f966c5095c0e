package dev.parley.server.http;

import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.codec.Excerpt;
import dev.parley.encoding.Sha256;
import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import dev.parley.server.auth.OidcTokens;
import dev.parley.server.auth.SessionSettings;
import dev.parley.server.client.LimitedBody;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.util.MultiMap;
import org.eclipse.jetty.util.UrlEncoded;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A public client of an OpenID provider: authorization code with PKCE (S256), refresh tokens, and sign-out. It reads
 * the provider's endpoints once, on first use. Its methods throw a {@link ProblemException} if the provider refuses or
 * is unavailable. Thread-safe.
 */
final class OidcClient {
    private static final Logger LOG = LoggerFactory.getLogger(OidcClient.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 256 << 10;
    private static final int RANDOM_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Limit of concurrent requests to the provider: each holds a thread. */
    private static final int MAX_REQUESTS = 16;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Semaphore requests = new Semaphore(MAX_REQUESTS);
    private final SessionSettings.Client settings;
    private final String issuer;
    private final JwtVerifier idTokens;
    private volatile Map<String, Object> metadata;

    /** Tokens of a caller; the refresh token is empty if there is none. */
    record Tokens(String access, String refresh) {}

    /** The secrets of one sign-in, of which only the verifier's hash is sent before its end. */
    record Attempt(String state, String nonce, String verifier, String redirect) {

        /** Creates a sign-in that ends at an address. */
        static Attempt at(String redirect) {
            return new Attempt(random(), random(), random(), redirect);
        }

        private static String random() {
            byte[] bytes = new byte[RANDOM_BYTES];
            RANDOM.nextBytes(bytes);
            return Base64URL.encode(bytes).toString();
        }
    }

    /** Creates a client; sends no request yet. */
    OidcClient(SessionSettings.Client settings) {
        this.settings = settings;
        this.issuer = settings.provider().issuer();
        JwtRules rules = new JwtRules(
                issuer,
                Set.of(settings.id()),
                settings.provider().algorithms(),
                "sub",
                settings.provider().skew());
        this.idTokens = new JwtVerifier(rules, OidcTokens.keys(settings.provider()));
    }

    /** Host name of the provider. */
    String host() {
        return URI.create(issuer).getHost();
    }

    /** The address at which the provider authenticates the user of a sign-in. */
    String start(Attempt attempt) {
        byte[] verifier = attempt.verifier().getBytes(StandardCharsets.US_ASCII);
        Map<String, String> parameters = Map.of(
                "response_type", "code",
                "scope", settings.scope(),
                "redirect_uri", attempt.redirect(),
                "state", attempt.state(),
                "nonce", attempt.nonce(),
                "code_challenge", Base64URL.encode(Sha256.of(verifier)).toString(),
                "code_challenge_method", "S256");
        return endpoint("authorization_endpoint").orElseThrow(() -> unavailable("no authorization_endpoint"))
                + '?'
                + encoded(parameters);
    }

    /**
     * Exchanges the code of a sign-in.
     *
     * @param from issuer that the provider's redirect names; null if it names none
     */
    Tokens finish(Attempt attempt, String code, String from) {
        boolean named = Boolean.TRUE.equals(metadata().get("authorization_response_iss_parameter_supported"));
        if (from == null ? named : !from.equals(issuer)) {
            throw refused("the response names another issuer");
        }
        Map<String, Object> answer = tokens(Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                attempt.redirect(),
                "code_verifier",
                attempt.verifier()));
        Optional<SignedJWT> idToken = JwtVerifier.parse(Objects.toString(answer.get("id_token"), ""));
        JwtVerifier.Result result = idToken.map(idTokens::verify).orElse(null);
        if (result instanceof JwtVerifier.Unavailable keys) {
            throw unavailable(keys.reason());
        }
        if (!(result instanceof JwtVerifier.Valid valid)
                || !attempt.nonce().equals(valid.claims().getClaim("nonce"))) {
            throw refused("the ID token is not valid");
        }
        return tokens(answer, "");
    }

    /** Renews tokens. */
    Tokens renew(String refresh) {
        return tokens(tokens(Map.of("grant_type", "refresh_token", "refresh_token", refresh)), refresh);
    }

    /**
     * Revokes a refresh token, if the provider can.
     *
     * @param refresh the refresh token; empty for none
     * @return the address at which the provider signs the user out; empty if it has none
     */
    Optional<String> end(String refresh, String redirect) {
        endpoint("revocation_endpoint")
                .filter(address -> !refresh.isEmpty())
                .ifPresent(address -> send(form(address, Map.of("token", refresh))));
        return endpoint("end_session_endpoint")
                .map(address -> address + '?' + encoded(Map.of("post_logout_redirect_uri", redirect)));
    }

    private Map<String, Object> tokens(Map<String, String> parameters) {
        return json(
                send(form(endpoint("token_endpoint").orElseThrow(() -> unavailable("no token_endpoint")), parameters)));
    }

    private static Tokens tokens(Map<String, Object> answer, String refresh) {
        return new Tokens(
                Objects.toString(answer.get("access_token"), ""),
                Objects.toString(answer.get("refresh_token"), refresh));
    }

    private Map<String, Object> metadata() {
        if (metadata == null) {
            String address = issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration";
            Map<String, Object> read = json(send(HttpRequest.newBuilder(URI.create(address))));
            if (!issuer.equals(read.get("issuer"))) {
                throw unavailable(address + " is of another issuer");
            }
            metadata = read;
        }
        return metadata;
    }

    /** An endpoint of the provider, as protected as its issuer. */
    private Optional<String> endpoint(String name) {
        return Optional.ofNullable(metadata().get(name))
                .map(Object::toString)
                .filter(address -> address.startsWith(URI.create(issuer).getScheme() + "://"));
    }

    private HttpRequest.Builder form(String address, Map<String, String> parameters) {
        return HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(encoded(parameters)));
    }

    private byte[] send(HttpRequest.Builder request) {
        if (!requests.tryAcquire()) {
            throw unavailable("too many sign-ins are in progress");
        }
        try {
            HttpResponse<byte[]> response = http.send(request.timeout(TIMEOUT).build(), LimitedBody.of(MAX_BYTES));
            if (response.statusCode() == 400 || response.statusCode() == 401) {
                throw refused(Excerpt.of(Objects.toString(json(response.body()).get("error"))));
            }
            if (response.statusCode() != 200) {
                throw unavailable("status " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw unavailable(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted");
        } finally {
            requests.release();
        }
    }

    private static Map<String, Object> json(byte[] body) {
        try {
            return JSONObjectUtils.parse(new String(body, StandardCharsets.UTF_8));
        } catch (ParseException e) {
            throw unavailable("no JSON object");
        }
    }

    private static ProblemException refused(String reason) {
        return Sessions.refused("The OpenID provider refused: " + reason + ".");
    }

    private static ProblemException unavailable(String reason) {
        LOG.warn("The OpenID provider is unavailable for sign-ins: {}", reason);
        return Code.TOKENS_UNAVAILABLE.problem("The OpenID provider is unavailable. Try again.");
    }

    /** Parameters and the client ID, as in a query or a form. */
    private String encoded(Map<String, String> parameters) {
        MultiMap<String> all = new MultiMap<>();
        parameters.forEach(all::put);
        all.put("client_id", settings.id());
        return UrlEncoded.encode(all, StandardCharsets.UTF_8, false);
    }
}
