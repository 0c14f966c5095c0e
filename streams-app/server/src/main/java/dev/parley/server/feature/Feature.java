package dev.parley.server.feature;

import dev.parley.server.api.RunningFeature;
import dev.parley.server.operations.DeploymentFeature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Topics;

/**
 * A feature of the server, as one unit: the keys, topics and permissions of {@link DeploymentFeature}, and the routes
 * and clients of {@link RunningFeature}. It is registered in {@code Features}.
 */
public interface Feature extends DeploymentFeature {

    /** Name for the log. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Starts the feature, for a configuration that enables it. Its topics exist.
     *
     * @param topics serdes of Parley's topics
     */
    RunningFeature start(ParleyConfig config, Topics topics);
}
