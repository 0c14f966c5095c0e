package dev.parley.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import java.text.ParseException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Verifies JWTs: issuer, audience, expiry, and a signature by a known key with an accepted algorithm. No result repeats
 * content of a refused token. Thread-safe.
 */
public final class JwtVerifier {
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    /** The result of verifying a token. */
    public sealed interface Result {}

    /** The token is valid. */
    public record Valid(JWTClaimsSet claims) implements Result {}

    /** The token is invalid, permanently. */
    public record Invalid(Cause cause) implements Result {}

    /**
     * The token cannot be verified now.
     *
     * @param reason why the keys are unavailable
     */
    public record Unavailable(String reason) implements Result {}

    /** Why a token is invalid. */
    public enum Cause {
        /** It has expired. */
        EXPIRED,
        /** The issuer, audience, name or times are wrong or missing. */
        CLAIMS,
        /** The signature, key or algorithm is not accepted. */
        SIGNATURE
    }

    /**
     * Creates a verifier.
     *
     * @param keys public keys of the provider
     */
    public JwtVerifier(JwtRules rules, JWKSource<SecurityContext> keys) {
        Set<JWSAlgorithm> algorithms =
                rules.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                rules.audience(),
                new JWTClaimsSet.Builder().issuer(rules.issuer()).build(),
                Set.of("exp", rules.nameClaim()),
                Set.of());
        claims.setMaxClockSkew((int) rules.skew().toSeconds());
        processor.setJWTClaimsSetVerifier(claims);
    }

    /** Reads the form of a token, not its claims; empty if it is no signed JWT. */
    public static Optional<SignedJWT> parse(String token) {
        try {
            return Optional.of(SignedJWT.parse(token));
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    /** Verifies a token. */
    public Result verify(SignedJWT token) {
        try {
            return new Valid(processor.process(token, null));
        } catch (ExpiredJWTException e) {
            return new Invalid(Cause.EXPIRED);
        } catch (BadJWTException e) {
            return new Invalid(Cause.CLAIMS);
        } catch (BadJOSEException | RateLimitReachedException e) {
            // The rate limit is reached by callers who repeat key IDs that the provider does not have.
            return new Invalid(Cause.SIGNATURE);
        } catch (JOSEException e) {
            return new Unavailable(e.getMessage());
        }
    }
}
