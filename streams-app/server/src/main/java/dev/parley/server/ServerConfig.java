package dev.parley.server;

import dev.parley.server.cluster.ClusterKeys;
import dev.parley.server.feature.Feature;
import dev.parley.server.health.HealthKeys;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.telemetry.OtlpKeys;
import dev.parley.topology.config.KeyGroup;
import dev.parley.topology.config.ParleyConfig;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The configuration of a server: the keys of the topology, of the server, and of its {@link Features}. */
public final class ServerConfig {

    private static final List<KeyGroup> GROUPS = groups(Features.STANDARD);

    private ServerConfig() {}

    /** The groups of keys of a server with such features. */
    static List<KeyGroup> groups(List<Feature> features) {
        return Stream.concat(
                        Stream.<KeyGroup>of(HttpKeys::addTo, ClusterKeys::addTo, HealthKeys::addTo, OtlpKeys::addTo),
                        features.stream())
                .toList();
    }

    /**
     * Creates a validated configuration.
     *
     * @param values values by key, as strings or typed
     * @throws ConfigException if a key is unknown or a value is not allowed
     */
    public static ParleyConfig of(Map<String, ?> values) {
        return new ParleyConfig(GROUPS, values);
    }

    /** Merges the configuration sources as {@link ParleyConfig#of} does. */
    public static ParleyConfig of(
            Map<String, String> commandLine, Map<String, String> environment, Map<String, String> file) {
        return ParleyConfig.of(GROUPS, commandLine, environment, file);
    }

    /** The definition of every key, for the documentation. */
    public static ConfigDef definition() {
        return ParleyConfig.definition(GROUPS);
    }
}
