package dev.parley.server.auth;

import java.util.Optional;

/** Verifies one kind of tokens. Implementations are thread-safe. */
@FunctionalInterface
public interface TokenVerifier {

    /** Identifies the caller who presents this token; empty if the token is of another kind. */
    Optional<AuthenticationResult> identify(String token);
}
