package dev.parley.access;

import java.util.List;
import java.util.Optional;

/** All kinds of tokens that are accepted. */
public final class Authentication {

    private final List<Credentials> kinds;

    /** @param kinds the kinds, in the order in which they are asked */
    public Authentication(List<Credentials> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** Who bears this token. */
    public Identification identify(String token) {
        return kinds.stream()
                .map(kind -> kind.identify(token))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(new Identification.Refused(Identification.Reason.UNKNOWN));
    }
}
