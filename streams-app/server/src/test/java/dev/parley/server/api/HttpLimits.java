package dev.parley.server.api;

import dev.parley.server.http.HttpSecurity.Connections;
import dev.parley.server.http.HttpSecurity.Limits;

/** Limits of HTTP servers in tests, with the defaults of the configuration. */
public final class HttpLimits {

    public static final int RESPONSE_BYTES = 4 << 20;

    public static final Limits DEFAULT = of(64 << 10, 64 << 10, 64, 512);

    private HttpLimits() {}

    public static Limits of(int headerBytes, int bodyBytes, int requests, int connections) {
        return new Limits(
                headerBytes,
                bodyBytes,
                RESPONSE_BYTES,
                requests,
                32,
                256,
                new Connections(connections, 128, 5_000, 5_000, 10_000, 30_000, 16 << 10));
    }
}
