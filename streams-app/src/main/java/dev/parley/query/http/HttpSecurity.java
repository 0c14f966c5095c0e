package dev.parley.query.http;

import dev.parley.access.Authenticator;
import dev.parley.access.RateLimiter;
import dev.parley.query.cluster.PeerKeys;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Who gets in to the API, and how much of it at once.
 *
 * @param tls certificate and key; empty for HTTP without TLS
 * @param authentication which tokens are accepted; empty where nobody is asked who they are, and everybody may do what
 *     a reader may
 * @param rate how often a caller may ask
 * @param limits how much may come in at once
 * @param peers keys by which the instances of a deployment authenticate each other; empty if they do not ask each other
 */
public record HttpSecurity(
        Optional<SSLContext> tls,
        Optional<Authenticator> authentication,
        RateLimiter rate,
        Limits limits,
        Optional<PeerKeys> peers) {

    /**
     * How much may come in at once.
     *
     * @param headerBytes most bytes of a request's line and headers
     * @param bodyBytes most bytes of a request's body
     * @param requests most requests that are answered at the same time; four times as many wait for their turn
     * @param connections most connections
     * @param responseBytes maximum bytes of a response, about
     * @param shares how much of that one client or one kind of requests may have
     * @param deadlines how long a client may take
     */
    public record Limits(
            int headerBytes,
            int bodyBytes,
            int requests,
            int connections,
            int responseBytes,
            Shares shares,
            Deadlines deadlines) {

        private static final int RESPONSE_BYTES = 4 << 20;

        /** For tests and the demo; the settings have the same defaults. */
        public static final Limits DEFAULT = new Limits(64 << 10, 64 << 10, 64, 512);

        /** Limits with responses of the default size, and the default shares and deadlines. */
        public Limits(int headerBytes, int bodyBytes, int requests, int connections) {
            this(headerBytes, bodyBytes, requests, connections, RESPONSE_BYTES);
        }

        /** Limits with the default shares and deadlines. */
        public Limits(int headerBytes, int bodyBytes, int requests, int connections, int responseBytes) {
            this(headerBytes, bodyBytes, requests, connections, responseBytes, Shares.DEFAULT, Deadlines.DEFAULT);
        }

        /** Limits with responses of the default size. */
        public Limits(
                int headerBytes, int bodyBytes, int requests, int connections, Shares shares, Deadlines deadlines) {
            this(headerBytes, bodyBytes, requests, connections, RESPONSE_BYTES, shares, deadlines);
        }
    }

    /**
     * The part of the limits that one client or one kind of requests may have.
     *
     * @param addressConnections maximum connections of one address; of an IPv6 /64 network
     * @param callerRequests maximum requests in progress of one caller
     * @param waiting maximum requests that wait for views; they hold no thread
     */
    public record Shares(int addressConnections, int callerRequests, int waiting) {

        /** The defaults of the settings. */
        public static final Shares DEFAULT = new Shares(128, 32, 256);
    }

    /**
     * How long a client may take; then its connection is closed.
     *
     * @param headerMs milliseconds from connecting, or from the first byte of a later request, to complete headers;
     *     includes the TLS handshake
     * @param bodyMs milliseconds for a body, on top of what its size takes at {@code bytesPerSecond}
     * @param responseMs milliseconds for reading a response, on top of what its size takes at {@code bytesPerSecond}
     * @param idleMs milliseconds between two requests
     * @param bytesPerSecond minimum data rate of bodies and responses
     */
    public record Deadlines(int headerMs, int bodyMs, int responseMs, int idleMs, int bytesPerSecond) {

        /** The defaults of the settings. */
        public static final Deadlines DEFAULT = new Deadlines(5_000, 5_000, 10_000, 30_000, 16 << 10);
    }
}
