package dev.parley.server.auth;

import java.util.List;
import java.util.Optional;

/**
 * Authenticates callers by any of several kinds of tokens.
 *
 * @param kinds the kinds of tokens, in the order in which they are tried
 * @param sessions settings for browsers, which keep a token in a cookie
 */
public record Authenticator(List<TokenVerifier> kinds, SessionSettings sessions) {

    public Authenticator {
        kinds = List.copyOf(kinds);
    }

    public Authenticator(List<TokenVerifier> kinds) {
        this(kinds, SessionSettings.DEFAULT);
    }

    /** Identifies the caller who presents this token. */
    public AuthenticationResult identify(String token) {
        return kinds.stream()
                .map(kind -> kind.identify(token))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(new AuthenticationResult.Refused(AuthenticationResult.Reason.UNKNOWN));
    }
}
