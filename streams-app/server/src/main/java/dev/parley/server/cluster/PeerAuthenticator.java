package dev.parley.server.cluster;

import dev.parley.server.cluster.PeerAssertion.Verified;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Authenticates instances to each other with {@link PeerKeys}. An instance proves its key and its advertised address
 * before it is sent a request. Each request carries a {@link PeerAssertion}, and each response is authenticated for its
 * request. Thread-safe.
 */
public final class PeerAuthenticator {

    /** Time for which an assertion is valid. */
    public static final Duration LIFETIME = Duration.ofSeconds(30);

    /** Maximum difference between the clocks of two instances. */
    public static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(30);

    private static final String CHALLENGE_DOMAIN = "parley.peer.challenge.v1";
    private static final String PROOF_DOMAIN = "parley.peer.proof.v1";
    private static final String RESPONSE_DOMAIN = "parley.peer.response.v1";
    private static final int CHALLENGE_NONCE_BYTES = 32;
    private static final int MAX_CHALLENGE_CHARACTERS = 512;
    private static final int MAX_NONCES = 200_000;

    private final PeerKeys keys;
    private final Supplier<HostInfo> self;
    private final Clock clock;
    private final ReplayCache seen;

    /**
     * @param self advertised address of this instance
     * @param clock for the lifetimes of assertions
     */
    public PeerAuthenticator(PeerKeys keys, Supplier<HostInfo> self, Clock clock) {
        this.keys = keys;
        this.self = self;
        this.clock = clock;
        this.seen = new ReplayCache(
                MAX_NONCES, LIFETIME.plus(MAX_CLOCK_SKEW.multipliedBy(2)).toMillis());
    }

    /** A challenge: its nonce, and the header value to send. */
    public record Challenge(String nonce, String value) {}

    /** Creates a challenge for the instance that advertises an address. */
    public static Challenge challenge(PeerKeys keys, HostInfo peer) {
        String nonce = PeerAssertion.newNonce(CHALLENGE_NONCE_BYTES);
        StringBuilder value = new StringBuilder(nonce);
        for (int key = 0; key < keys.size(); key++) {
            value.append('.').append(encode(keys.mac(key, CHALLENGE_DOMAIN, bytes(nonce), bytes(name(peer)))));
        }
        return new Challenge(nonce, value.toString());
    }

    /** Returns the key with which a peer proved, in response to a challenge, that it is the instance at an address. */
    public static Optional<Integer> verifyProof(PeerKeys keys, HostInfo peer, Challenge challenge, String proof) {
        return decode(proof)
                .flatMap(mac -> keys.verifiedBy(mac, PROOF_DOMAIN, bytes(challenge.nonce()), bytes(name(peer))));
    }

    /**
     * Returns the proof in response to a challenge; empty unless the challenge was made with a known key for this
     * instance.
     */
    public Optional<String> prove(String challenge) {
        if (challenge.length() > MAX_CHALLENGE_CHARACTERS) {
            return Optional.empty();
        }
        int end = challenge.indexOf('.');
        if (end != 2 * CHALLENGE_NONCE_BYTES) {
            return Optional.empty();
        }
        String nonce = challenge.substring(0, end);
        for (int key = 0; key < keys.size(); key++) {
            byte[] expected = keys.mac(key, CHALLENGE_DOMAIN, bytes(nonce), bytes(name(self.get())));
            int start = end;
            while (start >= 0) {
                int next = challenge.indexOf('.', start + 1);
                String mac = challenge.substring(start + 1, next < 0 ? challenge.length() : next);
                if (decode(mac)
                        .filter(bytes -> MessageDigest.isEqual(expected, bytes))
                        .isPresent()) {
                    return Optional.of(encode(keys.mac(key, PROOF_DOMAIN, bytes(nonce), bytes(name(self.get())))));
                }
                start = next;
            }
        }
        return Optional.empty();
    }

    /** Verifies an assertion for this instance and request. Empty if it is invalid, expired, or was accepted before. */
    public Optional<Verified> accept(String value, String method, String target) {
        Optional<Verified> verified = PeerAssertion.verify(keys, value, name(self.get()), method, target);
        long now = clock.millis();
        return verified.filter(found -> {
            PeerAssertion assertion = found.assertion();
            return assertion.issuedAt() <= now + MAX_CLOCK_SKEW.toMillis()
                    && assertion.expiresAt() >= now - MAX_CLOCK_SKEW.toMillis()
                    && assertion.expiresAt() - assertion.issuedAt() == LIFETIME.toMillis()
                    && seen.add(assertion.nonce(), now);
        });
    }

    /** Whether an assertion covers a body. */
    public static boolean covers(Verified request, byte[] body) {
        return request.assertion().bodyHash().equals(PeerAssertion.hash(body));
    }

    /** Returns the MAC of a response to a request. */
    public String signResponse(Verified request, int status, byte[] body) {
        byte[] nonce = bytes(request.assertion().nonce());
        return encode(keys.mac(request.key(), RESPONSE_DOMAIN, nonce, bytes(Integer.toString(status)), body));
    }

    /** Whether a response to a request is authentic. */
    public static boolean verifyResponse(PeerKeys keys, int key, String mac, String nonce, int status, byte[] body) {
        return decode(mac)
                .filter(bytes ->
                        keys.verify(key, bytes, RESPONSE_DOMAIN, bytes(nonce), bytes(Integer.toString(status)), body))
                .isPresent();
    }

    /** The advertised address, as {@code host:port}. */
    static String name(HostInfo peer) {
        return peer.host() + ':' + peer.port();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Optional<byte[]> decode(String text) {
        try {
            return Optional.of(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Nonces of accepted assertions, in two generations, bounded in time and number. When it is full, it rejects new
     * ones.
     */
    public static final class ReplayCache {
        private final int capacity;
        private final long generationMs;
        private Set<String> current = new HashSet<>();
        private Set<String> previous = new HashSet<>();
        private long since = Long.MIN_VALUE;

        /**
         * @param capacity maximum number of nonces of a generation
         * @param generationMs minimum milliseconds for which a nonce is kept
         */
        public ReplayCache(int capacity, long generationMs) {
            this.capacity = capacity;
            this.generationMs = generationMs;
        }

        /** Adds a nonce; false if it was added before, or if the cache is full. */
        public synchronized boolean add(String nonce, long now) {
            if (since == Long.MIN_VALUE || now - since >= generationMs) {
                previous = since == Long.MIN_VALUE || now - since >= 2 * generationMs ? new HashSet<>() : current;
                current = new HashSet<>();
                since = now;
            }
            return !previous.contains(nonce) && current.size() < capacity && current.add(nonce);
        }
    }
}
