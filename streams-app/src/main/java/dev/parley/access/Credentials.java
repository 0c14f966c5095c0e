package dev.parley.access;

import java.util.Optional;

/** One kind of tokens. Implementations may be asked by many threads. */
@FunctionalInterface
public interface Credentials {

    /** Who bears this token; empty when it is not of this kind. */
    Optional<Identification> identify(String token);
}
