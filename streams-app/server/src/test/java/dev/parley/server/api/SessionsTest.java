package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.OidcSettings;
import dev.parley.server.auth.OidcTokens;
import dev.parley.server.auth.Provider;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.SessionSettings;
import dev.parley.server.cluster.PeerKeys;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpSecurity;
import dev.parley.server.http.ProblemException.Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.types.Password;
import org.eclipse.jetty.util.UrlEncoded;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign-in of the console, as a browser and as attackers use it, with an OpenID provider that a test controls. */
class SessionsTest extends HttpTest {

    private static final String ORIGIN = "https://parley.example.com";
    private static final String WHOAMI = "/v1/whoami";
    private static final String SECRET = "a secret between us 0123456789 abcdef";
    private static final int BURST = 300;
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration LIFETIME = Duration.ofHours(12);

    /** What a script of the console sends. */
    private static final Map<String, String> CONSOLE =
            Map.of("Parley-Console", "https", "Origin", ORIGIN, "Sec-Fetch-Site", "same-origin");

    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final List<Map<String, String>> exchanges = new ArrayList<>();
    private final Map<String, Object> metadata = new LinkedHashMap<>();
    private final Set<String> redeemed = new HashSet<>();
    private Consumer<JWTClaimsSet.Builder> access = claims -> {};
    private Consumer<JWTClaimsSet.Builder> id = claims -> {};
    private String refreshToken = "refresh-1";
    private Map<String, String> authorization = Map.of();
    private volatile Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private volatile int providerStatus = 200;
    private Provider provider;
    private HttpServer endpoints;
    private String issuer;
    private HttpSecurity security;

    @Override
    protected HttpSecurity security() {
        try {
            provider = new Provider();
            endpoints = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException | JOSEException e) {
            throw new AssertionError(e);
        }
        issuer = "http://127.0.0.1:" + endpoints.getAddress().getPort();
        metadata.put("issuer", issuer);
        metadata.put("authorization_endpoint", issuer + "/auth");
        metadata.put("token_endpoint", issuer + "/token");
        metadata.put("revocation_endpoint", issuer + "/revoke");
        metadata.put("end_session_endpoint", issuer + "/end");
        metadata.put("authorization_response_iss_parameter_supported", true);
        endpoints.createContext("/.well-known/openid-configuration", exchange -> respond(exchange, 200, metadata));
        endpoints.createContext("/token", this::token);
        endpoints.createContext("/revoke", exchange -> {
            revoked.add(form(exchange).get("token"));
            respond(exchange, 200, Map.of());
        });
        endpoints.start();
        OidcSettings settings = provider.settings();
        OidcSettings oidc = new OidcSettings(
                issuer,
                settings.audience(),
                settings.keys(),
                settings.algorithms(),
                "sub",
                "roles",
                settings.roles(),
                Optional.empty(),
                Duration.ZERO);
        security = security(
                new SessionSettings(
                        IDLE, LIFETIME, Optional.of(new SessionSettings.Client(oidc, "console", "openid")), () -> now),
                new OidcTokens(oidc));
        return security;
    }

    private HttpSecurity security(SessionSettings sessions, OidcTokens tokens) {
        HttpSecurity base = Tokens.security();
        return new HttpSecurity(
                base.tls(),
                Optional.of(new Authenticator(List.of(this::identify, tokens::identify), sessions)),
                new RateLimiter(1, BURST, 10, () -> 0),
                base.limits(),
                Optional.of(PeerKeys.of(new Password(SECRET), Optional.empty())),
                "",
                HostNames.ANY);
    }

    /** A role is a token, until it is revoked. */
    private Optional<AuthenticationResult> identify(String token) {
        if (revoked.contains(token)) {
            return Optional.of(new AuthenticationResult.Refused(AuthenticationResult.Reason.UNKNOWN));
        }
        return Role.of(token.split(" ", 2)[0])
                .map(role -> new AuthenticationResult.Known(new Caller("token:" + role.text(), role)));
    }

