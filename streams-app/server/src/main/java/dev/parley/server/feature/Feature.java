package dev.parley.server.feature;

import dev.parley.server.deployment.AclRole;
import dev.parley.topology.config.KeyGroup;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.TopicSpec;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Optional;

/**
 * A feature of the server, as one unit: its configuration keys, topics and permissions, and its start. What it adds to
 * the API of an instance are the {@link Contributions} of the {@link RunningFeature}.
 */
public interface Feature extends KeyGroup {

    /** Name for the log. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Whether instances with the role views have the feature under a configuration. */
    default boolean isEnabled(ParleyConfig config) {
        return true;
    }

    /** The topics of the feature. */
    default List<TopicSpec> topics(ParleyConfig config) {
        return List.of();
    }

    /** The permissions that the feature needs in addition to {@link AclRole#VIEWS}. */
    default Optional<AclRole> role() {
        return Optional.empty();
    }

    /**
     * Reports what the preflight checks found about the permissions of {@link #role}.
     *
     * @param denied a finding for each missing permission
     */
    default List<Finding> report(List<Finding> denied) {
        return denied;
    }

    /**
     * Checks the systems that only this feature needs, for a configuration that enables it. Takes seconds if they are
     * unavailable.
     */
    default List<Finding> preflight(ParleyConfig config) {
        return List.of();
    }

    /**
     * Starts the feature, for a configuration that enables it. Its topics exist.
     *
     * @param topics serdes of Parley's topics
     */
    RunningFeature start(ParleyConfig config, Topics topics);

    /** The features that an instance has. */
    static List<Feature> enabled(List<Feature> features, ParleyConfig config) {
        return config.hasRole("views")
                ? features.stream().filter(feature -> feature.isEnabled(config)).toList()
                : List.of();
    }

    /** The topics of an instance with such features. */
    static TopicSetup topics(List<Feature> features, ParleyConfig config) {
        return new TopicSetup(
                config,
                enabled(features, config).stream()
                        .flatMap(feature -> feature.topics(config).stream())
                        .toList());
    }
}
