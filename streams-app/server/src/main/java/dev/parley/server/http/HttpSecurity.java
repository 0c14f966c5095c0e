package dev.parley.server.http;

import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.cluster.PeerKeys;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Access control and limits of the HTTP API.
 *
 * @param tls certificate and key; empty for HTTP without TLS
 * @param authentication verifies tokens; if empty, callers are anonymous and have the role reader
 * @param rate rate limiter per caller
 * @param limits sizes, numbers, and deadlines
 * @param peers keys by which the instances of a deployment authenticate each other; if empty, they do not ask each
 *     other
 * @param prefix of all paths, as clients of a reverse proxy see them, such as {@code /parley}; empty if there is none
 * @param hosts host names by which clients may address the API if it needs no token
 */
public record HttpSecurity(
        Optional<SSLContext> tls,
        Optional<Authenticator> authentication,
        RateLimiter rate,
        Limits limits,
        Optional<PeerKeys> peers,
        String prefix,
        HostNames hosts) {

    /**
     * Limits of requests and responses.
     *
     * @param headerBytes maximum bytes of a request's line and headers
     * @param bodyBytes maximum bytes of a request's body
     * @param responseBytes approximate maximum bytes of a response
     * @param requests maximum requests handled at the same time; four times as many are queued
     * @param callerRequests maximum requests in progress of one caller
     * @param waiting maximum requests that wait for a retry; they hold no thread
     * @param connections limits of connections
     */
    public record Limits(
            int headerBytes,
            int bodyBytes,
            int responseBytes,
            int requests,
            int callerRequests,
            int waiting,
            Connections connections) {}

    /**
     * Limits of connections. After one of the times, the connection is closed.
     *
     * @param total maximum connections
     * @param perAddress maximum connections of one address; of an IPv6 /64 network
     * @param headerMs milliseconds from connecting, or from the first byte of a later request, to complete headers;
     *     includes the TLS handshake
     * @param bodyMs milliseconds for a body, in addition to its size divided by {@code bytesPerSecond}
     * @param responseMs milliseconds for reading a response, in addition to its size divided by {@code bytesPerSecond}
     * @param idleMs milliseconds between two requests
     * @param bytesPerSecond minimum data rate of bodies and responses
     */
    public record Connections(
            int total, int perAddress, int headerMs, int bodyMs, int responseMs, int idleMs, int bytesPerSecond) {}
}