    /** The provider's token endpoint: a code is good for one exchange with the verifier of its challenge. */
    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(exchange);
        exchanges.add(form);
        boolean refresh = "refresh_token".equals(form.get("grant_type"));
        boolean valid = refresh
                ? refreshToken.equals(form.get("refresh_token"))
                : redeemed.add(form.get("code"))
                        && sha256(form.get("code_verifier")).equals(authorization.get("code_challenge"))
                        && form.get("redirect_uri").equals(authorization.get("redirect_uri"));
        if (!valid || providerStatus != 200) {
            respond(exchange, valid ? providerStatus : 400, Map.of("error", "invalid_grant"));
            return;
        }
        refreshToken = "refresh-" + (exchanges.size() + 1);
        JWTClaimsSet.Builder accessClaims = Provider.claims("parley-auditor").issuer(issuer);
        access.accept(accessClaims);
        JWTClaimsSet.Builder idClaims =
                Provider.claims().issuer(issuer).audience("console").claim("nonce", authorization.get("nonce"));
        id.accept(idClaims);
        respond(
                exchange,
                200,
                Map.of(
                        "access_token", provider.token(accessClaims.build()),
                        "id_token", provider.token(idClaims.build()),
                        "refresh_token", refreshToken));
    }

    private static Map<String, String> form(HttpExchange exchange) throws IOException {
        return parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    }

    private static Map<String, String> parameters(String encoded) {
        Map<String, String> found = new LinkedHashMap<>();
        UrlEncoded.decodeUtf8To(encoded, 0, encoded.length(), found::put);
        return found;
    }

    private static void respond(HttpExchange exchange, int status, Map<String, ?> body) throws IOException {
        byte[] bytes = com.nimbusds.jose.util.JSONObjectUtils.toJSONString(body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String sha256(String text) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stopProvider() {
        provider.close();
        endpoints.stop(0);
    }

    /** Sends a request with the cookies so far, and keeps those of the response. */
    private HttpResponse<String> request(String path, Optional<String> body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server().uri() + path));
        body.ifPresent(json -> request.POST(BodyPublishers.ofString(json)));
        headers.forEach(request::header);
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        HttpResponse<String> response = send(request.build());
        response.headers().allValues("Set-Cookie").forEach(cookie -> {
            String[] pair = cookie.split(";", 2)[0].split("=", 2);
            if (cookie.contains("Max-Age=0")) {
                cookies.remove(pair[0]);
            } else {
                cookies.put(pair[0], pair[1]);
            }
        });
        return response;
    }

    private HttpResponse<String> post(String action, String body) {
        return request("/session/" + action, Optional.of(body), CONSOLE);
    }

    private HttpResponse<String> whoami() {
        return request(WHOAMI, Optional.empty(), CONSOLE);
    }

    private void enter(String token) {
        HttpResponse<String> response = post("token", "{\"token\":\"" + token + "\"}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Starts a sign-in at the provider, as which the user then authenticates. */
    private void startSignIn() {
        HttpResponse<String> response = post("start", "{}");
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        authorization = parameters(
                URI.create(parse(response.body()).path("location").asText()).getRawQuery());
    }

    private HttpResponse<String> finish(String code, String state, String from) {
        return post("finish", "{\"code\":\"%s\",\"state\":\"%s\",\"iss\":\"%s\"}".formatted(code, state, from));
    }

    private HttpResponse<String> finish() {
        return finish("code", authorization.get("state"), issuer);
    }

    @Test
    void aTokenIsKeptInACookieThatNoScriptReads() {
        HttpResponse<String> response = post("token", "{\"token\":\"operator\"}");

        assertThat(response.headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .matches("__Host-parley-session=[\\w.-]+; Path=/; HttpOnly; SameSite=Strict; Secure")
                .doesNotContain("operator");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(parse(whoami().body()).path("principal").asText()).isEqualTo("token:operator");
    }

    @Test
    void onPlainHttpTheCookieHasAnotherNameAndIsNotAcceptedOverHttps() {
        Map<String, String> plain = Map.of("Parley-Console", "http", "Origin", "http://localhost:8080");
        HttpResponse<String> response = request("/session/token", Optional.of("{\"token\":\"reader\"}"), plain);

        assertThat(response.headers().allValues("Set-Cookie"))
                .singleElement()
                .asString()
                .startsWith("parley-session=")
                .doesNotContain("Secure");
        assertThat(request(WHOAMI, Optional.empty(), plain).statusCode()).isEqualTo(200);
        problem(whoami(), Code.TOKEN_MISSING);
        cookies.put("__Host-parley-session", cookies.remove("parley-session"));
        problem(whoami(), Code.TOKEN_MISSING);
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Sec-Fetch-Site, none",
        "Parley-Console, ''",
        "Parley-Console, ftp"
    })
    void requestsOfOtherPagesUseNoCookieAndSignNobodyIn(String header, String value) {
        enter("operator");
        Map<String, String> forged = new LinkedHashMap<>(CONSOLE);
        forged.put(header, value);

        problem(request(WHOAMI, Optional.empty(), forged), Code.TOKEN_MISSING);
        problem(
                request("/v1/dead-letters:redrive", Optional.of("{\"ids\":[],\"reason\":\"r\"}"), forged),
                Code.TOKEN_MISSING);
        for (String action : List.of("token", "start", "finish", "renew", "end")) {
            HttpResponse<String> response =
                    request("/session/" + action, Optional.of("{\"token\":\"reader\"}"), forged);
            problem(response, Code.ORIGIN_NOT_ALLOWED);
            assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
        }
        assertThat(whoami().statusCode()).isEqualTo(200);
    }

    @Test
    void noPageOfAnotherOriginMayAskForTheHeaderOfTheConsole() {
        HttpResponse<String> response = send(
                "OPTIONS",
                "/session/token",
                "Origin",
                "https://evil.example",
                "Access-Control-Request-Headers",
                "parley-console");

        assertThat(response.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
        assertThat(response.statusCode()).isGreaterThanOrEqualTo(400);
    }

    @Test
    void aBearerTokenCountsAloneEvenIfItIsInvalid() {
        enter("operator");
        Map<String, String> both = new LinkedHashMap<>(CONSOLE);

        both.put("Authorization", "Bearer reader");
        assertThat(parse(request(WHOAMI, Optional.empty(), both).body())
                        .path("principal")
                        .asText())
                .isEqualTo("token:reader");
        both.put("Authorization", "Bearer nobody");
        problem(request(WHOAMI, Optional.empty(), both), Code.TOKEN_INVALID);
        both.put("Authorization", "Basic b3BlcmF0b3I6");
        problem(request(WHOAMI, Optional.empty(), both), Code.TOKEN_MISSING);
    }

    @Test
    void theCookieMakesNoRequestOneOfAPeer() {
        enter("operator");
        Map<String, String> peer = new LinkedHashMap<>(CONSOLE);
        peer.put("Parley-Peer", "x");

        problem(request("/v1/status", Optional.empty(), peer), Code.PEER_REFUSED);
    }

    @Test
    void theRateLimitIsThatOfTheCallerWhateverSendsTheToken() {
        enter("operator");
        for (int i = 0; i < BURST; i++) {
            send("GET", WHOAMI, "Authorization", "Bearer operator");
        }

        problem(whoami(), Code.RATE_LIMITED);
        enter("reader");
        assertThat(whoami().statusCode()).isEqualTo(200);
    }

    @Test
    void aRevokedTokenStopsAtOnce() {
        enter("operator");
        revoked.add("operator");

        problem(whoami(), Code.TOKEN_INVALID);
        problem(post("renew", "{\"active\":true}"), Code.TOKEN_INVALID);
    }

    @Test
    void aSessionEndsWithoutActivity() {
        enter("reader");
        now = now.plus(IDLE.minusSeconds(1));
        assertThat(whoami().statusCode()).isEqualTo(200);
        // Requests of an open page are no activity.
        assertThat(post("renew", "{\"active\":false}").statusCode()).isEqualTo(200);
        now = now.plusSeconds(1);

        problem(whoami(), Code.TOKEN_MISSING);
        problem(post("renew", "{\"active\":true}"), Code.TOKEN_INVALID);
    }

    @Test
    void activityProlongsASessionUpToItsLifetime() {
        enter("reader");
        Instant start = now;
        while (now.isBefore(start.plus(LIFETIME).minus(IDLE))) {
            now = now.plus(IDLE.minusMinutes(10));
            assertThat(post("renew", "{\"active\":true}").statusCode()).isEqualTo(200);
        }
        now = start.plus(LIFETIME);

        problem(whoami(), Code.TOKEN_MISSING);
    }

    @Test
    void aClockThatStepsBackKeepsNoSession() {
        enter("reader");
        now = now.minus(LIFETIME);

        problem(whoami(), Code.TOKEN_MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "\"quoted\"", "=", "é"})
    void anInventedCookieIsNone(String value) {
        cookies.put("__Host-parley-session", value);
        cookies.put("__Host-parley-sign-in", value);

        problem(whoami(), Code.TOKEN_MISSING);
        problem(finish("code", "state", issuer), Code.TOKEN_INVALID);
    }

    @Test
    void noChangedByteOfACookieIsAccepted() {
        enter("reader");
        String value = cookies.get("__Host-parley-session");
        for (int i = 0; i < value.length(); i += 7) {
            char other = value.charAt(i) == 'A' ? 'B' : 'A';
            cookies.put("__Host-parley-session", value.substring(0, i) + other + value.substring(i + 1));
            problem(whoami(), Code.TOKEN_MISSING);
        }
    }

    @Test
    void ofTwoCookiesOneOfWhichMayBePlantedNoneIsUsed() {
        enter("operator");
        String own = cookies.get("__Host-parley-session");
        cookies.clear();
        enter("reader");
        cookies.put("planted=1; __Host-parley-session", own);

        problem(whoami(), Code.TOKEN_MISSING);
    }

    @Test
    void aCookieIsOfNoUseForAnotherPurpose() {
        startSignIn();
        cookies.put("__Host-parley-session", cookies.get("__Host-parley-sign-in"));

        problem(whoami(), Code.TOKEN_MISSING);
    }

    @Test
    void aSessionIsOfEachInstanceWithTheSecret() {
        enter("operator");
        try (QueryServer other = QueryServer.start(Loopback.bind(), api(), security)) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(other.uri() + WHOAMI));
            CONSOLE.forEach(request::header);
            cookies.forEach((name, value) -> request.header("Cookie", name + "=" + value));
            assertThat(send(request.build()).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anInvalidTokenOpensNoSession() {
        problem(post("token", "{\"token\":\"p\u00e4\u20ac\"}"), Code.TOKEN_INVALID);
        problem(post("token", "{}"), Code.TOKEN_INVALID);
        problem(post("token", "[]"), Code.INVALID_REQUEST);
        problem(post("token", "{\"token\":\"reader\",\"more\":1}"), Code.INVALID_REQUEST);
        assertThat(cookies).isEmpty();
    }

    @Test
    void aTokenThatDoesNotFitIntoACookieIsRefused() {
        byte[] random = new byte[8_000];
        new java.util.Random(50).nextBytes(random);

        HttpResponse<String> response =
                post("token", "{\"token\":\"reader " + Base64.getEncoder().encodeToString(random) + "\"}");

        assertThat(problem(response, Code.TOKEN_INVALID).path("detail").asText())
                .contains("too long for a cookie");
    }

    @Test
    void theProviderSignsAUserInWithPkce() {
        startSignIn();

        assertThat(authorization)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "console")
                .containsEntry("redirect_uri", ORIGIN + "/")
                .containsEntry("code_challenge_method", "S256")
                .containsKeys("state", "nonce", "code_challenge");
        assertThat(finish().statusCode()).isEqualTo(200);
        assertThat(cookies).containsOnlyKeys("__Host-parley-session");
        JsonNode me = parse(whoami().body());
        assertThat(me.path("principal").asText()).isEqualTo("oidc:alice");
        assertThat(me.path("roles").toString()).contains("auditor");
        assertThat(parse(request("/session", Optional.empty(), CONSOLE).body())
                        .path("provider")
                        .asText())
                .isEqualTo("127.0.0.1");
    }

    @Test
    void everySignInHasItsOwnSecrets() {
        Set<String> secrets = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            startSignIn();
            secrets.addAll(List.of(
                    authorization.get("state"), authorization.get("nonce"), authorization.get("code_challenge")));
        }
        assertThat(secrets).hasSize(9);
    }

    @Test
    void aSignInThatAnotherBrowserStartedIsRefused() {
        startSignIn();
        String state = authorization.get("state");
        Map<String, String> own = Map.copyOf(cookies);
        cookies.clear();
        problem(finish("code", state, issuer), Code.TOKEN_INVALID);
        startSignIn();
        problem(finish("code", state, issuer), Code.TOKEN_INVALID);
        cookies.clear();
        cookies.putAll(own);
        problem(finish("code", state + "x", issuer), Code.TOKEN_INVALID);
        problem(post("finish", "{\"code\":\"code\"}"), Code.TOKEN_INVALID);
        assertThat(exchanges).isEmpty();
    }

    @Test
    void aSignInThatTookLongerThanTenMinutesIsRefused() {
        startSignIn();
        now = now.plus(Duration.ofMinutes(10));

        problem(finish(), Code.TOKEN_INVALID);
        assertThat(exchanges).isEmpty();
    }

    @Test
    void aSignInEndsOnceAndACodeIsNotUsedTwice() {
        startSignIn();
        Map<String, String> started = Map.copyOf(cookies);
        String state = authorization.get("state");
        assertThat(finish().statusCode()).isEqualTo(200);
        problem(finish("another", state, issuer), Code.TOKEN_INVALID);
        // An attacker who has kept the cookie and the code: the provider refuses it.
        cookies.clear();
        cookies.putAll(started);
        problem(finish("code", state, issuer), Code.TOKEN_INVALID);
        problem(whoami(), Code.TOKEN_MISSING);
    }

    @Test
    void theCodeOfAnotherSignInIsRefusedByItsVerifier() {
        startSignIn();
        Map<String, String> victim = authorization;
        startSignIn();
        String state = authorization.get("state");
        authorization = victim;

        problem(finish("code-of-the-victim", state, issuer), Code.TOKEN_INVALID);
    }

    @Test
    void theResponseOfAnotherIssuerIsRefusedBeforeTheCodeIsSent() {
        startSignIn();
        problem(finish("code", authorization.get("state"), "https://evil.example"), Code.TOKEN_INVALID);
        startSignIn();
        problem(
                post("finish", "{\"code\":\"code\",\"state\":\"" + authorization.get("state") + "\"}"),
                Code.TOKEN_INVALID);
        assertThat(exchanges).isEmpty();
    }

    @Test
    void aProviderThatIsAnotherIssuerSignsNobodyIn() {
        metadata.put("issuer", "https://evil.example");

        problem(post("start", "{}"), Code.TOKENS_UNAVAILABLE);
    }

    @Test
    void anEndpointThatIsLessProtectedThanTheIssuerIsNotUsed() {
        metadata.put("authorization_endpoint", "javascript:alert(1)");

        problem(post("start", "{}"), Code.TOKENS_UNAVAILABLE);
    }

    @Test
    void anIdTokenThatIsNotOfThisSignInIsRefused() {
        List<Consumer<JWTClaimsSet.Builder>> wrong = List.of(
                claims -> claims.claim("nonce", "another"),
                claims -> claims.claim("nonce", null),
                claims -> claims.audience("another-client"),
                claims -> claims.issuer("https://evil.example"),
                claims -> claims.expirationTime(new Date(0)));
        for (int i = 0; i < wrong.size(); i++) {
            id = wrong.get(i);
            startSignIn();
            problem(finish("code-" + i, authorization.get("state"), issuer), Code.TOKEN_INVALID);
        }
        assertThat(cookies).doesNotContainKey("__Host-parley-session");
    }

    @Test
    void anAccessTokenForAnotherApiIsRefused() {
        access = claims -> claims.audience("another-api");
        startSignIn();

        assertThat(problem(finish(), Code.TOKEN_INVALID).path("detail").asText())
                .contains("audience");
        problem(whoami(), Code.TOKEN_MISSING);
    }

    @Test
    void theProvidersRefusalIsShownWithoutControlCharacters() {
        startSignIn();

        JsonNode problem = problem(
                post(
                        "finish",
                        "{\"error\":\"access_denied\\n\\u202e<b>\",\"state\":\"" + authorization.get("state") + "\"}"),
                Code.TOKEN_INVALID);

        assertThat(problem.path("detail").asText()).contains("access_denied").doesNotContain("\n", "\u202e");
    }

    @Test
    void theRedirectGoesToTheOriginThatTheBrowserSendsAndNowhereElse() {
        Map<String, String> wrong = new LinkedHashMap<>(CONSOLE);
        for (String origin : List.of("null", "javascript://x", "http://parley.example.com", "https:evil")) {
            wrong.put("Origin", origin);
            problem(request("/session/start", Optional.of("{}"), wrong), Code.ORIGIN_NOT_ALLOWED);
        }
        wrong.remove("Origin");
        problem(request("/session/start", Optional.of("{}"), wrong), Code.ORIGIN_NOT_ALLOWED);
        assertThat(cookies).isEmpty();
    }

    @Test
    void anExpiredTokenIsRenewedWithEachRefreshTokenOnce() {
        access = claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(2)));
        startSignIn();
        assertThat(finish().statusCode()).isEqualTo(200);
        org.awaitility.Awaitility.await().until(() -> whoami().statusCode() == 401);
        String old = cookies.get("__Host-parley-session");
        access = claims -> {};

        assertThat(post("renew", "{\"active\":false}").statusCode()).isEqualTo(200);
        assertThat(whoami().statusCode()).isEqualTo(200);
        assertThat(post("renew", "{\"active\":true}").statusCode()).isEqualTo(200);
        assertThat(exchanges.stream().map(form -> form.get("refresh_token")))
                .containsExactly(null, "refresh-2", "refresh-3");
        cookies.put("__Host-parley-session", old);
        problem(post("renew", "{\"active\":true}"), Code.TOKEN_INVALID);
    }

    @Test
    void whileTheProviderIsAwayASessionLastsUntilItsTokenExpires() {
        startSignIn();
        assertThat(finish().statusCode()).isEqualTo(200);
        providerStatus = 503;

        problem(post("renew", "{\"active\":true}"), Code.TOKENS_UNAVAILABLE);
        assertThat(whoami().statusCode()).isEqualTo(200);
    }

    @Test
    void aSignOutRemovesTheCookieRevokesTheRefreshTokenAndNamesNoToken() {
        startSignIn();
        assertThat(finish().statusCode()).isEqualTo(200);

        HttpResponse<String> response = post("end", "{}");

        assertThat(parse(response.body()).path("location").asText())
                .startsWith(issuer + "/end?")
                .contains("client_id=console")
                .doesNotContain("token");
        assertThat(cookies).isEmpty();
        assertThat(revoked).containsExactly("refresh-2");
        problem(whoami(), Code.TOKEN_MISSING);
        assertThat(parse(post("end", "{}").body()).path("location").isNull()).isTrue();
        enter("reader");
        assertThat(parse(post("end", "{}").body()).path("location").isNull()).isTrue();
        assertThat(cookies).isEmpty();
    }

    @Test
    void onlyPostSignsIn() {
        for (String path : List.of("/session/token", "/session/end", "/session/renew")) {
            problem(request(path, Optional.empty(), CONSOLE), Code.METHOD_NOT_ALLOWED);
        }
        problem(request("/session", Optional.of("{}"), CONSOLE), Code.METHOD_NOT_ALLOWED);
        problem(request("/session/other", Optional.empty(), CONSOLE), Code.TOKEN_MISSING);
    }

    @Test
    void anOperatorWithACookieSendsLargeMessagesToo() {
        enter("operator");
        String wire = "x".repeat(100_000);

        HttpResponse<String> response = request("/v1/wire", Optional.of(wire), CONSOLE);

        assertThat(response.statusCode()).as(response.body()).isNotIn(401, 403, 413);
    }
}
