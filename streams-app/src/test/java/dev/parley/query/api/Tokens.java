package dev.parley.query.api;

import dev.parley.access.AuthenticationResult;
import dev.parley.access.Authenticator;
import dev.parley.access.Caller;
import dev.parley.access.RateLimiter;
import dev.parley.access.Role;
import dev.parley.query.http.HttpSecurity;
import java.util.List;
import java.util.Optional;

/** Tokens that are called as the role that they give. */
public final class Tokens {

    /** A secret of instances. */
    public static final String PEERS = "between us 0123456789 0123456789 0123456789";

    private Tokens() {}

    /** Doors behind which the text of a role is a good token, and any other is not. */
    static HttpSecurity doors(RateLimiter rate, HttpSecurity.Limits limits) {
        Authenticator authenticator = new Authenticator(List.of(token ->
                Role.of(token).map(role -> new AuthenticationResult.Known(new Caller("token:" + token, role)))));
        return new HttpSecurity(Optional.empty(), Optional.of(authenticator), rate, limits, Optional.empty());
    }

    static HttpSecurity doors() {
        return doors(RateLimiter.NONE, HttpSecurity.Limits.DEFAULT);
    }
}
