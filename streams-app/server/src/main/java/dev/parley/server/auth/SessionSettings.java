package dev.parley.server.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Settings for sessions of browsers.
 *
 * @param idle maximum time without activity
 * @param lifetime maximum time since the sign-in
 * @param client client of the OpenID provider; empty if users enter a token
 * @param clock time source
 */
public record SessionSettings(Duration idle, Duration lifetime, Optional<Client> client, InstantSource clock) {

    public static final SessionSettings DEFAULT =
            new SessionSettings(Duration.ofHours(1), Duration.ofHours(12), Optional.empty(), InstantSource.system());

    /**
     * A public client of an OpenID provider.
     *
     * @param id client ID, which is the audience of ID tokens
     * @param scope requested scopes, separated by spaces
     */
    public record Client(OidcSettings provider, String id, String scope) {}
}
