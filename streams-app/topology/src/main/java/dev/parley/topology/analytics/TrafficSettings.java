package dev.parley.topology.analytics;

import dev.parley.items.ItemTracker;
import dev.parley.protocol.Protocols;
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
 * @param items follows the open items
 */
public record TrafficSettings(Duration grace, Duration pause, int maxKeys, int maxOpenItems, ItemTracker items) {

    /** Settings of a configuration without changes. */
    public static final TrafficSettings DEFAULT = of(new ParleyConfig(Map.of()), Protocols.STANDARD);

    /** Returns the settings of a configuration, for the items of these protocols. */
    public static TrafficSettings of(ParleyConfig config, Protocols protocols) {
        return new TrafficSettings(
                Duration.ofMillis(config.getLong(ParleyConfig.TRAFFIC_GRACE_MS)),
                Duration.ofMillis(config.getLong(ParleyConfig.TRAFFIC_PAUSE_MS)),
                config.getInt(ParleyConfig.TRAFFIC_MAX_KEYS),
                config.getInt(ParleyConfig.TRAFFIC_MAX_OPEN),
                new ItemTracker(protocols::itemRules, config.getLong(ParleyConfig.IDLE_MS)));
    }
}
