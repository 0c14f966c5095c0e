package dev.parley.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.parley.server.auth.AuthenticationResult.Known;
import dev.parley.server.auth.AuthenticationResult.Reason;
import dev.parley.server.auth.AuthenticationResult.Refused;
import dev.parley.server.auth.AuthenticationResult.Unavailable;
import dev.parley.server.auth.OidcTokens.Keeping;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OidcTokensTest {
    private Provider provider;
    private OidcTokens tokens;

    @BeforeEach
    void start() throws IOException, JOSEException {
        provider = new Provider();
        tokens = new OidcTokens(provider.settings());
    }

    @AfterEach
    void stop() {
        provider.close();
    }

    @ParameterizedTest
    @CsvSource({
        "parley-reader, READER",
        "parley-auditor, AUDITOR",
        "parley-operator, OPERATOR",
        "boss, OPERATOR",
        "something-else, NONE",
        "Parley-Reader, NONE",
        "reader, NONE"
    })
    void theClaimDeterminesTheRole(String claim, Role role) {
        assertThat(tokens.identify(provider.token(claim))).contains(new Known(new Caller("oidc:alice", role)));
    }

    @Test
    void theHighestOfSeveralRolesCounts() {
        assertThat(role(provider.token("parley-reader", "other", "parley-auditor")))
                .isEqualTo(Role.AUDITOR);
        assertThat(role(provider.token())).isEqualTo(Role.NONE);
    }

    @Test
    void rolesMayBeNestedInAStringOrUnderANameWithDots() {
        JWTClaimsSet claims = Provider.claims()
                .claim("roles", "openid parley-reader email")
                .claim("realm_access", Map.of("roles", List.of("parley-auditor", 7)))
                .claim("https://example.com/roles", List.of("parley-operator"))
                .build();
        String token = provider.token(claims);

        assertThat(role(token)).isEqualTo(Role.READER);
        assertThat(role("realm_access.roles", token)).isEqualTo(Role.AUDITOR);
        assertThat(role("https://example.com/roles", token)).isEqualTo(Role.OPERATOR);
        assertThat(role("realm_access.roles.more", token)).isEqualTo(Role.NONE);
        assertThat(role("realm_access", token)).isEqualTo(Role.NONE);
        assertThat(role("nothing", token)).isEqualTo(Role.NONE);
    }

    @Test
    void aClaimBindsCallersToNamespaces() {
        OidcTokens bound = new OidcTokens(provider.settings("roles", Optional.of("parley.namespaces")));
        JWTClaimsSet.Builder claims = Provider.claims("parley-producer");
        String without = provider.token(claims.build());
        String one = provider.token(
                claims.claim("parley", Map.of("namespaces", "plant lab")).build());

        assertThat(caller(bound, one).namespaces()).contains(Set.of("plant", "lab"));
        assertThat(caller(bound, without).namespaces()).contains(Set.of());
        assertThat(caller(bound, without).maySendTo("default")).isFalse();
        assertThat(caller(tokens, one).maySendTo("default")).isTrue();
        for (String role : List.of("parley-reader", "parley-auditor", "parley-operator")) {
            String operator = provider.token(Provider.claims(role).build());
            assertThat(caller(bound, operator).namespaces()).contains(Set.of());
            String all = provider.token(Provider.claims(role)
                    .claim("parley", Map.of("namespaces", List.of("plant", "*")))
                    .build());
            assertThat(caller(bound, all).isBound()).isFalse();
        }
    }

    private static Caller caller(OidcTokens tokens, String token) {
        return ((Known) tokens.identify(token).orElseThrow()).caller();
    }

    @Test
    void anExpiredTokenIsRefused() {
        assertRefused(
                provider.token(Provider.claims("parley-reader")
                        .expirationTime(ago(Duration.ofMinutes(2)))
                        .build()),
                Reason.EXPIRED);
    }

    @Test
    void clocksMayBeAMinuteApart() {
        assertThat(role(provider.token(Provider.claims("parley-reader")
                        .expirationTime(ago(Duration.ofSeconds(30)))
                        .build())))
                .isEqualTo(Role.READER);
    }

    @Test
    void aFutureTokenOrOneOfAnotherAudienceOrIssuerIsRefused() {
        assertRefused(
                provider.token(Provider.claims("parley-reader")
                        .notBeforeTime(ago(Duration.ofHours(-1)))
                        .build()),
                Reason.CLAIMS);
        assertRefused(
                provider.token(Provider.claims("parley-reader").audience("mail").build()), Reason.CLAIMS);
        assertRefused(
                provider.token(
                        Provider.claims("parley-reader").audience((String) null).build()),
                Reason.CLAIMS);
        assertRefused(
                provider.token(Provider.claims("parley-reader")
                        .issuer("https://id.example.com/")
                        .build()),
                Reason.CLAIMS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exp", "sub", "iss"})
    void aTokenWithoutARequiredClaimIsRefused(String claim) {
        assertRefused(
                provider.token(
                        Provider.claims("parley-reader").claim(claim, null).build()),
                Reason.CLAIMS);
    }

    @Test
    void aTokenOfAnotherKeyIsRefusedWhateverItsKeyId() throws JOSEException {
        JWTClaimsSet claims = Provider.claims("parley-operator").build();
        for (String id : List.of("one", "two")) {
            JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id);
            assertRefused(Provider.signed(header, claims, new RSASSASigner(Provider.key(id))), Reason.SIGNATURE);
        }
    }

    @Test
    void aTokenWithAnEmbeddedKeyIsRefused() throws JOSEException {
        var own = Provider.key("own");
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(own.toPublicJWK());
        assertRefused(
                Provider.signed(header, Provider.claims("parley-operator").build(), new RSASSASigner(own)),
                Reason.SIGNATURE);
    }

    @Test
    void aDisallowedAlgorithmIsRefusedDespiteAValidSignature() {
        assertRefused(
                provider.token(
                        Provider.claims("parley-reader").build(),
                        header -> new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("one")),
                Reason.SIGNATURE);
    }

    @Test
    void thePublicKeyIsNotAcceptedAsASharedSecret() throws JOSEException {
        JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one");
        assertRefused(
                Provider.signed(
                        header,
                        Provider.claims("parley-operator").build(),
                        new MACSigner(provider.published().toRSAPublicKey().getEncoded())),
                Reason.SIGNATURE);
    }

    @Test
    void aTokenWithoutASignatureIsOfAnotherKind() {
        String plain = new PlainJWT(Provider.claims("parley-operator").build()).serialize();
        assertThat(tokens.identify(plain)).isEmpty();
    }

    @Test
    void aModifiedTokenIsRefused() {
        String[] parts = provider.token("parley-reader").split("\\.", -1);
        String[] other = provider.token("parley-operator").split("\\.", -1);
        assertRefused(parts[0] + "." + other[1] + "." + parts[2], Reason.SIGNATURE);
    }

    @Test
    void theTypeHeaderMayOnlyNameAccessTokens() {
        JWTClaimsSet claims = Provider.claims("parley-reader").build();
        assertThat(role(provider.token(claims, header -> header.type(new JOSEObjectType("at+jwt")))))
                .isEqualTo(Role.READER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "a.b.c", "....", "parley_abc", "eyJhbGciOiJSUzI1NiJ9"})
    void otherTokensAreOfAnotherKind(String text) {
        assertThat(tokens.identify(text)).isEmpty();
    }

    @Test
    void keysAreFetchedOnceAndAgainForANewKey() throws JOSEException {
        role(provider.token("parley-reader"));
        role(provider.token("parley-reader"));
        assertThat(provider.fetches()).isOne();

        provider.rotate("two");
        assertThat(role(provider.token("parley-reader"))).isEqualTo(Role.READER);
        assertThat(provider.fetches()).isEqualTo(2);
    }

    @Test
    void inventedKeyIdsDoNotTriggerAFetchEachTime() throws JOSEException {
        for (int i = 0; i < 50; i++) {
            int number = i;
            assertRefused(
                    provider.token(
                            Provider.claims("parley-reader").build(), header -> header.keyID("invented-" + number)),
                    Reason.SIGNATURE);
        }
        assertThat(provider.fetches()).isLessThanOrEqualTo(3);
        assertThat(role(provider.token("parley-reader"))).isEqualTo(Role.READER);
    }

    @Test
    void cachedKeysAreUsedWhileTheProviderIsUnavailable() {
        OidcTokens forgetful = new OidcTokens(
                provider.settings(), new Keeping(Duration.ofMillis(2), Duration.ofMillis(1), Duration.ofHours(1)));
        String token = provider.token("parley-reader");
        assertThat(forgetful.identify(token)).containsInstanceOf(Known.class);
        provider.breakDown();

        assertThat(forgetful.identify(token)).containsInstanceOf(Known.class);
    }

    @Test
    void aTokenThatCannotBeVerifiedIsNeitherAcceptedNorRefused() {
        provider.breakDown();

        assertThat(tokens.identify(provider.token("parley-reader"))).containsInstanceOf(Unavailable.class);
    }

    private Role role(String token) {
        return ((Known) tokens.identify(token).orElseThrow()).caller().role();
    }

    private Role role(String claim, String token) {
        return ((Known) new OidcTokens(provider.settings(claim)).identify(token).orElseThrow())
                .caller()
                .role();
    }

    private void assertRefused(String token, Reason reason) {
        assertThat(tokens.identify(token)).contains(new Refused(reason));
    }

    private static Date ago(Duration time) {
        return Date.from(Instant.now().minus(time));
    }
}
