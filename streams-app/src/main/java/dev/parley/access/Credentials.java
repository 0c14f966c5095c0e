package dev.parley.access;

import java.util.Optional;

/** Verifies one kind of tokens. Implementations are thread-safe. */
@FunctionalInterface
public interface Credentials {

    /** Identifies the caller who presents this token; empty if the token is of another kind. */
    Optional<Identification> identify(String token);
}
