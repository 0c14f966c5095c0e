package dev.parley.query;

import dev.parley.access.RateLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Addresses that only this machine can reach, and an API that is open to it. */
public final class Loopback {
    /** Address of the loopback interface. */
    public static final String HOST = "127.0.0.1";

    /** No TLS, no authentication, no rate limit. */
    public static final Doors OPEN =
            new Doors(Optional.empty(), Optional.empty(), RateLimit.NONE, Doors.Limits.DEFAULT, Optional.empty());

    private Loopback() {}

    /** Binds a free port. */
    public static Address bind() {
        try {
            return Address.take(HOST, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
