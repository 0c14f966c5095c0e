package dev.parley.server.cluster;

import dev.parley.server.cluster.PeerAssertion.Target;
import dev.parley.server.cluster.PeerAssertion.Verified;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.HostInfo;

/**
 * Authenticates instances to each other with {@link PeerKeys}. Each request carries a {@link PeerAssertion} for the
 * advertised address of its receiver, and each response is authenticated for its request. Thread-safe.
 */
public final class PeerAuthenticator {

    /** Time for which an assertion is valid. */
    public static final Duration LIFETIME = Duration.ofSeconds(30);

    /** Maximum difference between the clocks of two instances. */
    public static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(30);

    private static final String RESPONSE_DOMAIN = "parley.peer.response.v1";
    private static final int MAX_KEYS = 2;
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

    /**
     * Verifies an assertion for this instance and request.
     *
     * @param values the assertion, signed with each key of the peer
     * @return empty if it is invalid, expired, or was accepted before
     */
    public Optional<Verified> accept(List<String> values, String method, String target) {
        Target request = new Target(name(self.get()), method, target);
        long now = clock.millis();
        return values.stream()
                .limit(MAX_KEYS)
                .flatMap(value -> PeerAssertion.verify(keys, value, request).stream())
                .findFirst()
                .filter(found -> isCurrent(found.assertion().issuedAt(), now)
                        && seen.add(found.assertion().nonce(), now));
    }

    private static boolean isCurrent(long issuedAt, long now) {
        return issuedAt <= now + MAX_CLOCK_SKEW.toMillis()
                && issuedAt >= now - LIFETIME.plus(MAX_CLOCK_SKEW).toMillis();
    }

    /** Returns the MAC of a response to a request. */
    public String signResponse(Verified request, int status, byte[] body) {
        byte[] nonce = bytes(request.assertion().nonce());
        byte[] mac = keys.mac(request.key(), RESPONSE_DOMAIN, nonce, bytes(Integer.toString(status)), body);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
    }

    /** Whether a response to a request is authentic. */
    public static boolean verifyResponse(PeerKeys keys, String mac, String nonce, int status, byte[] body) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(mac);
            return keys.verifiedBy(bytes, RESPONSE_DOMAIN, bytes(nonce), bytes(Integer.toString(status)), body)
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The advertised address, as {@code host:port}. */
    static String name(HostInfo peer) {
        return peer.host() + ':' + peer.port();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
