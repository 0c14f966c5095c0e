package dev.parley.demo;

import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.auth.SessionSettings;
import dev.parley.server.auth.StoredToken;
import dev.parley.server.auth.TokenVerifier;
import dev.parley.server.http.HttpSecurity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tokens of one run for the HTTP API, which exist in memory only: one for the report, if the API requires tokens, and
 * one for the user on request.
 *
 * @param security security of the API, which also accepts these tokens
 * @param reader token of role reader; empty if the API requires no token
 * @param operator token of role operator; empty unless requested
 */
record ReportAccess(HttpSecurity security, Optional<String> reader, Optional<String> operator) {

    /**
     * Adds the tokens of a run to the security that is configured.
     *
     * @param requested whether the API must require tokens, and accept one of role operator
     */
    static ReportAccess of(HttpSecurity configured, boolean requested) {
        if (configured.authentication().isEmpty() && !requested) {
            return new ReportAccess(configured, Optional.empty(), Optional.empty());
        }
        SecureRandom random = new SecureRandom();
        String reader = StoredToken.newToken(random);
        Optional<String> operator = requested ? Optional.of(StoredToken.newToken(random)) : Optional.empty();
        List<TokenVerifier> kinds = new ArrayList<>();
        kinds.add(only(reader, new Caller("demo:report", Role.READER)));
        operator.ifPresent(token -> kinds.add(only(token, new Caller("demo:operator", Role.OPERATOR))));
        configured.authentication().ifPresent(tokens -> kinds.add(token -> Optional.of(tokens.identify(token))));
        HttpSecurity security = new HttpSecurity(
                configured.tls(),
                Optional.of(new Authenticator(
                        kinds,
                        configured.authentication().map(Authenticator::sessions).orElse(SessionSettings.DEFAULT))),
                configured.rate(),
                configured.limits(),
                configured.peers(),
                configured.prefix(),
                configured.hosts());
        return new ReportAccess(security, Optional.of(reader), operator);
    }

    private static TokenVerifier only(String expected, Caller caller) {
        byte[] bytes = expected.getBytes(StandardCharsets.UTF_8);
        return token -> MessageDigest.isEqual(bytes, token.getBytes(StandardCharsets.UTF_8))
                ? Optional.of(new AuthenticationResult.Known(caller))
                : Optional.empty();
    }
}
