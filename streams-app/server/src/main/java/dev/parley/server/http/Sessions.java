package dev.parley.server.http;

import com.nimbusds.jose.CompressionAlgorithm;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;
import dev.parley.codec.Excerpt;
import dev.parley.oidc.JwtVerifier;
import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.SessionSettings;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.http.OidcClient.Attempt;
import dev.parley.server.http.OidcClient.Tokens;
import dev.parley.server.http.ProblemException.Code;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Sign-in of the console. A cookie keeps the caller's token, sealed: scripts cannot read it, all instances of a
 * deployment open it, and the token is verified for each request. Only requests with the header {@link #CONSOLE} use
 * the cookie: pages of other origins cannot send it. Thread-safe.
 */
public final class Sessions {

    /** Header with the scheme of the console's address, which a TLS proxy hides from Parley. */
    static final String CONSOLE = "Parley-Console";

    static final String PATH = "/session";

    private static final String PURPOSE = "parley-session";
    private static final Set<String> ACTIONS = Set.of("", "/token", "/start", "/finish", "/renew", "/end");
    private static final String HTTPS = "https";

    /** Prefix of names of cookies that only their own host sets, over HTTPS. */
    private static final String HOST = "__Host-";

    private static final String SESSION = "parley-session";
    private static final String SIGN_IN = "parley-sign-in";
    private static final Duration SIGN_IN_TIME = Duration.ofMinutes(10);

    private static final int KEY_BYTES = 32;

    /** Tokens are base64: compressed, they leave room for that of the cookie. */
    private static final JWEHeader SEALED = new JWEHeader.Builder(JWEAlgorithm.DIR, EncryptionMethod.A256GCM)
            .compressionAlgorithm(CompressionAlgorithm.DEF)
            .build();

    /** Browsers keep cookies of 4,096 bytes with their names and attributes. */
    private static final int MAX_COOKIE_BYTES = 3_900;

    private final Authenticator authenticator;
    private final SessionSettings settings;
    private final Optional<OidcClient> client;
    private final List<byte[]> keys;
    private final String prefix;

    private Sessions(Authenticator authenticator, Optional<PeerKeys> peers, String prefix) {
        this.authenticator = authenticator;
        this.settings = authenticator.sessions();
        this.client = settings.client().map(OidcClient::new);
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.keys = peers.map(shared -> shared.derive(PURPOSE)).orElse(List.of(random));
        this.prefix = prefix;
    }

    /** Sessions for these tokens; empty if the API requires none. */
    public static Optional<Sessions> of(HttpSecurity security) {
        return security.authentication().map(tokens -> new Sessions(tokens, security.peers(), security.prefix()));
    }

    /**
     * Response to each request.
     *
     * @param provider host name of the OpenID provider; null if there is none
     * @param location where the browser continues; null if it stays
     */
    public record Step(String provider, String location) {}

    /**
     * Body of each request.
     *
     * @param token token that the user has entered
     * @param code parameter of the provider's redirect, as the next three
     * @param active whether the user is active
     */
    private record Body(String token, String code, String state, String iss, String error, boolean active) {}

    /** The content of the cookie; the refresh token is empty if there is none. */
    private record Session(Instant started, Instant used, Tokens tokens) {}

    /** The token of a request: in its Authorization header or, without one, in the console's cookie. */
    static Optional<String> token(Optional<Sessions> sessions, Request request) {
        return request.getHeaders().contains(HttpHeader.AUTHORIZATION)
                ? SecurityFilter.token(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION))
                : sessions.flatMap(known -> known.session(request))
                        .map(session -> session.tokens().access());
    }

    boolean serves(ApiRequest request) {
        return request.path().startsWith(PATH)
                && ACTIONS.contains(request.path().substring(PATH.length()));
    }

    /** Answers a request for which {@link #serves} is true. */
    Step answer(ApiRequest request) {
        request.header("Cache-Control", "no-store").header("X-Content-Type-Options", "nosniff");
        String action = request.path().substring(PATH.length());
        if (!request.method().equals(action.isEmpty() ? "GET" : "POST")) {
            throw ProblemHandler.methodNotAllowed(request, action.isEmpty() ? "GET" : "POST");
        }
        if (!isConsole(request.jetty())) {
            throw Code.ORIGIN_NOT_ALLOWED.problem(
                    "Only the console signs in here. Send a token in the header" + " Authorization instead.");
        }
        if (action.isEmpty()) {
            return new Step(client.map(OidcClient::host).orElse(null), null);
        }
        Body body = Json.body(request, Body.class, "The body must be a JSON object.");
        return switch (action) {
            case "/token" -> enter(request, new Tokens(Objects.toString(body.token(), ""), ""), now(), now());
            case "/start" -> start(request);
            case "/finish" -> finish(request, body);
            case "/renew" -> renew(request, body.active());
            default -> end(request);
        };
    }

    private Step start(ApiRequest request) {
        Attempt attempt = Attempt.at(address(request));
        String location = provider(request).start(attempt);
        set(
                request,
                SIGN_IN,
                now().toString(),
                attempt.state(),
                attempt.nonce(),
                attempt.verifier(),
                attempt.redirect());
        return new Step(null, location);
    }

    private Step finish(ApiRequest request, Body body) {
        Optional<Attempt> attempt = open(request.jetty(), SIGN_IN)
                .filter(lines -> isWithin(Instant.parse(lines[0]), SIGN_IN_TIME))
                .map(lines -> new Attempt(lines[1], lines[2], lines[3], lines[4]))
                .filter(known ->
                        body.state() != null && MessageDigest.isEqual(bytes(known.state()), bytes(body.state())));
        if (attempt.isEmpty()) {
            throw refused("The sign-in has expired, or this browser did not start it. Sign in again.");
        }
        remove(request, SIGN_IN);
        if (body.code() == null) {
            throw refused("The OpenID provider refused the sign-in: " + Excerpt.of(String.valueOf(body.error())) + ".");
        }
        return enter(request, provider(request).finish(attempt.get(), body.code(), body.iss()), now(), now());
    }

    private Step renew(ApiRequest request, boolean active) {
        Session session = session(request.jetty()).orElseThrow(() -> refused("The session has ended. Sign in again."));
        Tokens tokens = session.tokens();
        if (!tokens.refresh().isEmpty()) {
            tokens = provider(request).renew(tokens.refresh());
        }
        return enter(request, tokens, session.started(), active ? now() : session.used());
    }

    private Step end(ApiRequest request) {
        // A token that is no JWT is not of the provider.
        Optional<Tokens> provided = session(request.jetty())
                .map(Session::tokens)
                .filter(tokens -> JwtVerifier.parse(tokens.access()).isPresent());
        remove(request, SESSION);
        remove(request, SIGN_IN);
        return new Step(
                null,
                client.flatMap(known -> provided.flatMap(tokens -> known.end(tokens.refresh(), address(request))))
                        .orElse(null));
    }

    /** Seals tokens into the cookie if the API accepts them. */
    private Step enter(ApiRequest request, Tokens tokens, Instant started, Instant used) {
        AuthenticationResult result = authenticator.identify(tokens.access());
        if (result instanceof AuthenticationResult.Refused invalid) {
            throw refused("Invalid token: " + invalid.reason().text() + ".");
        }
        if (result instanceof AuthenticationResult.Unavailable unavailable) {
            throw Code.TOKENS_UNAVAILABLE.problem(unavailable.detail());
        }
        String[] times = {started.toString(), used.toString()};
        if (!set(request, SESSION, times[0], times[1], tokens.access(), tokens.refresh())
                && !set(request, SESSION, times[0], times[1], tokens.access(), "")) {
            throw refused("The token is too long for a cookie.");
        }
        return new Step(null, null);
    }

    private Optional<Session> session(Request request) {
        return open(request, SESSION)
                .map(lines ->
                        new Session(Instant.parse(lines[0]), Instant.parse(lines[1]), new Tokens(lines[2], lines[3])))
                .filter(session ->
                        isWithin(session.started(), settings.lifetime()) && isWithin(session.used(), settings.idle()));
    }

    /** Whether a time is less than a duration ago. A clock that steps back must not keep what has ended. */
    private boolean isWithin(Instant time, Duration limit) {
        return Duration.between(time, now()).abs().compareTo(limit) < 0;
    }

    private Instant now() {
        return settings.clock().instant();
    }

    /** Whether a script of the console has sent a request: pages of other origins cannot set its header. */
    private static boolean isConsole(Request request) {
        String scheme = request.getHeaders().get(CONSOLE);
        String site = request.getHeaders().get("Sec-Fetch-Site");
        return (HTTPS.equals(scheme) || "http".equals(scheme)) && (site == null || site.equals("same-origin"));
    }

    /** The address of the console, which the browser has asked. The provider knows the allowed ones. */
    private String address(ApiRequest request) {
        String origin = request.header("Origin");
        if (origin == null || !origin.startsWith(request.header(CONSOLE) + "://")) {
            throw Code.ORIGIN_NOT_ALLOWED.problem("The request must have the Origin of the console.");
        }
        return origin + prefix + "/";
    }

    private OidcClient provider(ApiRequest request) {
        return client.orElseThrow(() ->
                Code.UNKNOWN_PATH.problem(Excerpt.of(request.path()) + " needs " + HttpKeys.OIDC_CLIENT_ID + "."));
    }

    /** The problem of a sign-in that is refused. */
    static ProblemException refused(String detail) {
        return Code.TOKEN_INVALID.problem(detail).with(Map.of("WWW-Authenticate", SecurityFilter.CHALLENGE));
    }

    private static String name(Request request, String cookie) {
        return HTTPS.equals(request.getHeaders().get(CONSOLE)) ? HOST + cookie : cookie;
    }

    /** Sets a cookie; returns false if it would be too long. */
    private boolean set(ApiRequest request, String cookie, String... lines) {
        String name = name(request.jetty(), cookie);
        JWEObject sealed = new JWEObject(SEALED, new Payload(name + '\n' + String.join("\n", lines)));
        try {
            sealed.encrypt(new DirectEncrypter(keys.get(0)));
        } catch (JOSEException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
        String value = sealed.serialize();
        if (value.length() > MAX_COOKIE_BYTES) {
            return false;
        }
        setCookie(request, name, value);
        return true;
    }

    private static void remove(ApiRequest request, String cookie) {
        setCookie(request, name(request.jetty(), cookie), "; Max-Age=0");
    }

    private static void setCookie(ApiRequest request, String name, String value) {
        request.addHeader(
                "Set-Cookie",
                name + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + (name.startsWith(HOST) ? "; Secure" : ""));
    }

    /** The lines of a cookie; empty if the console has not sent it, and exactly once. */
    private Optional<String[]> open(Request request, String cookie) {
        String start = name(request, cookie) + "=";
        List<String> values = request.getHeaders().getValuesList(HttpHeader.COOKIE).stream()
                .flatMap(header -> Arrays.stream(header.split(";", -1)))
                .map(String::strip)
                .filter(pair -> pair.startsWith(start))
                .toList();
        if (values.size() != 1 || !isConsole(request)) {
            return Optional.empty();
        }
        // Its own name comes first: a cookie is of no use under another.
        return opened(values.get(0).substring(start.length()))
                .filter(text -> text.startsWith(start.substring(0, start.length() - 1) + '\n'))
                .map(text -> text.substring(start.length()).split("\n", -1));
    }

    private Optional<String> opened(String value) {
        for (byte[] key : keys) {
            try {
                JWEObject sealed = JWEObject.parse(value);
                sealed.decrypt(new DirectDecrypter(key));
                return Optional.of(sealed.getPayload().toString());
            } catch (ParseException | JOSEException e) {
                // Another key may have sealed it.
            }
        }
        return Optional.empty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
