package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Keys of {@link ParleyConfig} for several instances that share the views. */
public final class ClusterKeys {
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

    private ClusterKeys() {}

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
                        "Standby replicas of each views partition on other instances, if there are enough. They serve "
                                + "reads with stale=ok while the owner is unavailable, and take over without a full "
                                + "restore.")
                .define(
                        ADVERTISED,
                        ConfigDef.Type.STRING,
                        null,
                        Validators.optionalHostAndPort(),
                        Importance.MEDIUM,
                        "Address at which other instances reach the HTTP API of this one, as host:port. Default: "
                                + "http.host and the bound port; for a wildcard http.host, the address of this "
                                + "machine.")
                .define(
                        SECRET,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.HIGH,
                        "Key with which the instances of a deployment authenticate each other. It is never sent. The "
                                + "same on all instances, at least 32 random bytes. Without it, an instance serves "
                                + "only the partitions that it owns.")
                .define(
                        PREVIOUS_SECRET,
                        ConfigDef.Type.PASSWORD,
                        null,
                        Importance.LOW,
                        "Second accepted key for changing http.peers.secret one instance at a time.")
                .define(
                        TIMEOUT_MS,
                        ConfigDef.Type.INT,
                        2_000,
                        Range.between(10, 600_000),
                        Importance.LOW,
                        "Maximum time, in milliseconds, for the response of another instance.")
                .define(
                        PATIENCE_MS,
                        ConfigDef.Type.INT,
                        5_000,
                        Range.between(0, 600_000),
                        Importance.LOW,
                        "Maximum time, in milliseconds, to retry a request while partitions move or a position is not "
                                + "visible; then 503.");
    }
}
