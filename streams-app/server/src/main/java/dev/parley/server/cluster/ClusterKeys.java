package dev.parley.server.cluster;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.Validators;

/** Keys of {@link dev.parley.topology.config.ParleyConfig} for the instances of one deployment. */
public final class ClusterKeys {
    public static final String ADVERTISED = "http.advertised";
    public static final String ALLOWED = "http.peers.allowed";
    public static final String SECRET = "http.peers.secret";
    public static final String PREVIOUS_SECRET = "http.peers.secret.previous";
    public static final String TIMEOUT_MS = "http.peers.timeout.ms";
    public static final String PATIENCE_MS = "http.peers.patience.ms";

    private ClusterKeys() {}

    public static void addTo(KeyDefinitions definitions) {
        definitions
                .text(ADVERTISED, Validators.optionalHostAndPort())
                .doc("Address at which other instances reach the HTTP API of this one, as host:port. Default: "
                        + "http.host and the bound port; for a wildcard http.host, the address of this machine.")
                .list(ALLOWED, "")
                .doc("Hosts at which this instance queries others: names, *.example.com for a domain, addresses, or "
                        + "networks such as 10.1.0.0/16. Any member of the views' consumer group chooses the address "
                        + "that it advertises. Default: the domain of this instance's own advertised name, if it has "
                        + "at least three labels, or the /24 network (IPv6: /64) of its address.")
                .password(SECRET)
                .doc("Key with which the instances of a deployment authenticate each other. It is never sent. The "
                        + "same on all instances, at least 32 random bytes. Without it, an instance serves only the "
                        + "partitions that it owns.")
                .password(PREVIOUS_SECRET)
                .doc("Second accepted key for changing http.peers.secret one instance at a time.")
                .key(TIMEOUT_MS, 2_000, between(10, 600_000))
                .doc("Maximum time, in milliseconds, for the response of another instance.")
                .key(PATIENCE_MS, 5_000, between(0, 600_000))
                .doc("Maximum time, in milliseconds, to retry a request while partitions move or a position is not "
                        + "visible; then 503.");
    }
}
