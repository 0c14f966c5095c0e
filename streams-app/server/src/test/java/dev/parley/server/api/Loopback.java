package dev.parley.server.api;

import dev.parley.server.auth.RateLimiter;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HttpSecurity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Loopback addresses, and an API without access control. */
public final class Loopback {
    /** Address of the loopback interface. */
    public static final String HOST = "127.0.0.1";

    /** No TLS, no authentication, no rate limit. */
    public static final HttpSecurity OPEN = new HttpSecurity(
            Optional.empty(), Optional.empty(), RateLimiter.NONE, HttpLimits.DEFAULT, Optional.empty());

    private Loopback() {}

    /** Binds a free port. */
    public static BoundAddress bind() {
        try {
            return BoundAddress.bind(HOST, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
