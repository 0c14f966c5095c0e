package dev.parley.cli.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An issuer of OAuth tokens as brokers and clients see one: a token endpoint for client credentials, and the key that
 * its JWTs are signed with.
 */
public final class TokenIssuer implements AutoCloseable {
    public static final String AUDIENCE = "kafka";
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();
    private static final int LIFE_SECONDS = 600;

    private final HttpServer server;
    private final KeyPair keys;
    private final String credentials;
    private final String subject;
    private final AtomicInteger issued = new AtomicInteger();

    private TokenIssuer(HttpServer server, KeyPair keys, String client, String secret) {
        this.server = server;
        this.keys = keys;
        this.subject = client;
        this.credentials = "Basic " + Base64.getEncoder().encodeToString((client + ":" + secret).getBytes(UTF_8));
    }

    /** Starts one that knows one client. */
    public static TokenIssuer start(String client, String secret) throws IOException, GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TokenIssuer issuer = new TokenIssuer(server, generator.generateKeyPair(), client, secret);
        server.createContext("/token", issuer::token);
        server.createContext("/jwks", exchange -> answer(exchange, 200, issuer.jwks()));
        server.start();
        return issuer;
    }

    public String tokenUrl() {
        return url() + "/token";
    }

    public String jwksUrl() {
        return url() + "/jwks";
    }

    /** How many tokens it has given. */
    public int issued() {
        return issued.get();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void token(HttpExchange exchange) throws IOException {
        if (!credentials.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, "{\"error\":\"invalid_client\"}");
            return;
        }
        issued.incrementAndGet();
        answer(
                exchange,
                200,
                "{\"access_token\":\"" + jwt() + "\",\"token_type\":\"Bearer\",\"expires_in\":" + LIFE_SECONDS + "}");
    }

    private String jwt() {
        long now = Instant.now().getEpochSecond();
        String head = part("{\"alg\":\"RS256\",\"kid\":\"one\",\"typ\":\"JWT\"}");
        String claims = part("{\"iss\":\"" + url() + "\",\"aud\":\"" + AUDIENCE + "\",\"sub\":\"" + subject
                + "\",\"iat\":" + now + ",\"exp\":" + (now + LIFE_SECONDS) + ",\"scope\":\"kafka\"}");
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update((head + "." + claims).getBytes(UTF_8));
            return head + "." + claims + "." + URL.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String jwks() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"alg\":\"RS256\",\"use\":\"sig\",\"n\":\""
                + URL.encodeToString(unsigned(key.getModulus())) + "\",\"e\":\""
                + URL.encodeToString(unsigned(key.getPublicExponent())) + "\"}]}";
    }

    private static byte[] unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    private static String part(String json) {
        return URL.encodeToString(json.getBytes(UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        byte[] body = json.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
