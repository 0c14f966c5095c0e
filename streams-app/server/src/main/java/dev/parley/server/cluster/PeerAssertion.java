package dev.parley.server.cluster;

import dev.parley.decode.Sha256;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The assertion of an instance about a request that it sends to a peer: the caller, its role, and the exact request. It
 * replaces the caller's token, which never leaves the instance that received it.
 *
 * @param caller name and role of the caller
 * @param issuedAt milliseconds since the epoch
 * @param expiresAt milliseconds since the epoch
 * @param nonce unique random bytes, {@value #NONCE_BYTES} in hexadecimal
 * @param audience advertised {@code host:port} of the only instance that may accept it
 * @param method HTTP method
 * @param target path and query of the request line
 * @param bodyHash SHA-256 of the body in hexadecimal
 */
public record PeerAssertion(
        Caller caller,
        long issuedAt,
        long expiresAt,
        String nonce,
        String audience,
        String method,
        String target,
        String bodyHash) {

    public static final int NONCE_BYTES = 16;

    private static final String DOMAIN = "parley.peer.request.v1";
    private static final int MAC_BYTES = 32;
    private static final int MAX_BYTES = 4 << 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A verified assertion, and the number of the key that verified it. */
    public record Verified(PeerAssertion assertion, int key) {}

    public static String newNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    public static String hash(byte[] body) {
        return HexFormat.of().formatHex(Sha256.of(body));
    }

    /** An assertion about a request of this moment. */
    static PeerAssertion of(Caller caller, long now, String audience, String method, byte[] body) {
        return new PeerAssertion(
                caller,
                now,
                now + PeerAuthenticator.LIFETIME.toMillis(),
                newNonce(),
                audience,
                method,
                PeerHeaders.PATH,
                hash(body));
    }

    /** Returns the header value: the fields that the request line does not repeat, and the MAC over all fields. */
    public String sign(PeerKeys keys, int key) {
        byte[] mac = keys.mac(key, DOMAIN, canonical());
        byte[] sent = fields(caller.name(), caller.role().name(), nonce, bodyHash);
        byte[] value =
                ByteBuffer.allocate(mac.length + sent.length).put(mac).put(sent).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(value);
    }

    /**
     * Reads and verifies a header value. Before the MAC is verified, only a few bounded fields are parsed.
     *
     * @param audience advertised {@code host:port} of this instance
     * @return empty if it is malformed or its MAC is wrong for this audience, method and target
     */
    static Optional<Verified> verify(PeerKeys keys, String value, String audience, String method, String target) {
        PeerAssertion assertion;
        byte[] mac = new byte[MAC_BYTES];
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(value);
            if (bytes.length > MAX_BYTES) {
                return Optional.empty();
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            in.readFully(mac);
            long issuedAt = in.readLong();
            long expiresAt = in.readLong();
            Caller caller = new Caller(in.readUTF(), Role.valueOf(in.readUTF()));
            assertion = new PeerAssertion(
                    caller, issuedAt, expiresAt, in.readUTF(), audience, method, target, in.readUTF());
            if (in.available() > 0) {
                return Optional.empty();
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
        return keys.verifiedBy(mac, DOMAIN, assertion.canonical()).map(key -> new Verified(assertion, key));
    }

    private byte[] canonical() {
        return fields(caller.name(), caller.role().name(), nonce, audience, method, target, bodyHash);
    }

    /** The times, and texts with their lengths in front. */
    private byte[] fields(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeLong(issuedAt);
            out.writeLong(expiresAt);
            for (String text : texts) {
                out.writeUTF(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a field of an assertion has at most 64 KiB", e);
        }
        return bytes.toByteArray();
    }
}
