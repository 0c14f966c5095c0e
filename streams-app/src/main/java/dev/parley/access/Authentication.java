package dev.parley.access;

import java.util.List;
import java.util.Optional;

/** Authenticates callers by any of several kinds of tokens. */
public final class Authentication {

    private final List<Credentials> kinds;

    /** @param kinds the kinds of tokens, in the order in which they are tried */
    public Authentication(List<Credentials> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** Identifies the caller who presents this token. */
    public Identification identify(String token) {
        return kinds.stream()
                .map(kind -> kind.identify(token))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(new Identification.Refused(Identification.Reason.UNKNOWN));
    }
}
