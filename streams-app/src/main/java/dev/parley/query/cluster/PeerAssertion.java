package dev.parley.query.cluster;

import dev.parley.access.Caller;
import dev.parley.access.Role;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What one instance asserts to another about a request that it passes on: who asks, with which role, and exactly what.
 * It takes the place of the caller's token, which never leaves the instance that received it.
 *
 * @param caller name and role of the caller
 * @param issuedAt milliseconds since the epoch
 * @param expiresAt milliseconds since the epoch
 * @param nonce random bytes that no other assertion has, {@value #NONCE_BYTES} of them in hexadecimal
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

    /** An assertion as it was received, and the key that verified it. */
    public record Verified(PeerAssertion assertion, int key) {}

    public static String newNonce(int bytes) {
        byte[] nonce = new byte[bytes];
        RANDOM.nextBytes(nonce);
        return HexFormat.of().formatHex(nonce);
    }

    public static String hash(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Header value: the fields that the request line does not repeat, and the MAC over all of them. */
    public String sign(PeerKeys keys, int key) {
        byte[] mac = keys.mac(key, DOMAIN, canonical());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(mac);
        try (DataOutputStream data = new DataOutputStream(out)) {
            data.writeLong(issuedAt);
            data.writeLong(expiresAt);
            for (String text : new String[] {caller.name(), caller.role().name(), nonce, bodyHash}) {
                write(data, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
    }

    /**
     * Reads and verifies a header value. Parsing a few bounded fields is all that happens before the MAC is verified.
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
            DataInputStream data = new DataInputStream(new ByteArrayInputStream(bytes));
            mac = data.readNBytes(MAC_BYTES);
            long issuedAt = data.readLong();
            long expiresAt = data.readLong();
            String name = read(data);
            Role role = Role.valueOf(read(data));
            assertion = new PeerAssertion(
                    new Caller(name, role), issuedAt, expiresAt, read(data), audience, method, target, read(data));
            if (data.read() >= 0) {
                return Optional.empty();
            }
        } catch (IOException | IllegalArgumentException e) {
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
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(out)) {
            data.writeLong(issuedAt);
            data.writeLong(expiresAt);
            for (String text :
                    new String[] {caller.name(), caller.role().name(), nonce, audience, method, target, bodyHash}) {
                write(data, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void write(DataOutputStream data, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        data.writeInt(bytes.length);
        data.write(bytes);
    }

    private static String read(DataInputStream data) throws IOException {
        int length = data.readInt();
        if (length < 0 || length > data.available()) {
            throw new IOException("a field is longer than the assertion");
        }
        return new String(data.readNBytes(length), StandardCharsets.UTF_8);
    }
}
