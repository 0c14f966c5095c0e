package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;

/** Keys of {@link ParleyConfig} that decide when an instance is not ready although its stream threads run. */
public final class HealthKeys {
    /** {@value}. */
    public static final String INTERVAL_MS = "health.progress.interval.ms";
    /** {@value}. */
    public static final String STALLED_MS = "health.stalled.ms";
    /** {@value}. */
    public static final String RESTARTS = "health.restarts.max";

    private HealthKeys() {}

    static void addTo(ConfigDef definition) {
        definition
                .define(
                        INTERVAL_MS,
                        ConfigDef.Type.INT,
                        2_000,
                        Range.between(100, 60_000),
                        Importance.LOW,
                        "Interval at which committed offsets are compared with the ends of the partitions, in "
                                + "milliseconds. Each comparison takes three requests to the brokers and feeds "
                                + "readiness, metrics and accounting.")
                .define(
                        STALLED_MS,
                        ConfigDef.Type.INT,
                        60_000,
                        Range.between(1_000, 86_400_000),
                        Importance.MEDIUM,
                        "Maximum time, in milliseconds, that a partition with unread records may make no progress "
                                + "before the instance that reads it is not ready. Time in which the brokers are "
                                + "unavailable does not count.")
                .define(
                        RESTARTS,
                        ConfigDef.Type.INT,
                        3,
                        Range.atLeast(1),
                        Importance.MEDIUM,
                        "Number of stream thread restarts without progress that make an instance not ready.");
    }
}
