package dev.parley.topology.analytics;

import dev.parley.topology.config.ParleyConfig;
import java.time.Duration;
import java.util.Map;

/**
 * Settings of the analytics.
 *
 * @param grace time in which a minute accepts late messages, in stream time after its end
 * @param pause time without records after which the clock closes minutes
 * @param maxKeys maximum number of rows of one topic that a task counts separately in a minute
 * @param maxOpenItems maximum number of open items of a task
 * @param idleMs idle time of the dialogue rules, in milliseconds
 */
public record TrafficSettings(Duration grace, Duration pause, int maxKeys, int maxOpenItems, long idleMs) {

    /** Settings of a configuration without changes. */
    public static final TrafficSettings DEFAULT = of(new ParleyConfig(Map.of()));

    /** Returns the settings of a configuration. */
    public static TrafficSettings of(ParleyConfig config) {
        return new TrafficSettings(
                Duration.ofMillis(config.getLong(ParleyConfig.TRAFFIC_GRACE_MS)),
                Duration.ofMillis(config.getLong(ParleyConfig.TRAFFIC_PAUSE_MS)),
                config.getInt(ParleyConfig.TRAFFIC_MAX_KEYS),
                config.getInt(ParleyConfig.TRAFFIC_MAX_OPEN),
                config.getLong(ParleyConfig.IDLE_MS));
    }
}
