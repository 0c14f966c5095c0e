package dev.parley.server.health;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.topology.config.KeyDefinitions;

/**
 * Keys of {@link dev.parley.topology.config.ParleyConfig} that decide when an instance is not ready although its stream
 * threads run.
 */
public final class HealthKeys {
    public static final String INTERVAL_MS = "health.progress.interval.ms";
    public static final String STALLED_MS = "health.stalled.ms";
    public static final String RESTARTS = "health.restarts.max";

    private HealthKeys() {}

    public static void addTo(KeyDefinitions definitions) {
        definitions
                .key(INTERVAL_MS, 2_000, between(100, 60_000))
                .doc("Interval at which committed offsets are compared with the ends of the partitions, in "
                        + "milliseconds. Each comparison takes three requests to the brokers and feeds readiness, "
                        + "metrics and accounting.")
                .key(STALLED_MS, 60_000, between(1_000, 86_400_000))
                .doc("Maximum time, in milliseconds, that a partition with unread records may make no progress before "
                        + "the instance that reads it is not ready. Time in which the brokers are unavailable does "
                        + "not count.")
                .key(RESTARTS, 3, atLeast(1))
                .doc("Number of stream thread restarts without progress that make an instance not ready.");
    }
}
