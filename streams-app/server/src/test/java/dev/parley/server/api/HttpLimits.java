package dev.parley.server.api;

import dev.parley.server.http.HttpSecurity.Deadlines;
import dev.parley.server.http.HttpSecurity.Limits;
import dev.parley.server.http.HttpSecurity.Shares;

/** Limits of HTTP servers in tests, with the defaults of the configuration. */
public final class HttpLimits {

    public static final int RESPONSE_BYTES = 4 << 20;
    public static final Shares SHARES = new Shares(128, 32, 256);
    public static final Deadlines DEADLINES = new Deadlines(5_000, 5_000, 10_000, 30_000, 16 << 10);

    public static final Limits DEFAULT = of(64 << 10, 64 << 10, 64, 512);

    private HttpLimits() {}

    public static Limits of(int headerBytes, int bodyBytes, int requests, int connections) {
        return new Limits(headerBytes, bodyBytes, requests, connections, RESPONSE_BYTES, SHARES, DEADLINES);
    }
}
