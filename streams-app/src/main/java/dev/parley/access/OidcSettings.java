package dev.parley.access;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which tokens of an OpenID provider are accepted, and what they give.
 *
 * @param issuer what the claim iss must be
 * @param audience of which the claim aud must have one
 * @param keys where the provider publishes its public keys (jwks_uri)
 * @param algorithms names of the signature algorithms that are allowed; asymmetric ones
 * @param nameClaim claim that names the bearer
 * @param rolesClaim claim with the roles: a list, or a text with blanks between them; a path with dots leads into objects
 * @param roles what a role is called in that claim
 * @param skew how far the clocks may be apart
 */
public record OidcSettings(
        String issuer,
        Set<String> audience,
        URI keys,
        Set<String> algorithms,
        String nameClaim,
        String rolesClaim,
        Map<Role, Set<String>> roles,
        Duration skew) {

    /** Algorithms that may be allowed: those that need no shared secret. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
}
