package dev.parley.server.auth;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings for tokens of an OpenID provider.
 *
 * @param issuer required value of the claim iss
 * @param audience accepted audiences; the claim aud must contain one of them
 * @param keys URL of the provider's public keys (jwks_uri)
 * @param algorithms names of the accepted, asymmetric signature algorithms
 * @param nameClaim claim with the caller's name
 * @param rolesClaim claim with the roles: a list, or a string with spaces; dots in the path select nested objects
 * @param namespacesClaim claim with the namespaces of a caller, in the same form; empty if no claim binds callers
 * @param skew maximum difference between the clocks
 */
public record OidcSettings(
        String issuer,
        Set<String> audience,
        URI keys,
        Set<String> algorithms,
        String nameClaim,
        String rolesClaim,
        Map<Role, Set<String>> roles,
        Optional<String> namespacesClaim,
        Duration skew) {}
