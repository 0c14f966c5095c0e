package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;

/** The keys of {@link ParleyConfig} that matter where several processes share the views. */
public final class InstanceKeys {
    /** {@value}. */
    public static final String THREADS = "views.threads";
    /** {@value}. */
    public static final String STANDBYS = "views.standby.replicas";
    /** {@value}. */
    public static final String ADVERTISED = "http.advertised";
    /** {@value}. */
    public static final String SECRET = "http.peers.secret";
    /** {@value}. */
    public static final String PREVIOUS_SECRET = "http.peers.secret.previous";
    /** {@value}. */
    public static final String TIMEOUT_MS = "http.peers.timeout.ms";
    /** {@value}. */
    public static final String PATIENCE_MS = "http.peers.patience.ms";

    private InstanceKeys() {}

    static void addTo(ConfigDef definition) {
        definition
                .define(
                        THREADS,
                        ConfigDef.Type.INT,
                        1,
                        Range.between(1, 256),
                        Importance.MEDIUM,
                        "Stream threads of the views.")
                .define(
                        STANDBYS,
                        ConfigDef.Type.INT,
                        1,
                        Range.between(0, 16),
                        Importance.MEDIUM,
                        "Copies of each partition of the views that other processes keep, where there are so many:"
                                + " they answer with stale=ok while an owner is away, and take over without reading all"
                                + " anew.")
                .define(
                        ADVERTISED,
                        ConfigDef.Type.STRING,
                        null,
                        Importance.MEDIUM,
                        "Where other processes of this deployment reach the HTTP API of this one, as host:port. By"
                                + " default http.host and the port in use; where http.host is a wildcard, this machine's"
                                + " address.")
                .define(
                        SECRET,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.HIGH,
                        "Key by which the instances of a deployment authenticate each other; it is never sent. The same"
                                + " on all, at least 32 random bytes. Without it an instance answers only what it owns.")
                .define(
                        PREVIOUS_SECRET,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Another key that is accepted while http.peers.secret is being changed, one instance after the"
                                + " other.")
                .define(
                        TIMEOUT_MS,
                        ConfigDef.Type.INT,
                        2_000,
                        Range.between(10, 600_000),
                        Importance.LOW,
                        "Longest time, in milliseconds, that another process may take for its part of an answer.")
                .define(
                        PATIENCE_MS,
                        ConfigDef.Type.INT,
                        5_000,
                        Range.between(0, 600_000),
                        Importance.LOW,
                        "How long, in milliseconds, a request is tried again while what it needs moves between"
                                + " processes or is not shown yet; then it is answered with 503.");
    }
}
