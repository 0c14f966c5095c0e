package dev.parley.query.api;

import dev.parley.access.AuthenticationResult;
import dev.parley.access.Authenticator;
import dev.parley.access.Caller;
import dev.parley.access.RateLimiter;
import dev.parley.access.Role;
import dev.parley.query.http.HttpSecurity;
import java.util.List;
import java.util.Optional;

/** Tokens named after the role that they grant. */
public final class Tokens {

    /** Secret of the instances. */
    public static final String PEERS = "between us 0123456789 0123456789 0123456789";

    private Tokens() {}

    /** Access control that accepts the name of a role as token, and no other. */
    static HttpSecurity security(RateLimiter rate, HttpSecurity.Limits limits) {
        Authenticator authenticator = new Authenticator(List.of(token ->
                Role.of(token).map(role -> new AuthenticationResult.Known(new Caller("token:" + token, role)))));
        return new HttpSecurity(Optional.empty(), Optional.of(authenticator), rate, limits, Optional.empty());
    }

    static HttpSecurity security() {
        return security(RateLimiter.NONE, HttpLimits.DEFAULT);
    }
}
