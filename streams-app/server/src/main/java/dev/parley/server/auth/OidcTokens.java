package dev.parley.server.auth;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.oidc.JwtRules;
import dev.parley.oidc.JwtVerifier;
import java.net.MalformedURLException;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies JWTs of an OpenID provider: issuer, audience, expiry, and a signature by one of its published keys with an
 * accepted algorithm. It fetches the keys on first use and caches them for minutes. An unknown key ID triggers another
 * fetch, at most one per half minute. If the provider is unavailable, cached keys remain valid for an hour.
 */
public final class OidcTokens implements TokenVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(OidcTokens.class);
    private static final int TIMEOUT_MS = 5_000;
    private static final int MAX_KEY_BYTES = 1 << 20;

    /** Limit of concurrent verifications: each holds a thread, and fetching keys can take seconds. */
    private static final int MAX_VERIFYING = 32;

    private final Semaphore verifying = new Semaphore(MAX_VERIFYING);
    private final OidcSettings settings;
    private final JwtVerifier verifier;

    /**
     * Durations of the key cache.
     *
     * @param fresh time of use without a request to the provider
     * @param pause minimum time between two fetches, apart from one for an unknown key ID
     * @param outage time of use while the provider is unavailable
     */
    record Keeping(Duration fresh, Duration pause, Duration outage) {
        static final Keeping DEFAULT = new Keeping(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofHours(1));
    }

    /** Creates a verifier with these settings; sends no request yet. */
    public OidcTokens(OidcSettings settings) {
        this(settings, Keeping.DEFAULT);
    }

    OidcTokens(OidcSettings settings, Keeping keeping) {
        this.settings = settings;
        JwtRules rules = new JwtRules(
                settings.issuer(), settings.audience(), settings.algorithms(), settings.nameClaim(), settings.skew());
        this.verifier = new JwtVerifier(rules, keys(settings, keeping));
    }

    @Override
    public Optional<AuthenticationResult> identify(String token) {
        Optional<SignedJWT> jwt = JwtVerifier.parse(token);
        if (jwt.isEmpty()) {
            return Optional.empty();
        }
        if (!verifying.tryAcquire()) {
            return Optional.of(new AuthenticationResult.Unavailable("Too many tokens are being verified. Try again."));
        }
        try {
            return Optional.of(verify(jwt.get()));
        } finally {
            verifying.release();
        }
    }

    private AuthenticationResult verify(SignedJWT jwt) {
        JwtVerifier.Result result = verifier.verify(jwt);
        if (result instanceof JwtVerifier.Invalid invalid) {
            return new AuthenticationResult.Refused(
                    AuthenticationResult.Reason.valueOf(invalid.cause().name()));
        }
        if (result instanceof JwtVerifier.Unavailable keys) {
            LOG.warn("Cannot fetch the OpenID provider's keys at {}: {}", settings.keys(), keys.reason());
            return new AuthenticationResult.Unavailable("The OpenID provider's keys are unavailable.");
        }
        try {
            return new AuthenticationResult.Known(caller(((JwtVerifier.Valid) result).claims()));
        } catch (ParseException e) {
            return new AuthenticationResult.Refused(AuthenticationResult.Reason.CLAIMS);
        }
    }

    private Caller caller(JWTClaimsSet claims) throws ParseException {
        // Without the claim, a caller has no namespace.
        return new Caller(
                "oidc:" + claims.getClaimAsString(settings.nameClaim()),
                role(claims),
                settings.namespacesClaim().map(claim -> named(claims, claim)));
    }

    private Role role(JWTClaimsSet claims) {
        Set<String> named = named(claims, settings.rolesClaim());
        Role highest = Role.NONE;
        for (Role role : Role.GIVEN) {
            if (settings.roles().getOrDefault(role, Set.of()).stream().anyMatch(named::contains)) {
                highest = role;
            }
        }
        return highest;
    }

    /** The texts in a claim: a list, or a string with spaces; dots in the name select nested objects. */
    private static Set<String> named(JWTClaimsSet claims, String claim) {
        Object value = claims.getClaim(claim);
        if (value == null) {
            value = claims.getClaims();
            for (String step : claim.split("\\.", -1)) {
                value = value instanceof Map<?, ?> object ? object.get(step) : null;
            }
        }
        if (value instanceof Collection<?> list) {
            return list.stream()
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .collect(Collectors.toSet());
        }
        return value instanceof String text ? new HashSet<>(Arrays.asList(text.split(" ", -1))) : Set.of();
    }

    /** The provider's keys; sends no request yet. */
    public static JWKSource<SecurityContext> keys(OidcSettings settings) {
        return keys(settings, Keeping.DEFAULT);
    }

    private static JWKSource<SecurityContext> keys(OidcSettings settings, Keeping keeping) {
        try {
            return JWKSourceBuilder.<SecurityContext>create(
                            settings.keys().toURL(),
                            new DefaultResourceRetriever(TIMEOUT_MS, TIMEOUT_MS, MAX_KEY_BYTES))
                    .cache(keeping.fresh().toMillis(), 3L * TIMEOUT_MS)
                    .refreshAheadCache(false)
                    .rateLimited(keeping.pause().toMillis())
                    .outageTolerant(keeping.outage().toMillis())
                    .build();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Invalid URL of the OpenID provider's keys: " + settings.keys(), e);
        }
    }
}
