package dev.parley.server.cluster;

import dev.parley.decode.Sha256;
import dev.parley.server.access.Caller;
import dev.parley.server.access.Role;
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

    private static final String DOMAIN = "parley.peer.request.v2";
    private static final int MAC_BYTES = 32;
    private static final int MAX_BYTES = 4 << 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A verified assertion, and the number of the key that verified it. */
    public record Verified(PeerAssertion assertion, int key) {}

    public static String newNonce(int bytes) {
        byte[] nonce = new byte[bytes];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    public static String hash(byte[] body) {
        return HexFormat.of().formatHex(Sha256.of(body));
    }

    /** Returns the header value: the fields that the request line does not repeat, and the MAC over all fields. */
    public String sign(PeerKeys keys, int key) {
        byte[] value = new BinaryWriter()
                .raw(keys.mac(key, DOMAIN, canonical()))
                .int64(issuedAt)
                .int64(expiresAt)
                .text(caller.name(), caller.role().name(), nonce, bodyHash)
                .toByteArray();
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
        byte[] mac;
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(value);
            if (bytes.length > MAX_BYTES) {
                return Optional.empty();
            }
            BinaryReader in = new BinaryReader(bytes);
            mac = in.raw(MAC_BYTES);
            long issuedAt = in.int64();
            long expiresAt = in.int64();
            Caller caller = new Caller(in.text(), Role.valueOf(in.text()));
            assertion = new PeerAssertion(caller, issuedAt, expiresAt, in.text(), audience, method, target, in.text());
            in.end();
        } catch (BinaryReader.MalformedException | IllegalArgumentException e) {
            return Optional.empty();
        }
        for (int key = 0; key < keys.size(); key++) {
            if (keys.verify(key, mac, DOMAIN, assertion.canonical())) {
                return Optional.of(new Verified(assertion, key));
            }
        }
        return Optional.empty();
    }

    private byte[] canonical() {
        return new BinaryWriter()
                .int64(issuedAt)
                .int64(expiresAt)
                .text(caller.name(), caller.role().name(), nonce, audience, method, target, bodyHash)
                .toByteArray();
    }
}
