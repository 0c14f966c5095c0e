package dev.parley.query;

import dev.parley.access.Authentication;
import dev.parley.access.RateLimit;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.types.Password;

/**
 * Who gets in to the API, and how much of it at once.
 *
 * @param tls certificate and key; empty for HTTP without TLS
 * @param authentication which tokens are accepted; empty where nobody is asked who they are, and everybody may do what a reader may
 * @param rate how often a caller may ask
 * @param limits how much may come in at once
 * @param peers the secret that proves that a request comes from another process of the same deployment; empty where nothing does
 */
public record Doors(
        Optional<SSLContext> tls,
        Optional<Authentication> authentication,
        RateLimit rate,
        Limits limits,
        Optional<Password> peers) {

    /**
     * How much may come in at once.
     *
     * @param headerBytes most bytes of a request's line and headers
     * @param bodyBytes most bytes of a request's body
     * @param requests most requests that are answered at the same time; four times as many wait for their turn
     * @param connections most connections
     * @param responseBytes most bytes of a response, about
     */
    public record Limits(int headerBytes, int bodyBytes, int requests, int connections, int responseBytes) {

        /** For tests and the demo; the settings have the same defaults. */
        public static final Limits DEFAULT = new Limits(16 << 10, 64 << 10, 64, 512);

        /** Responses of 4 MiB. */
        public Limits(int headerBytes, int bodyBytes, int requests, int connections) {
            this(headerBytes, bodyBytes, requests, connections, 4 << 20);
        }
    }

    /** Without TLS, tokens or a limit on the rate: for the loopback address alone. */
    public static final Doors OPEN =
            new Doors(Optional.empty(), Optional.empty(), RateLimit.NONE, Limits.DEFAULT, Optional.empty());
}
