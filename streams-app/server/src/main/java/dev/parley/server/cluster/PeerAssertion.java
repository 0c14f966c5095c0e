package dev.parley.server.cluster;

import dev.parley.encoding.Sha256;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * The assertion of an instance about a request that it sends to a peer: the caller, its role, and the exact request. It
 * replaces the caller's token, which never leaves the instance that received it.
 *
 * @param name name of the caller
 * @param role role of the caller
 * @param issuedAt milliseconds since 1970
 * @param nonce unique random text
 * @param bodyHash SHA-256 of the body in hexadecimal
 */
public record PeerAssertion(String name, Role role, long issuedAt, String nonce, String bodyHash) {

    private static final String DOMAIN = "parley.peer.request.v1";
    private static final int NONCE_BYTES = 16;
    private static final int MAX_BYTES = 4 << 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    public PeerAssertion {
        Objects.requireNonNull(role);
    }

    /**
     * The request that an assertion is about.
     *
     * @param audience advertised {@code host:port} of the only instance that may accept it
     * @param target path and query
     */
    public record Target(String audience, String method, String target) {}

    /** A verified assertion, and the number of the key that verified it. */
    public record Verified(PeerAssertion assertion, int key) {}

    /** An assertion about a request of this moment. */
    public static PeerAssertion of(Caller caller, long now, byte[] body) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return new PeerAssertion(
                caller.name(), caller.role(), now, HexFormat.of().formatHex(nonce), hash(body));
    }

    private static String hash(byte[] body) {
        return HexFormat.of().formatHex(Sha256.of(body));
    }

    /** The caller, on whose behalf the request is sent. The request has its namespaces. */
    public Caller caller() {
        return new Caller(name, role);
    }

    /** Whether it covers a body. */
    public boolean covers(byte[] body) {
        return bodyHash.equals(hash(body));
    }

    /** Returns the header value: a MAC over the target and this assertion, and the assertion. */
    public String sign(PeerKeys keys, int key, Target target) {
        byte[] content = PeerJson.bytes(this);
        byte[] mac = keys.mac(key, DOMAIN, PeerJson.bytes(target), content);
        byte[] value = ByteBuffer.allocate(mac.length + content.length)
                .put(mac)
                .put(content)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(value);
    }

    /**
     * Verifies a header value, and then reads it.
     *
     * @return empty if its MAC is wrong for this target, or it is malformed
     */
    static Optional<Verified> verify(PeerKeys keys, String value, Target target) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(value);
            if (bytes.length < PeerKeys.MAC_BYTES || bytes.length > MAX_BYTES) {
                return Optional.empty();
            }
            byte[] content = Arrays.copyOfRange(bytes, PeerKeys.MAC_BYTES, bytes.length);
            Optional<Integer> key =
                    keys.verifiedBy(Arrays.copyOf(bytes, PeerKeys.MAC_BYTES), DOMAIN, PeerJson.bytes(target), content);
            return key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Verified(PeerJson.read(content, PeerAssertion.class), key.get()));
        } catch (IllegalArgumentException | PeerProtocolException e) {
            return Optional.empty();
        }
    }
}
