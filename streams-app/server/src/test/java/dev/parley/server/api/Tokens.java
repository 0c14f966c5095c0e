package dev.parley.server.api;

import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpSecurity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Tokens named after the role that they grant. */
public final class Tokens {

    /** Secret of the instances. */
    public static final String PEERS = "between us 0123456789 0123456789 0123456789";

    private Tokens() {}

    /** Access control that accepts the name of a role as token, and no other. */
    public static HttpSecurity security(RateLimiter rate, HttpSecurity.Limits limits) {
        Authenticator authenticator = new Authenticator(List.of(Tokens::identify));
        return new HttpSecurity(
                Optional.empty(), Optional.of(authenticator), rate, limits, Optional.empty(), "", HostNames.ANY);
    }

    /** The caller of a token: a role, or {@code producer} and the namespaces to which it may send, after colons. */
    private static Optional<AuthenticationResult> identify(String token) {
        String[] parts = token.split(":", -1);
        Optional<Set<String>> namespaces = parts.length == 1
                ? Optional.empty()
                : Optional.of(Arrays.stream(parts).skip(1).collect(Collectors.toSet()));
        return Role.of(parts[0])
                .map(role -> new AuthenticationResult.Known(new Caller("token:" + token, role, namespaces)));
    }

    public static HttpSecurity security() {
        return security(RateLimiter.NONE, HttpLimits.DEFAULT);
    }
}
