package dev.parley.server.auth;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Settings for sign-in sessions of browsers.
 *
 * @param idle maximum time without activity
 * @param lifetime maximum time since the sign-in
 * @param provider client of the OpenID provider; empty if users enter a token
 * @param clock time source
 */
public record SessionSettings(
        Duration idle, Duration lifetime, Optional<OidcClient> provider, InstantSource clock) {

    public static final SessionSettings DEFAULT =
            new SessionSettings(Duration.ofHours(1), Duration.ofHours(12), Optional.empty(), InstantSource.system());
}
