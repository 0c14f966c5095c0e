package dev.parley.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.sun.net.httpserver.HttpServer;
import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenID provider that publishes one key. */
final class Issuer implements AutoCloseable {
    static final String NAME = "https://id.example.com";
    static final String AUDIENCE = "tools";

    private final HttpServer server;
    final AtomicInteger fetches = new AtomicInteger();
    volatile ECKey key = newKey("one");
    /** While it is not open, requests for the keys wait. */
    volatile CountDownLatch open = new CountDownLatch(0);

    volatile int status = 200;

    Issuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            byte[] body = new JWKSet(List.of(key)).toString(true).getBytes(UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    static ECKey newKey(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
    }

    /** What a tap knows of it. */
    Callers callers(Duration pause) throws IOException, InterruptedException {
        JwtRules rules =
                new JwtRules(NAME, Set.of(AUDIENCE), Set.copyOf(JwtRules.ALGORITHMS), "sub", Duration.ofMinutes(1));
        return new Callers(new JwtVerifier(rules, IssuerKeys.fetch(url().toURL(), pause)));
    }

    /** Claims of a valid token of a subject, with further members in JSON. */
    static String claims(String subject, String more) {
        return "{\"iss\":\"" + NAME + "\",\"aud\":\"" + AUDIENCE + "\",\"exp\":"
                + Instant.now().plusSeconds(3600).getEpochSecond() + ",\"sub\":" + subject + more + "}";
    }

    /** A valid token of a subject, with further members in JSON. */
    String token(String subject, String more) {
        return signed(claims('"' + subject + '"', more));
    }

    /** Signs claims. */
    String signed(String claims) {
        try {
            return signed(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()), claims, new ECDSASigner(key));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(JWSHeader.Builder header, String claims, JWSSigner signer) {
        try {
            JWSObject token = new JWSObject(header.build(), new Payload(claims));
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        open.countDown();
        server.stop(0);
    }
}
