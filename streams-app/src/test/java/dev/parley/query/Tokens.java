package dev.parley.query;

import dev.parley.access.Authentication;
import dev.parley.access.Caller;
import dev.parley.access.Identification;
import dev.parley.access.RateLimit;
import dev.parley.access.Role;
import java.util.List;
import java.util.Optional;

/** Tokens that are called as the role that they give. */
final class Tokens {

    /** A secret of instances. */
    static final String PEERS = "between us 0123456789 0123456789 0123456789";

    private Tokens() {}

    /** Doors behind which the text of a role is a good token, and any other is not. */
    static Doors doors(RateLimit rate, Doors.Limits limits) {
        Authentication authentication = new Authentication(List.of(token ->
                Role.of(token).map(role -> new Identification.Known(new Caller("token:" + token, role)))));
        return new Doors(Optional.empty(), Optional.of(authentication), rate, limits, Optional.empty());
    }

    static Doors doors() {
        return doors(RateLimit.NONE, Doors.Limits.DEFAULT);
    }
}
