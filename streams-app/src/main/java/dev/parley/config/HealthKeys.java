package dev.parley.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;

/** The keys of {@link ParleyConfig} that decide when a process is not ready although its stream threads run. */
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
                        "How often committed offsets are compared with the ends of the partitions, in milliseconds:"
                                + " three requests to the brokers each time, for readiness, metrics and accounting.")
                .define(
                        STALLED_MS,
                        ConfigDef.Type.INT,
                        60_000,
                        Range.between(1_000, 86_400_000),
                        Importance.MEDIUM,
                        "How long, in milliseconds, a partition may have unread records without one being read, before"
                                + " the process that has it is not ready. Time in which the brokers do not answer is not"
                                + " counted.")
                .define(
                        RESTARTS,
                        ConfigDef.Type.INT,
                        3,
                        Range.atLeast(1),
                        Importance.MEDIUM,
                        "How many restarts of stream threads without progress make a process not ready.");
    }
}
