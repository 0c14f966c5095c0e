package dev.parley.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A local OpenID provider that publishes generated keys and signs tokens. */
public final class Provider implements AutoCloseable {
    public static final String ISSUER = "https://id.example.com";
    public static final String AUDIENCE = "parley";

    /** By ID; kept, since generating one takes up to a second. */
    private static final Map<String, RSAKey> PUBLISHED = new ConcurrentHashMap<>();

    private final HttpServer server;
    private final List<RSAKey> keys = new ArrayList<>();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile boolean broken;

    public Provider() throws IOException, JOSEException {
        rotate("one");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            byte[] body = new JWKSet(List.copyOf(keys)).toString(true).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(broken ? 500 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** Replaces the signing key and the published key. */
    public void rotate(String id) throws JOSEException {
        RSAKey key = PUBLISHED.get(id);
        if (key == null) {
            key = key(id);
            PUBLISHED.put(id, key);
        }
        keys.clear();
        keys.add(key);
    }

    /** Makes the key endpoint fail. */
    public void breakDown() {
        broken = true;
    }

    public int fetches() {
        return fetches.get();
    }

    public OidcSettings settings() {
        return settings("roles");
    }

    public OidcSettings settings(String rolesClaim) {
        return settings(rolesClaim, Optional.empty());
    }

    OidcSettings settings(String rolesClaim, Optional<String> namespacesClaim) {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
        return new OidcSettings(
                ISSUER,
                Set.of(AUDIENCE),
                uri,
                Set.of("RS256"),
                "sub",
                rolesClaim,
                Map.of(
                        Role.PRODUCER, Set.of("parley-producer"),
                        Role.RECORDER, Set.of("parley-recorder"),
                        Role.READER, Set.of("parley-reader"),
                        Role.AUDITOR, Set.of("parley-auditor"),
                        Role.OPERATOR, Set.of("parley-operator", "boss")),
                namespacesClaim,
                Duration.ofSeconds(60));
    }

    /** The claims of a valid token. */
    public static JWTClaimsSet.Builder claims(String... roles) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject("alice")
                .claim("roles", List.of(roles))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofHours(1))));
    }

    /** A valid token. */
    public String token(String... roles) {
        return token(claims(roles).build());
    }

    /** A token with these claims, signed by the published key. */
    public String token(JWTClaimsSet claims) {
        return token(claims, header -> header);
    }

    /** A token with these claims and a changed header. */
    public String token(JWTClaimsSet claims, UnaryOperator<JWSHeader.Builder> header) {
        RSAKey key = keys.get(keys.size() - 1);
        try {
            return signed(
                    header.apply(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID())),
                    claims,
                    new RSASSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The published key. */
    public RSAKey published() {
        return keys.get(keys.size() - 1).toPublicJWK();
    }

    static String signed(JWSHeader.Builder header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT jwt = new SignedJWT(header.build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    /** A new key, which no provider has published. */
    static RSAKey key(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).generate();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
