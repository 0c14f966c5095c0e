package dev.parley.oidc;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a valid JWT has.
 *
 * @param issuer required value of the claim iss
 * @param audience accepted audiences; the claim aud must contain one of them
 * @param algorithms names of the accepted signature algorithms, of {@link #ALGORITHMS}
 * @param nameClaim required claim with the caller's name
 * @param skew maximum difference between the clocks
 */
public record JwtRules(String issuer, Set<String> audience, Set<String> algorithms, String nameClaim, Duration skew) {

    /** Supported algorithms: those without a shared secret. */
    public static final List<String> ALGORITHMS =
            List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");
}
